#include "nbody_problem.h"

#include <stdio.h>
#include <stdlib.h>

static const double median_limit = 1e-3, p99_limit = 2e-2;

/* Two float programs part at close encounters, so single bodies prove nothing after ten iterations:
 * median and 99th percentile over bodies of |v - v_t| / |v_t - v_in| and |x - x_t| / |x_t - x_in|,
 * against the trusted program's v_t and x_t, decide. */
void nbody_judge_timed(const void *parameters, const void *input, const void *trusted,
                       const void *output, struct judgement *judgement) {
    int n = ((const struct parameters *)parameters)->n;
    const struct body *in = input, *out = output;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!nbody_all_finite(out, n, judgement))
        return;

    struct oracle right;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    struct errors *errors = NULL;
    if (memory) {
        oracle_start(&right, memory, trusted, n);
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
