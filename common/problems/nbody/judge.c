#include "nbody_problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What honest float32 programs keep, two iterations of `uniform` (400 seeds at each size up to
 * 1025, 300 at 4096 and 16384, 4 at 65536), largest over seeds:
 *
 *     n            L2 of kicks   p99 over bodies   worst body   L2 of positions
 *     2                 5e-6           6e-6            1e-5           8e-8
 *     255 to 257        8e-5           9e-6            8e-5           1e-5
 *     1000 to 1025      1e-4           3e-6            1e-4           1e-5
 *     4096              1e-4           3e-6            2e-4           1e-5
 *     16384             4e-4           4e-6            5e-4           8e-6
 *     65536             7e-4           8e-6            8e-4           4e-6
 *
 * The L2 error is that of the closest pair in the second iteration, whose distance has lost digits
 * when positions were rounded. So it has a long tail: the share of seeds whose error exceeds t
 * falls as t^-3 (at 16384, 17% exceed 1e-4). The percentile has none, and gets a twentieth of the
 * tolerance. With coordinates in half precision there is no end to the tail: two bodies may come
 * arbitrarily near each other by rounding. So a tolerance of 1 and more, where no result at all
 * would do, is not one of L2.
 *
 * A single wrong body of 16384 need not move either. So each body's error in velocity or position
 * may be body_factor tolerances of its own change, or of the median body's where that is larger. */
static const double body_factor = 10.0, p99_share = 0.05;

static void say(struct judgement *judgement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct judgement *judgement, const char *format, ...) {
    size_t length = strlen(judgement->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judgement->message + length, sizeof judgement->message - length, format, arguments);
    va_end(arguments);
}

/* Which bodies are off and by how much the worst is, then the likely cause. */
static void say_where(const struct parameters *parameters, const struct body *in,
                      const struct answer *answer, const struct body *out,
                      const struct errors *errors, const unsigned char *is_wrong,
                      struct judgement *judgement) {
    int wrong = 0, first = -1, worst = -1, worst_is_velocity = 0;
    double worst_error = 0;
    for (int i = 0; i < errors->n; i++) {
        if (!is_wrong[i])
            continue;
        double kick = body_error(errors->kick_error[i], errors->kick[i], errors->kick_median);
        double drift = body_error(errors->drift_error[i], errors->drift[i], errors->drift_median);
        if (!wrong++)
            first = i;
        if (worst < 0 || fmax(kick, drift) > worst_error) {
            worst = i;
            worst_error = fmax(kick, drift);
            worst_is_velocity = kick >= drift;
        }
    }
    if (!wrong)
        return;

    const struct oracle *right = &answer->oracle;
    if (wrong == errors->n)
        say(judgement, wrong == 1 ? "; the only body is off" : "; all %d bodies are off", wrong);
    else
        say(judgement,
            wrong == 1 ? "; %d of %d bodies is off, body %d"
                       : "; %d of %d bodies are off, the first is body %d",
            wrong, errors->n, first);
    if (worst_is_velocity)
        say(judgement,
            ", the worst body %d: expected velocity (%.6g %.6g %.6g), got (%.6g %.6g %.6g)", worst,
            right->vx[worst], right->vy[worst], right->vz[worst], (double)out[worst].vx,
            (double)out[worst].vy, (double)out[worst].vz);
    else
        say(judgement,
            ", the worst body %d: expected position (%.6g %.6g %.6g), got (%.6g %.6g %.6g)", worst,
            right->x[worst], right->y[worst], right->z[worst], (double)out[worst].x,
            (double)out[worst].y, (double)out[worst].z);

    char cause[256] = "";
    nbody_diagnose(parameters, in, answer, out, is_wrong, cause, sizeof cause);
    if (*cause)
        say(judgement, "; %s", cause);
}

/* Against fp64, by the step's tolerance. */
static void judge_errors(const struct parameters *parameters, const struct body *in,
                         const struct answer *answer, const struct body *out,
                         const struct errors *errors, double tolerance, unsigned char *is_wrong,
                         struct judgement *judgement) {
    int single = 0, of_l2 = tolerance < 1;
    for (int i = 0; i < errors->n; i++) {
        double kick = body_error(errors->kick_error[i], errors->kick[i], errors->kick_median);
        double drift = body_error(errors->drift_error[i], errors->drift[i], errors->drift_median);
        is_wrong[i] = kick > tolerance || drift > tolerance;
        single += kick > body_factor * tolerance || drift > body_factor * tolerance;
    }

    if (of_l2 && errors->kick_l2 > tolerance)
        say(judgement, "the changes of velocity are wrong by %.2g (L2, tolerance %g)",
            errors->kick_l2, tolerance);
    else if (of_l2 && errors->position_l2 > tolerance)
        say(judgement, "the positions are wrong by %.2g (L2, tolerance %g)", errors->position_l2,
            tolerance);
    else if (judgement->error_p99 > p99_share * tolerance)
        say(judgement,
            "the changes of velocity are wrong by %.2g in the 99th percentile of bodies (tolerance "
            "%g)",
            judgement->error_p99, p99_share * tolerance);
    else if (single)
        say(judgement, "single bodies are wrong by more than %g of their change",
            body_factor * tolerance);
    else
        return;
    judgement->outcome = OUTCOME_WRONG;
    say_where(parameters, in, answer, out, errors, is_wrong, judgement);
}

/* Against the float32 reference, by the seed's rule. */
static void judge_decimals(const struct parameters *parameters, const struct body *in,
                           const struct answer *answer, const struct body *out,
                           const struct errors *errors, unsigned char *is_wrong,
                           struct judgement *judgement) {
    enum { FIRST_GOOD = 3 };
    const struct body *reference = answer->reference;
    nbody_decimals(reference, out, errors->n, judgement);
    if (judgement->first_wrong_decimal >= FIRST_GOOD)
        return;
    for (int i = 0; i < errors->n; i++)
        is_wrong[i] = first_wrong_decimal(reference[i].x, out[i].x) < FIRST_GOOD ||
                      first_wrong_decimal(reference[i].y, out[i].y) < FIRST_GOOD ||
                      first_wrong_decimal(reference[i].z, out[i].z) < FIRST_GOOD;
    long wrong = judgement->decimals[0] + judgement->decimals[1];
    judgement->outcome = OUTCOME_DECIMALS;
    say(judgement, "%ld of %ld coordinates (%.1f%%, allowed 1%%) are wrong at decimal 1 or 2",
        wrong, 3L * errors->n, 100.0 * (double)wrong / (3.0 * errors->n));
    say_where(parameters, in, answer, out, errors, is_wrong, judgement);
}

void nbody_judge(const void *parameters, const void *input, const void *answer, const void *output,
                 const char *distribution, int iterations, double tolerance,
                 struct judgement *judgement) {
    const struct parameters *p = parameters;
    const struct answer *right = answer;
    (void)distribution,
        (void)iterations; /* the answer knows them, and whether decimals are asked */
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!nbody_all_finite(output, p->n, judgement))
        return;

    struct errors *errors = errors_of(&right->oracle, input, output);
    unsigned char *is_wrong = calloc((size_t)p->n, 1);
    if (errors && is_wrong) {
        judgement->error_l2 = errors->kick_l2;
        judgement->error_p99 = percentile_of(errors->relative, p->n, 0.99);
        judgement->error_max = percentile_of(errors->relative, p->n, 1);
        if (right->reference)
            judge_decimals(p, input, right, output, errors, is_wrong, judgement);
        else
            judge_errors(p, input, right, output, errors, tolerance, is_wrong, judgement);
    } else {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
    }
    free(is_wrong);
    free(errors);
}
