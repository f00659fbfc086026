/* Whether a sum is right, and what it is the sum of if it is not. */
#include "reduce_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After a hundred passes, each of whose factors depends on the sum before. */
static const double timed_limit = 1e-3;

/* An output, as it is looked at. */
union output {
    float of_floats;
    unsigned of_integers;
};

/* |sum - right| / sum of |x|; 0 where there is nothing to add up and nothing came out. */
static double error_of(const struct sum *right, float sum) {
    double error = fabs(sum - right->of_floats);

    return error > 0 ? error / (right->of_magnitudes > 0 ? right->of_magnitudes : 1) : 0;
}

/* Whether the output is that sum; a float within what adding up in another order may change. */
static int is(const struct reduce_parameters *parameters, const struct sum *sum,
              const union output *output) {
    return parameters->of_floats ? error_of(sum, output->of_floats) < 1e-6
                                 : output->of_integers == sum->of_integers;
}

/* Of elements that are all 1: how many were added up, if they were as many in all passes. -1: they
 * were not, or not all are 1. */
static int number_of_ones(const struct reduce_parameters *parameters, const unsigned *input,
                          int passes, unsigned output) {
    for (int i = 0; i < parameters->n; i++)
        if (parameters->of_floats || input[i] != 1)
            return -1;
    for (unsigned number = 1; parameters->n > 0 && number < 1 << 16; number++) {
        unsigned sum = number;

        for (int pass = 1; pass < passes; pass++)
            sum = number * change_integer(1, sum);
        if (sum == output)
            return (int)number;
    }
    return -1;
}

static struct sum added(const struct sum *one, const struct sum *other) {
    return (struct sum){one->of_integers + other->of_integers, one->of_floats + other->of_floats,
                        one->of_magnitudes + other->of_magnitudes};
}

/* What the last pass comes to if all leave the last n mod 4 elements as they are. */
static struct sum with_rest_unchanged(const struct reduce_parameters *parameters, const void *input,
                                      int passes) {
    const struct sum none = {0};
    int whole = parameters->n / 4 * 4;
    const void *rest = (const int *)input + whole;
    const struct sum of_rest = reduce_pass(parameters, rest, parameters->n - whole, &none);
    struct sum sum = {0};

    for (int pass = 0; pass < passes; pass++) {
        sum = reduce_pass(parameters, input, whole, &sum);
        sum = added(&sum, &of_rest);
    }
    return sum;
}

/* What the last pass comes to if each adds to the sum of the one before: `all`; and if the first
 * begins at what the device's memory holds: `dirty`. */
static void with_wrong_beginnings(const struct reduce_parameters *parameters, const void *input,
                                  int passes, struct sum *all, struct sum *dirty) {
    *all = (struct sum){0};
    *dirty = (struct sum){0};
    for (int pass = 0; pass < passes; pass++) {
        struct sum more = reduce_pass(parameters, input, parameters->n, all);

        *all = added(all, &more);
        *dirty = reduce_pass(parameters, input, parameters->n, dirty);
        dirty->of_integers += pass ? 0 : POISON_DEVICE;
    }
}

/* What the last pass comes to if passes take two sums alternately and none is set to 0, but the one
 * that the first pass reads. */
static struct sum with_two_sums(const struct reduce_parameters *parameters, const void *input,
                                int passes) {
    struct sum sums[2] = {{.of_integers = POISON_DEVICE}, {0}};

    for (int pass = 0; pass < passes; pass++) {
        struct sum *sum = &sums[pass % 2], *last = &sums[1 - pass % 2];
        struct sum more = reduce_pass(parameters, input, parameters->n, last);

        *sum = added(sum, &more);
    }
    return sums[(passes - 1) % 2];
}

/* The likely cause, in words that end a sentence begun with "...: "; else nothing. */
static void diagnose(const struct reduce_parameters *parameters, const void *input,
                     const union output *output, int passes, char *text, size_t size) {
    static const int blocks[] = {4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2};
    const struct sum none = {0};
    const struct sum rest_unchanged = with_rest_unchanged(parameters, input, passes);
    const struct sum two_sums = with_two_sums(parameters, input, passes);
    struct sum all, dirty, sum = none;
    int n = parameters->n, number, passes_made = 0;

    with_wrong_beginnings(parameters, input, passes, &all, &dirty);
    for (int pass = 1; pass < passes && !passes_made; pass++) {
        sum = reduce_pass(parameters, input, n, &sum);
        passes_made = is(parameters, &sum, output) ? pass : 0;
    }
    number = number_of_ones(parameters, input, passes, output->of_integers);
    if (is(parameters, &none, output))
        snprintf(text, size,
                 ": it is 0, the sum of nothing: does a kernel add to it, and is it copied to "
                 "`out`?");
    else if (passes_made)
        snprintf(text, size,
                 ": it is the sum of %s; later passes add up elements that the sum before has "
                 "changed (reduce.h)",
                 passes_made == 1 ? "the first pass" : "a pass before the last");
    else if (is(parameters, &all, output))
        snprintf(text, size, ": it is the sum of %s passes: where does a later one begin at 0?",
                 passes == 2 ? "both" : "all");
    else if (!parameters->of_floats && is(parameters, &dirty, output))
        snprintf(text, size,
                 ": the first pass's sum did not begin at 0, but at what the device's memory holds "
                 "before anything is written there");
    else if (!parameters->of_floats && is(parameters, &two_sums, output))
        snprintf(
            text, size,
            ": each pass began at the sum of two passes before: is `sum` set to 0 before every "
            "pass?");
    else if (number > 0) /* which of them, equal elements do not tell */
        snprintf(text, size, ": in each pass %d ones were added up, and there are %d: %s", number,
                 n, number < n ? "which are left out?" : "which come more than once?");
    else if (is(parameters, &rest_unchanged, output))
        snprintf(
            text, size,
            ": the last n mod 4 = %d elements are added up as they are; the sum before changes "
            "them too (reduce.h)",
            n % 4);
    else
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            struct sum short_of;

            if (n < blocks[b] || n % blocks[b] == 0)
                continue;
            short_of = reduce_sum(parameters, input, n - n % blocks[b], passes);
            if (is(parameters, &short_of, output)) {
                snprintf(text, size,
                         ": it is the sum without the last n mod %d = %d elements: does a loop or "
                         "the grid end at the last full block?",
                         blocks[b], n % blocks[b]);
                return;
            }
        }
}

/* The two outputs have no element of their own that could be pointed at. */
static int is_written(const union output *output, struct judgement *judgement) {
    if (output->of_integers != POISON)
        return 1;
    judge_as(judgement, OUTCOME_UNWRITTEN,
             "`out` was never written: does reduction_run copy the sum there?");
    return 0;
}

void reduce_judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement) {
    const struct reduce_parameters *own = parameters;
    const struct sum *right = answer;
    const union output *sum = output;
    char cause[256] = "";

    (void)distribution;
    memset(judgement, 0, sizeof *judgement);
    if (!is_written(sum, judgement))
        return;
    if (own->of_floats && !isfinite(sum->of_floats)) {
        judge_as(judgement, OUTCOME_NOT_FINITE,
                 "the sum is %g; was everything that it is made of written before it was read?",
                 sum->of_floats);
        return;
    }
    if (own->of_floats)
        judgement->error_l2 = judgement->error_p99 = judgement->error_max =
            error_of(right, sum->of_floats);
    if (own->of_floats ? judgement->error_l2 <= tolerance : sum->of_integers == right->of_integers)
        return;
    diagnose(own, input, sum, iterations, cause, sizeof cause);
    if (own->of_floats)
        judge_as(judgement, OUTCOME_WRONG,
                 "the sum is %.9g and should be %.9g, which is wrong by %.2g of the sum of |x| "
                 "(tolerance %g)%s",
                 sum->of_floats, right->of_floats, judgement->error_l2, tolerance, cause);
    else
        judge_as(judgement, OUTCOME_WRONG, "the sum is %u and should be %u%s", sum->of_integers,
                 right->of_integers, cause);
}

void reduce_judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement) {
    const struct reduce_parameters *own = parameters;
    const union output *right = trusted, *sum = output;

    (void)input, (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if (!is_written(sum, judgement))
        return;
    if (own->of_floats ? fabsf(sum->of_floats - right->of_floats) <=
                             timed_limit * (1 + fabsf(right->of_floats))
                       : sum->of_integers == right->of_integers)
        return;
    if (own->of_floats)
        judge_as(
            judgement, OUTCOME_TIMED_OUTPUT,
            "the sum of the timed run is %.9g and should be %.9g; does the program do in every "
            "pass what it does in the first two?",
            sum->of_floats, right->of_floats);
    else
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "the sum of the timed run is %u and should be %u; does the program do in every "
                 "pass what it does in the first two?",
                 sum->of_integers, right->of_integers);
}
