#include "nbody_problem.h"

#include <stdio.h>
#include <stdlib.h>

static const double median_limit = 1e-3;

/* Two float programs part at close encounters, so single bodies prove nothing after ten iterations:
 * median and 99th percentile over bodies of |v - v_t| / |v_t - v_in| and |x - x_t| / |x_t - x_in|,
 * against the trusted program's v_t and x_t, decide. Measured, the larger of the two quantities for
 * the honest serial loop and the smaller for a program that computes forces only in the last
 * iteration, `uniform`, n = 1024, 4096 and 30000:
 *
 *     iterations   honest median, p99    cheat median
 *     1            2e-6, 7e-5            (none)
 *     10           7e-7, 7e-5            0.76
 *     100          1e-5, 2e-3            0.74
 *
 * Of few bodies an honest p99 depends on those that met: 0.044 and 0.054 were seen after 100
 * iterations at n = 1024 and 2048. A body whose forces are left out is wrong by 0.7.
 *
 * Half the iterations, each twice as long, give 0.07 in the median of positions after 10
 * iterations, 0.007 after 100 and 0.001 or less after 1000, and there honest programs part too (p99
 * 0.06 at n = 1024): beyond 100 iterations these limits no longer tell the two. With `shell` only
 * the positions show it (0.004; velocities 8e-4): both quantities are needed. */
void nbody_judge_timed(const void *parameters, const void *input, const void *trusted,
                       const void *output, struct judgement *judgement) {
    int n = ((const struct parameters *)parameters)->n;
    const struct body *in = input, *out = output;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!nbody_all_finite(out, n, judgement))
        return;

    if (!nbody_all_finite(trusted, n, judgement)) {
        judgement->outcome = OUTCOME_INTERNAL;
        snprintf(judgement->message, sizeof judgement->message,
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
        judgement->outcome = OUTCOME_INTERNAL;
        snprintf(judgement->message, sizeof judgement->message, "memory is short");
        return;
    }

    judgement->error_l2 = errors->kick_l2;
    judgement->error_p99 = percentile(errors->sorted, n, 0.99);
    judgement->error_max = errors->sorted[n - 1];
    const double p99_limit = n > 4096 ? 2e-2 : 0.2;
    double median[2] = {percentile(errors->sorted, n, 0.5)}, p99[2] = {judgement->error_p99};
    for (int i = 0; i < n; i++)
        errors->sorted[i] = relative_error(errors->drift_error[i], errors->drift[i]);
    sort_ascending(errors->sorted, n);
    median[1] = percentile(errors->sorted, n, 0.5);
    p99[1] = percentile(errors->sorted, n, 0.99);

    for (int of = 0; of < 2; of++) {
        if (median[of] <= median_limit && p99[of] <= p99_limit)
            continue;
        judgement->outcome = OUTCOME_TIMED_OUTPUT;
        snprintf(
            judgement->message, sizeof judgement->message,
            "the %s of the timed run differ from the trusted program's by %.2g of their change "
            "in the median over %d bodies (limit %g), by %.2g in the 99th percentile (limit "
            "%g); does the program do in every iteration what it does in the first two?",
            of ? "positions" : "velocities", median[of], n, median_limit, p99[of], p99_limit);
        break;
    }
    free(errors);
    free(memory);
}
