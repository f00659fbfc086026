/* Whether accelerations are as exact as their criterion promises, and felt from all bodies. */
#include "walk_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/sorted.h"

/* What half of the bodies may be off by, in tolerances, of which a manifest has 0.05. By the angle:
 * the pull of a node is off by some b^2 / d^2 of itself at most, and all pulls together by less. By
 * the accuracy: each node's is off by some accuracy |a|, and there are the more nodes the smaller
 * that is; of 2^23 bodies of a galaxy the worst was off by 1.6 times the accuracy at 2^-7 and
 * by 11.5 times at 2^-15, which is 0.3 accuracy^0.65. Forces in float are off by some roundings of
 * all pulls. Of serial walks through 108 inputs the largest median was 0.4 of the limit. */
static double limit_of(const struct walk_parameters *parameters, int is_first, double all,
                       double known) {
    static const double of_angle = 1, of_accuracy = 6, power = 0.65, of_float = 2e-5;

    return is_first ? (of_angle * pow(parameters->angle, 2) + of_float) * all
                    : of_accuracy * pow(parameters->accuracy, power) * known + of_float * all;
}

/* How many limits any body may be off by: on a line, where errors of nodes add up, 12 were seen. Of
 * fewer bodies a half tells little. */
static const double all_within = 30;
enum { FEWEST = 100 };

static double off_by(const struct walk_force *force, const double right[3]) {
    double x = force->x - right[0], y = force->y - right[1], z = force->z - right[2];

    return sqrt(x * x + y * y + z * z);
}

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static int is_poison(const struct walk_force *force) {
    unsigned words[sizeof *force / sizeof(unsigned)];

    memcpy(words, force, sizeof words);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k] != POISON)
            return 0;
    return 1;
}

/* All numbers are there, and each body feels all others. */
static int is_whole(const struct walk_force *forces, int n, struct judgement *judgement) {
    int unwritten = 0, first = 0;

    for (int i = n - 1; i >= 0; i--)
        if (is_poison(&forces[i])) {
            unwritten++;
            first = i;
        }
    if (unwritten) {
        judge_as(judgement, OUTCOME_UNWRITTEN,
                 "%d of %d bodies were never written, the first is body %d: does a warp that is "
                 "done take another group, up to the last body?",
                 unwritten, n, first);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        const struct walk_force *force = &forces[i];

        if (force->felt < 0 || force->bodies < 0 || force->nodes < 0) {
            judge_as(judgement, OUTCOME_UNWRITTEN,
                     "body %d feels %d bodies, by %d bodies and %d nodes, from memory that was "
                     "never written: does a warp that is done take another group, up to the last "
                     "body?",
                     i, force->felt, force->bodies, force->nodes);
            return 0;
        }
        if (force->felt != n || force->bodies + (double)force->nodes > n) {
            judge_as(judgement, OUTCOME_WRONG,
                     "body %d feels %d of %d bodies, by %d bodies and %d nodes: %s", i, force->felt,
                     n, force->bodies, force->nodes,
                     force->felt < n ? "do all children of an opened node wait for their turn, and "
                                       "are all bodies of an opened leaf added?"
                                     : "is a node either accepted or opened, and taken only once?");
            return 0;
        }
    }
    for (int i = 0; i < n; i++)
        if (!isfinite(forces[i].x) || !isfinite(forces[i].y) || !isfinite(forces[i].z)) {
            judge_as(judgement, OUTCOME_NOT_FINITE,
                     "body %d has the acceleration (%g, %g, %g): without softening a body's own "
                     "pull is 0 / 0",
                     i, forces[i].x, forces[i].y, forces[i].z);
            return 0;
        }
    return 1;
}

/* Of |a - right| / |right|; bodies that feel nothing have no error. */
static void measure(const struct pulled *right, const struct walk_force *forces, int n,
                    struct judgement *judgement) {
    double *errors = malloc((size_t)n * sizeof *errors + 1), of_errors = 0, of_all = 0;

    for (int i = 0; i < n; i++) {
        double length = length_of(right[i].a), off = off_by(&forces[i], right[i].a);
        double error = length > 1e-5 * right[i].all ? off / length : 0;

        of_errors += off * off;
        of_all += length * length;
        judgement->error_max = fmax(judgement->error_max, error);
        if (errors)
            errors[i] = error;
    }
    judgement->error_l2 = of_all > 0 ? sqrt(of_errors / of_all) : 0;
    if (errors && n > 0)
        judgement->error_p99 = percentile_of(errors, n, 0.99);
    free(errors);
}

/* The usual fault that most of those bodies have of which it makes something else, or "". */
static const char *fault_of(const struct walk_parameters *parameters,
                            const struct tree_body *bodies, const struct pulled *right,
                            const struct walk_force *forces) {
    static const char *const faults[WALK_RULES] = {
        [OPPOSITE_PULL] =
            ": it has the opposite direction; r points from the body to what pulls it",
        [UNSOFTENED_PULL] = ": so it would be without softening",
        [UNSQUARED_PULL] = ": the softening is added to r^2 as it is, and its square is wanted",
        [TOO_LONG_PULL] = ": the vector r is multiplied by m / s^2; it is m / s^3",
    };

    for (int rule = RIGHT_PULL + 1; rule < WALK_RULES; rule++) {
        int like = 0, telling = 0;

        for (int i = 1; i < parameters->n; i += 1 + parameters->n / 300) {
            struct pulled faulty = walk_pull(parameters, bodies, i, (enum walk_rule)rule);
            struct walk_force as_force = {(float)faulty.a[0], (float)faulty.a[1],
                                          (float)faulty.a[2]};
            double differs = off_by(&as_force, right[i].a);

            telling += differs > 0.1 * right[i].all;
            like += differs > 0.1 * right[i].all && off_by(&forces[i], faulty.a) < differs / 3;
        }
        if (2 * like > telling)
            return faults[rule];
    }
    return "";
}

void walk_judge(const void *memory, const void *input, const void *answer, const void *output,
                const char *distribution, int passes, double tolerance,
                struct judgement *judgement) {
    const struct walk_parameters *parameters = memory;
    const struct pulled *right = answer;
    const struct walk_force *forces = output;
    int worst = 0, beyond = 0;
    double most = 0;

    (void)distribution;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!is_whole(forces, parameters->n, judgement))
        return;
    measure(right, forces, parameters->n, judgement);
    for (int i = 0; i < parameters->n; i++) {
        double limit = limit_of(parameters, passes == 1, right[i].all, right[i].known);
        double share = off_by(&forces[i], right[i].a) / (tolerance * limit);

        beyond += share > 1;
        if (share > most) {
            most = share;
            worst = i;
        }
    }
    if (most <= all_within && (parameters->n < FEWEST || beyond <= parameters->n / 2))
        return;
    judge_as(judgement, OUTCOME_WRONG,
             "the accelerations of %d of %d bodies are off by more than %s allows; the worst is "
             "body %d with (%.6g, %.6g, %.6g), which should be (%.6g, %.6g, %.6g), %.2g times the "
             "limit%s",
             beyond, parameters->n, passes == 1 ? "the angle" : "the accuracy", worst,
             forces[worst].x, forces[worst].y, forces[worst].z, right[worst].a[0],
             right[worst].a[1], right[worst].a[2], most,
             fault_of(parameters, input, right, forces));
}

void walk_judge_timed(const void *memory, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement) {
    const struct walk_parameters *parameters = memory;
    const struct sampled *right = trusted;
    const struct walk_force *forces = output;
    int step = 1, first, worst = 0, beyond = 0, sampled = 0;
    double most = 0;

    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!is_whole(forces, parameters->n, judgement)) {
        judgement->outcome = OUTCOME_TIMED_OUTPUT;
        return;
    }
    first = parameters->n > 0 ? walk_sample(parameters, input, &step) : 0;
    for (int i = first; i < parameters->n; i += step) {
        const double a[3] = {right[i].a[0], right[i].a[1], right[i].a[2]};
        double limit = limit_of(parameters, right[i].is_first, right[i].all, right[i].known);
        double share = off_by(&forces[i], a) / (tolerance * limit);

        sampled++;
        beyond += share > 1;
        if (share > most) {
            most = share;
            worst = i;
        }
    }
    if (most <= all_within && (sampled < FEWEST || beyond <= sampled / 2))
        return;
    judge_as(judgement, OUTCOME_TIMED_OUTPUT,
             "forces of the timed run are wrong: %d of %d bodies that were looked at are off by "
             "more than the limit; the worst is body %d with (%.6g, %.6g, %.6g), which should be "
             "(%.6g, %.6g, %.6g); does the program do in every pass what it does in the first two?",
             beyond, sampled, worst, forces[worst].x, forces[worst].y, forces[worst].z,
             right[worst].a[0], right[worst].a[1], right[worst].a[2]);
}
