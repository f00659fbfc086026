/* Whether stars are where they should be, and whether the cluster keeps what it has to keep. */
#include <math.h>
#include <stdlib.h>

#include "cluster_problem.h"
#include "problems/sorted.h"
#include "problems/stars/invariants.h"
#include "problems/stars/whole.h"
#include "problems/text.h"

static const char *const axes[] = {"x", "y", "z"};

static const struct star_words words = {
    .one = "star",
    .several = "stars",
    .run = "evolution_run",
    .not_finite = "is a time step 0/0 where a star feels nothing, or is a star's own force left in "
                  "without softening?",
    .mass = "masses do not change"};

/* What a star may be off by, in units of what the others did to it: the error of a scheme of order
 * 4 goes with the square of eta. The manifest's tolerance is that at eta = 0.01; a fifth of it
 * is for forces in float, which no eta helps.
 *
 * Measured on cpucuda, the worst star: two stars of eccentricity 0.5 and 0.9 over half a turn at
 * eta = 0.01, in double 1.2e-6 and 1.8e-6, with forces in float up to 2.0e-6, where the limit is
 * 1.2e-5; a pair of `bare` at eta = 0.02 1.0e-5, limit 4.2e-5; spheres of 1000 below 2e-7. Of
 * faults the smallest at e = 0.5: positions not corrected 2.1e-5, corrected with the predicted
 * velocity 4.2e-5, the predictor without j dt^3 / 6 1.2e-4, no corrector 2.6e-3. A predicted
 * velocity without its jerk, 1.6e-6, cannot be told from none. Elsewhere some are smaller
 * (positions not corrected 5.3e-6 at e = 0.9, 3e-6 in spheres): cluster_subtle_fault() finds them.
 */
static double limit_of(const struct cluster_parameters *parameters, double tolerance) {
    double share = parameters->accuracy / 0.01;

    return tolerance * (0.2 + share * share);
}

/* Two positions as floats make their difference wrong by so much of their distance from the origin:
 * stars that pass closely may be off by that, relative to their own distance. Of 51 stars without
 * softening two passed at a two-hundredth of a unit: their energy was off by 9e-6. */
static const double float_rounding = 0x1p-23;

/* An error that is a smaller share of the limit is no subtle fault's: of positions not corrected
 * the least is 0.15, of right programs most are below. */
static const double worth_a_look = 0.1;

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* What a cluster keeps, and what of it has become otherwise, as a share of what could have. */
struct kept {
    const char *what, *cause;
    double share, part; /* the change; its limit is so much of a star's */
};

static int keeps_all(const struct cluster_parameters *parameters, const struct star *in,
                     const struct flow *right, const struct star *out, double time, double limit,
                     struct judgement *judgement) {
    struct invariants before, after;
    double kick = 0, torque = 0, work = 0, moved[3], drawn[3], turned[3];

    if (stars_invariants(in, parameters->n, parameters->softening, &before) ||
        stars_invariants(out, parameters->n, parameters->softening, &after)) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return 0;
    }
    for (int i = 0; i < parameters->n; i++) {
        kick += in[i].mass * right->kick[i];
        torque += in[i].mass * right->kick[i] * length_of(in[i].x);
        work += in[i].mass * right->kick[i] * fmax(length_of(in[i].v), length_of(out[i].v));
    }
    for (int c = 0; c < 3; c++) {
        moved[c] = after.momentum[c] - before.momentum[c];
        turned[c] = after.angular_momentum[c] - before.angular_momentum[c];
        drawn[c] = after.centre[c] - before.centre[c] - time * before.momentum[c] / before.mass;
    }
    const struct kept all[] = {
        {"the energy", "every star is right to the tolerance, but all err to one side",
         fabs(stars_energy(&after) - stars_energy(&before)) / (work > 0 ? work : 1), 0.5},
        {"the momentum", "forces of two stars on each other are opposite and equal",
         length_of(moved) / (kick > 0 ? kick : 1), 0.25},
        {"the centre of mass", "it moves straight on",
         length_of(drawn) * before.mass / (kick > 0 ? kick * time : 1), 0.25},
        {"the angular momentum", "forces of two stars lie in the line between them",
         length_of(turned) / (torque > 0 ? torque : 1), 0.25},
    };

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!(all[k].share <= all[k].part * limit + 1e-12)) {
            judge_as(judgement, OUTCOME_WRONG,
                     "%s is not kept: off by %.2g of what forces did or could do (limit %.2g); %s",
                     all[k].what, all[k].share, all[k].part * limit, all[k].cause);
            return 0;
        }
    return 1;
}

void cluster_judge(const void *parameters, const void *input, const void *answer,
                   const void *output, const char *distribution, int iterations, double tolerance,
                   struct judgement *judgement) {
    const struct cluster_parameters *p = parameters;
    const struct flow *right = answer;
    const struct star *in = input, *out = output;
    const double time = iterations * p->interval;
    const double limit = limit_of(p, tolerance) + float_rounding * right->closeness;
    struct cluster_errors errors;
    const char *fault = NULL;
    char cause[320] = "";

    (void)distribution;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!stars_are_whole(in, out, p->n, &words, judgement))
        return;
    if (cluster_errors(right, out, time, &errors)) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return;
    }
    judgement->error_l2 = errors.l2;
    judgement->error_p99 = errors.p99;
    judgement->error_max = errors.max;
    if (errors.max <= limit) {
        if (errors.max > worth_a_look * limit)
            fault = cluster_subtle_fault(p, in, right, out, iterations, errors.max);
        if (fault)
            judge_as(judgement, OUTCOME_WRONG,
                     "the worst star is off by %.2g, within the limit of %.2g, but in the way of a "
                     "known fault: %s",
                     errors.max, limit, fault);
        else
            keeps_all(p, in, right, out, time, limit, judgement);
        return;
    }
    const int i = errors.worst, c = errors.component;

    judge_as(
        judgement, OUTCOME_WRONG,
        "star %d is wrong most: its %s %s is %.9g and should be %.9g, off by %.2g of %s (limit "
        "%.2g for eta %.3g)",
        i, errors.is_velocity ? "velocity" : "position", axes[c],
        errors.is_velocity ? out[i].v[c] : out[i].x[c],
        errors.is_velocity ? right->v[c][i] : right->x[c][i], errors.max,
        errors.is_velocity ? "what forces did to it" : "how far forces can have moved it", limit,
        p->accuracy);
    cluster_diagnose(p, in, right, out, iterations, cause, sizeof cause);
    if (*cause)
        text_add(judgement->message, sizeof judgement->message, "; %s", cause);
}

/* How far stars may be from the trusted program's in a timed run, which is short and softened, in
 * limits of a check: most stars; and those that pass others closely, so that what rounding did to
 * them grows. Of 16384 the worst was 200 limits off; a star that feels nothing is 10^4 off. */
static const double most_within = 2, all_within = 2000;

/* Right programs are near each other in timed runs; one with fewer stars, steps of another order or
 * forces of every second step is not. */
void cluster_judge_timed(const void *parameters, const void *input, const void *trusted,
                         const void *output, double tolerance, struct judgement *judgement) {
    const struct cluster_parameters *p = parameters;
    const struct star *in = input, *right = trusted, *out = output;
    double change = 0, limit = limit_of(p, tolerance), *errors;
    int first = 0;

    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!stars_are_whole(in, out, p->n, &words, judgement))
        return;
    errors = malloc(p->n * sizeof *errors);
    if (!errors) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return;
    }
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < 3; c++)
            change += pow(right[i].v[c] - in[i].v[c], 2) / p->n;
    for (int i = 0; i < p->n; i++) {
        errors[i] = 0;
        for (int c = 0; c < 3; c++)
            errors[i] = hypot(errors[i], out[i].v[c] - right[i].v[c]);
        errors[i] /= change > 0 ? sqrt(change) : 1;
        if (errors[i] > errors[first])
            first = i;
    }
    judgement->error_max = errors[first];
    judgement->error_p99 = percentile_of(errors, p->n, 0.99);
    free(errors);
    if (!(judgement->error_max <= all_within * limit))
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the velocity of star %d differs from the trusted program's by %.2g of a typical "
                 "change (limit %.2g); are the forces of all stars on it computed in every step?",
                 first, judgement->error_max, all_within * limit);
    else if (!(judgement->error_p99 <= most_within * limit))
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the velocities of more than 1 in 100 stars differ from the trusted program's by "
                 "%.2g of a typical change or more (limit %.2g); are the forces on all stars "
                 "computed in every step?",
                 judgement->error_p99, most_within * limit);
}
