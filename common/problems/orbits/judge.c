/* Whether bodies are where they should be. */
#include <math.h>
#include <stdlib.h>

#include "orbits_problem.h"
#include "problems/sorted.h"
#include "problems/stars/whole.h"
#include "problems/text.h"

static const char *const kinds[] = {"position", "velocity"};

static const struct star_words words = {
    .one = "body",
    .several = "bodies",
    .run = "orbits_run",
    .unwritten = "are bodies written in the order that they had in `in`?",
    .not_finite = "is a time step x / 0 where a body feels nothing?",
    .mass = "masses do not change, and bodies come back in the order that they had in `in`",
    .masses_in_float = 1};

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double distance(const double a[3], const double b[3]) {
    return length_of((const double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

/* Raises `off` to how far those schemes at eta itself leave bodies from the right ones. */
static int measure(const struct orbits_parameters *parameters, const struct star *in, int intervals,
                   int leapfrog, struct orbits_body *right) {
    const struct orbits_scheme scheme = {.eta = 1, .leapfrog = leapfrog};
    struct orbits_flow *flow = orbits_flow(parameters, in, intervals, &scheme);

    for (int i = 0; flow && i < parameters->n; i++) {
        const struct orbits_body *body = &flow->bodies[i];

        right[i].off[0] = fmax(right[i].off[0], distance(body->x, right[i].x));
        right[i].off[1] = fmax(right[i].off[1], distance(body->v, right[i].v));
        right[i].steps = body->steps;
        right[i].first = body->first;
    }
    free(flow);
    return flow ? 0 : -1;
}

void *orbits_answer(const void *memory, const void *input, const char *distribution,
                    int intervals) {
    const struct orbits_parameters *parameters = memory;
    const struct orbits_scheme finer = {.eta = 1.0 / 16};
    struct orbits_flow *flow = orbits_flow(parameters, input, intervals, &finer);

    (void)distribution;
    for (int leapfrog = 0; flow && leapfrog < 2; leapfrog++)
        if (measure(parameters, input, intervals, leapfrog, flow->bodies)) {
            free(flow);
            return NULL;
        }
    return flow;
}

/* What a body may be off by: so many times what right schemes are, or what is typical of them.
 * Where forces are exact right programs are then within half of the limit, and steps that are twice
 * as long at 1.4 limits or more on the orbits of two bodies and in one leaf of 64. Of bodies in
 * leaves of 16, in 11 checks of four variants on cpucuda, medians were up to 0.14 limits and the
 * worst body at 1.7. */
static const double of_scheme = 2;

/* Roundings of a float: of a state at each step, at worst to the same side, and of forces. */
static const double rounding = 0x1p-24, of_float = 2e-6;

/* In `limits`, of each body's place and velocity. Where there are nodes, forces are off by what
 * half of the bodies may be in the problem `walk`. */
static int set_limits(const struct orbits_parameters *p, const struct orbits_body *right,
                      double time, double tolerance, double (*limits)[2]) {
    static const double of_angle = 1, of_accuracy = 6, power = 0.65;
    double *shares = malloc(((size_t)p->n + 1) * sizeof *shares), typical[2] = {0};
    int has_nodes = p->n > p->leaf;

    if (!shares)
        return -1;
    for (int k = 0; k < 2 && p->n > 0; k++) {
        for (int i = 0; i < p->n; i++)
            shares[i] = right[i].kick > 0 ? right[i].off[k] / right[i].kick : 0;
        typical[k] = percentile_of(shares, p->n, 0.5);
    }
    for (int i = 0; i < p->n; i++) {
        const struct orbits_body *body = &right[i];
        double far = length_of(body->x) + time * length_of(body->v);
        double pulls = (of_float + rounding * far / p->softening) * body->pulls;
        double forces = has_nodes * tolerance *
                        (of_accuracy * pow(p->accuracy, power) * body->kick +
                         of_angle * p->angle * p->angle * body->first);
        double speed = rounding * body->steps * (length_of(body->v) + body->kick);

        limits[i][1] =
            of_scheme * fmax(body->off[1], typical[1] * body->kick) + forces + pulls + speed;
        limits[i][0] = of_scheme * fmax(body->off[0], typical[0] * body->kick) +
                       time * (forces + pulls + speed) + rounding * (body->steps + 1) * far;
    }
    free(shares);
    return 0;
}

/* How many limits any body may be off by where there are nodes, see the problem `walk`; half of
 * them may be off by one. */
static const double all_within = 15;
enum { FEWEST = 100 };

/* How bodies are off, in limits. */
struct verdict {
    double most;
    int worst, kind, beyond;
};

static struct verdict compare(const struct orbits_parameters *p, const struct orbits_body *right,
                              const struct star *out, double (*limits)[2]) {
    struct verdict verdict = {0};

    for (int i = 0; i < p->n; i++) {
        double shares[2] = {distance(out[i].x, right[i].x) / limits[i][0],
                            distance(out[i].v, right[i].v) / limits[i][1]};
        int kind = shares[1] > shares[0];

        verdict.beyond += shares[kind] > 1;
        if (shares[kind] > verdict.most) {
            verdict.most = shares[kind];
            verdict.worst = i;
            verdict.kind = kind;
        }
    }
    return verdict;
}

/* Errors of velocities, in kicks. */
static void say_errors(const struct orbits_parameters *p, const struct orbits_body *right,
                       const struct star *out, struct judgement *judgement) {
    double *errors = malloc(((size_t)p->n + 1) * sizeof *errors), of_errors = 0, of_all = 0;

    for (int i = 0; i < p->n; i++) {
        double off = distance(out[i].v, right[i].v);
        double error = right[i].kick > 0 ? off / right[i].kick : 0;

        of_errors += off * off;
        of_all += right[i].kick * right[i].kick;
        judgement->error_max = fmax(judgement->error_max, error);
        if (errors)
            errors[i] = error;
    }
    judgement->error_l2 = of_all > 0 ? sqrt(of_errors / of_all) : 0;
    if (errors && p->n > 0)
        judgement->error_p99 = percentile_of(errors, p->n, 0.99);
    free(errors);
}

static const char *const causes[ORBITS_FAULTS] = {
    [ORBITS_NO_CORRECTOR] = "this is the result without the corrector, v + a dt",
    [ORBITS_NEW_ALONE] = "this is the result of the new acceleration alone: the mean of the old "
                         "and the new one is wanted",
    [ORBITS_OLD_PLACE] = "places lack (a + a') dt^2 / 4",
    [ORBITS_WHOLE_PLACE] = "places have (a + a') dt^2 / 2; it is dt^2 / 4",
    [ORBITS_NEW_VELOCITY] = "the place is made with the new velocity: it is x + v dt + (a + a') "
                            "dt^2 / 4, with the old one",
    [ORBITS_OTHERS_STAY] = "who is due feels the others where they were at their own times: are "
                           "all bodies predicted to the block's time?",
    [ORBITS_BY_OWN_STEP] = "the others are predicted to the ends of their own steps: it is to the "
                           "block's time, that is time - own time",
    [ORBITS_LONG_STEPS] = "steps are twice as long as eta allows",
    [ORBITS_UNSOFTENED_STEPS] = "steps are sqrt(2 eta / |a|): the softening is left out",
    [ORBITS_WHOLE_INTERVALS] = "all steps are as long as the interval",
    [ORBITS_LEFT_BEHIND] = "the last block of an interval is left out",
    [ORBITS_UNSOFTENED] = "forces are without softening",
    [ORBITS_UNSQUARED] = "the softening is added to r^2 as it is, and its square is wanted",
    [ORBITS_EQUAL_MASSES] = "all masses are taken for equal",
    [ORBITS_LAST_FORGOTTEN] = "the last body attracts nobody",
};

/* Up to here a fault is made in a moment. */
enum { MOST_BODIES = 300, MOST_BLOCKS = 100000 };

/* A fault explains an output that is so much nearer to what it gives. */
static const double explained = 0.3;

/* An error that is a smaller share of the limit is no fault's: right programs of half the step have
 * an eighth. */
static const double worth_a_look = 0.2;

/* How many limits the output is off from what a scheme gives. */
static double off_from(const struct orbits_scheme *scheme, const struct orbits_parameters *p,
                       const struct star *in, const struct star *out, int intervals,
                       double (*limits)[2]) {
    struct orbits_flow *flow = orbits_flow(p, in, intervals, scheme);
    double most = flow ? compare(p, flow->bodies, out, limits).most : INFINITY;

    free(flow);
    return most;
}

/* The likely cause of an output that is so many limits off, or NULL. One that is within them may
 * have a fault all the same, if it is nearer to that than to right schemes. */
static const char *cause_of(const struct orbits_parameters *p, const struct star *in,
                            const struct star *out, int intervals, double (*limits)[2], double own,
                            int is_within) {
    double least = own;
    const char *cause = NULL;
    int moved = 0, begin = is_within ? ORBITS_RIGHT : ORBITS_RIGHT + 1;

    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++)
            moved += out[i].x[k] != in[i].x[k];
    if (!moved && !is_within)
        return "the bodies are those of the input: are they moved at all?";
    for (int k = 2 * begin; k < 2 * ORBITS_FAULTS && p->n <= MOST_BODIES; k++) {
        const struct orbits_scheme scheme = {.eta = 1,
                                             .fault = (enum orbits_fault)(k / 2),
                                             .leapfrog = k % 2,
                                             .most_blocks = MOST_BLOCKS};
        double off = off_from(&scheme, p, in, out, intervals, limits);

        if (off < (cause || k / 2 == ORBITS_RIGHT ? least : explained * least)) {
            least = off;
            cause = causes[k / 2];
        }
    }
    return cause;
}

/* Forces of two bodies on each other are opposite and equal, or nearly so where nodes stand for
 * some; so what they do to all is a small part of what they do to each: of half of what each may be
 * off by at most 0.26, on cpucuda. */
static int keeps_momentum(const struct orbits_parameters *p, const struct star *in,
                          const struct star *out, double (*limits)[2],
                          struct judgement *judgement) {
    double change[3] = {0}, limit = 0;

    if (p->n < FEWEST)
        return 1;
    for (int i = 0; i < p->n; i++) {
        limit += in[i].mass * limits[i][1] / 2;
        for (int c = 0; c < 3; c++)
            change[c] += in[i].mass * (out[i].v[c] - in[i].v[c]);
    }
    if (length_of(change) <= limit)
        return 1;
    judge_as(judgement, OUTCOME_WRONG,
             "the momentum is not kept: it has changed by %.2g, limit %.2g; bodies are right to "
             "what the accuracy allows, but most err to the same side",
             length_of(change), limit);
    return 0;
}

void orbits_judge(const void *memory, const void *input, const void *answer, const void *output,
                  const char *distribution, int intervals, double tolerance,
                  struct judgement *judgement) {
    const struct orbits_parameters *p = memory;
    const struct orbits_body *right = ((const struct orbits_flow *)answer)->bodies;
    const struct star *in = input, *out = output;
    double(*limits)[2] = malloc(((size_t)p->n + 1) * sizeof *limits);
    int has_nodes = p->n > p->leaf, is_wrong;
    struct verdict verdict;
    const char *cause;

    (void)distribution;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!limits || set_limits(p, right, intervals * p->interval, tolerance, limits)) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        free(limits);
        return;
    }
    if (stars_are_whole(in, out, p->n, &words, judgement)) {
        say_errors(p, right, out, judgement);
        verdict = compare(p, right, out, limits);
        is_wrong = verdict.most > (has_nodes ? all_within : 1) ||
                   (p->n >= FEWEST && verdict.beyond > p->n / 2);
        if (is_wrong) {
            const int i = verdict.worst, k = verdict.kind;
            const double *got = k ? out[i].v : out[i].x, *wanted = k ? right[i].v : right[i].x;

            judge_as(judgement, OUTCOME_WRONG,
                     "%d of %d bodies are off by more than eta%s; the worst is body %d, whose "
                     "%s is (%.6g, %.6g, %.6g) and should be (%.6g, %.6g, %.6g), %.2g times the "
                     "limit",
                     verdict.beyond, p->n, has_nodes ? " and accuracy allow" : " allows", i,
                     kinds[k], got[0], got[1], got[2], wanted[0], wanted[1], wanted[2],
                     verdict.most);
            if ((cause = cause_of(p, in, out, intervals, limits, verdict.most, 0)))
                text_add(judgement->message, sizeof judgement->message, "; %s", cause);
        } else if (!has_nodes && verdict.most > worth_a_look &&
                   (cause = cause_of(p, in, out, intervals, limits, verdict.most, 1))) {
            judge_as(
                judgement, OUTCOME_WRONG,
                "body %d is off by %.2g times what eta allows, but in the way of a known fault: %s",
                verdict.worst, verdict.most, cause);
        } else {
            keeps_momentum(p, in, out, limits, judgement);
        }
    }
    free(limits);
}

/* How far bodies may be from the trusted program's in a timed run, in what forces may be off by:
 * most bodies, and those that pass others closely. Of up to 2048 bodies on cpucuda 99 in 100 were
 * within 0.32, and within 3.5 with a leapfrog in the long steps of a small M31; the worst was off
 * by 4.9. */
static const double most_within = 5, timed_within = 100;

void orbits_judge_timed(const void *memory, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement) {
    const struct orbits_parameters *p = memory;
    const struct star *in = input, *right = trusted, *out = output;
    double limit = tolerance * (6 * pow(p->accuracy, 0.65) + p->angle * p->angle), usual = 0;
    double *errors = malloc(((size_t)p->n + 1) * sizeof *errors);
    int first = 0;

    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!errors)
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
    if (!errors || !stars_are_whole(in, out, p->n, &words, judgement) || p->n == 0) {
        free(errors);
        return;
    }
    for (int i = 0; i < p->n; i++)
        errors[i] = distance(right[i].v, in[i].v);
    usual = percentile_of(errors, p->n, 0.5);
    for (int i = 0; i < p->n; i++) {
        errors[i] = distance(out[i].v, right[i].v) / (distance(right[i].v, in[i].v) + 0.1 * usual);
        first = errors[i] > errors[first] ? i : first;
    }
    judgement->error_max = errors[first];
    judgement->error_p99 = percentile_of(errors, p->n, 0.99);
    free(errors);
    if (!(judgement->error_max <= timed_within * limit))
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the velocity of body %d differs from the trusted program's by %.2g of its "
                 "change (limit %.2g); does every body walk that is due?",
                 first, judgement->error_max, timed_within * limit);
    else if (!(judgement->error_p99 <= most_within * limit))
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the velocities of more than 1 in 100 bodies differ from the trusted program's by "
                 "%.2g of their change or more (limit %.2g); does the program do in every block "
                 "step what it does in a short run?",
                 judgement->error_p99, most_within * limit);
}
