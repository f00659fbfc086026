#include "nbody_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* From the start of timed runs (set_timed_parameters() in problem.c) nothing is chaotic: bodies are
 * softened, pass each other fast, and the cloud keeps its size. So two right programs stay
 * together, and whoever computes less than all forces in every iteration parts from them. Changes
 * of velocity against fp64, L2 over bodies; steps 01 to 17 on a CPU and on cpucuda, at n = 1024,
 * 1500, 4096 and 8192, with masses of 1 and with those of `masses`, the largest of all:
 *
 *     iterations                              1        10       100      1000
 *     in floats                               2.5e-6   9.2e-7   9.2e-7   3.0e-6
 *     two halves (step 16)                    5.7e-6   2.0e-6   1.7e-6   4.1e-6
 *     one half (step 16)                      4.6e-5   1.4e-5   1.3e-5   1.8e-5
 *
 * and of what saves work, the smallest of n = 300, 1024, 1500, 4096 and 8192 (far is beyond 3
 * distances of neighbours):
 *
 *     forces in every 2nd iteration, held              1e-2     4e-2     1e-1
 *     in every 2nd, extrapolated linearly              7e-3     3e-3     5e-4
 *     in every 2nd, quadratically                      9e-3     3e-3     2e-4
 *     in every 4th, linearly                           3e-2     1e-2     3e-3
 *     in every 4th, cubically                          2e-1     3e-2     1e-3
 *     far forces in every 4th, linearly                5e-3     5e-3     3e-3
 *     half as many iterations, twice as long           1e-2     1e-2     6e-3
 *     forces in the first only                         9e-1     1e0      1e0
 *     forces in the last only                          9e-1     1e0      1e0
 *     no forces in the last tenth                      1e-1     1e-1     4e-1
 *     without what is beyond 0.8 edges        2e-1     2e-1     4e-1     1e0
 *     every second body, twice                1e-1     9e-2     6e-2     3e-1
 *     neighbours only                         8e-1     8e-1     1e0      1e0
 *     positions in halves                     6e-4     2e-4     7e-5     2e-4
 *
 * The worst body of an honest program was off by 2e-4 of its change or the median body's, in one
 * half, and by 5e-5 in others. A GPU's sum in order errs by 5e-6 over n = 131072 and 2e-5 over
 * 1048576 bodies (step 12). Half precision averages out over many iterations, but not
 * in one, as it is timed by the device's clock: on an H200 two halves were off by 2.0e-4, and a
 * body by 1.0e-3, over 1024 bodies of `soft_cube`, which had less softening then. So a step that
 * has a larger tolerance than float needs has twice that, or a fortieth of its tolerance. Beyond
 * 1000 iterations an extrapolated force is right.
 *
 * Coordinates are rounded in each iteration. Where bodies move little from far out, as in
 * `soft_cube`, that is no small part of their way and is left out of the error of positions. */
static const double rounding = 0x1p-18;

/* The tolerance of steps in floats. */
static const double of_floats = 2e-3;

void nbody_judge_timed(const void *parameters, const void *input, const void *trusted,
                       const void *output, double tolerance, struct judgement *judgement) {
    const double limit = tolerance > of_floats ? fmax(4e-4, tolerance / 40) : 1e-4,
                 body_limit = 5 * limit;
    int n = ((const struct parameters *)parameters)->n, worst[2] = {0, 0};
    const struct body *in = input, *out = output, *trusted_bodies = trusted;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!nbody_all_finite(out, n, judgement))
        return;

    if (!nbody_all_finite(trusted, n, judgement)) {
        judge_as(judgement, OUTCOME_INTERNAL,
                 "the trusted program's own output is unwritten or not finite");
        return;
    }

    struct oracle right;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    struct errors *errors = NULL;
    if (memory) {
        oracle_start(&right, memory, trusted, NULL, n);
        errors = errors_of(&right, in, out);
    }
    if (!errors) {
        free(memory);
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return;
    }

    judgement->error_l2 = errors->kick_l2;
    judgement->error_p99 = percentile_of(errors->relative, n, 0.99);
    judgement->error_max = percentile_of(errors->relative, n, 1);
    double l2[2] = {errors->kick_l2, 0}, single[2] = {0, 0}, drift2 = 0;
    for (int i = 0; i < n; i++) {
        double x = trusted_bodies[i].x, y = trusted_bodies[i].y, z = trusted_bodies[i].z;
        double beyond = fmax(0, errors->drift_error[i] - rounding * sqrt(x * x + y * y + z * z));
        const double error[2] = {
            body_error(errors->kick_error[i], errors->kick[i], errors->kick_median),
            body_error(beyond, errors->drift[i], errors->drift_median)};

        drift2 += errors->drift[i] * errors->drift[i];
        l2[1] += beyond * beyond;
        for (int of = 0; of < 2; of++)
            if (error[of] > single[of]) {
                single[of] = error[of];
                worst[of] = i;
            }
    }
    l2[1] = relative_error(sqrt(l2[1]), sqrt(drift2));
    for (int of = 0; of < 2; of++) {
        if (l2[of] <= limit && single[of] <= body_limit)
            continue;
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the %s of the timed run differ from the trusted program's by %.2g of their "
                 "change (L2 over %d bodies, limit %g), those of body %d by %.2g (limit %g); does "
                 "the program compute every force in every iteration?",
                 of ? "positions" : "velocities", l2[of], n, limit, worst[of], single[of],
                 body_limit);
        break;
    }
    free(errors);
    free(memory);
}
