/* Whether a scan is right, and what was scanned instead if it is not. */
#include "scan_problem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that nobody wrote: of `out`, of the device's memory and of shared memory on a CPU that
 * plays a GPU. */
static int is_poison(int value) {
    return (unsigned)value == POISON || (unsigned)value == POISON_DEVICE ||
           (unsigned)value == POISON_SHARED;
}

/* Whether the output is what so many of these scans leave. */
static int is(const struct scan_parameters *parameters, const int *input, const int *output,
              int passes, int block) {
    int *results = scan_serially(parameters, input, passes, block);
    int same = results && !memcmp(results, output, (size_t)parameters->n * sizeof *results);

    free(results);
    return same;
}

/* Whether all elements from `from` on are as they came. */
static int is_as_it_came(const int *input, const int *output, int from, int n) {
    return !memcmp(output + from, input + from, (size_t)(n - from) * sizeof *output);
}

/* The first element of the block, warp or vector at which the wrong ones begin. What is wrong from
 * there on in the first pass is so from the next on in the second, if it is exclusive. */
static int edge_of(const struct scan_parameters *own, int first) {
    return own->is_exclusive && first % 4 == 1 ? first - 1 : first;
}

/* The largest power of two that divides i. */
static int power_in(int i) {
    return i & -i;
}

/* The words for another scan than the one that is wanted, if the output is one; else NULL. */
static const char *other_scan(const struct scan_parameters *own, const int *input,
                              const int *output, int passes) {
    const struct scan_parameters other_kind = {own->n, own->of_maxima, !own->is_exclusive};
    const struct scan_parameters other_operator = {own->n, !own->of_maxima, own->is_exclusive};

    if (is(&other_kind, input, output, passes, 0))
        return own->is_exclusive
                   ? "it is the inclusive scan, and the exclusive one is wanted: result i combines "
                     "the elements before i, without i itself"
                   : "it is the exclusive scan, and the inclusive one is wanted: result i combines "
                     "the elements up to i, i itself among them";
    if (is(&other_operator, input, output, passes, 0))
        return own->of_maxima ? "it is the scan by sums, and the one by maxima is wanted"
                              : "it is the scan by maxima, and the one by sums is wanted";
    for (int made = 1; made < passes; made++)
        if (is(own, input, output, made, 0))
            return made == 1 ? "it is the result of the first pass; each later pass scans the "
                               "results of the one before (scan.h)"
                             : "it is the result of a pass before the last; each pass scans the "
                               "results of the one before (scan.h)";
    return NULL;
}

/* The length of the blocks that are scanned as if there were no other; else 0. */
static int lone_block(const struct scan_parameters *own, const int *input, const int *output,
                      int passes) {
    for (int block = 16384; block >= 2; block = block > 256 ? block - 256 : block / 2)
        if (block < own->n && is(own, input, output, passes, block))
            return block;
    return 0;
}

/* Whether all that is wrong is 0, in maxima: what changes no maximum was taken for 0. */
static int takes_nothing_for_zero(const struct scan_parameters *own, const int *right,
                                  const int *output) {
    for (int i = 0; own->of_maxima && i < own->n; i++)
        if (output[i] != right[i] && output[i] != 0)
            return 0;
    return own->of_maxima;
}

/* By how many elements the first is too large after one pass of sums; else 0. */
static int added_twice(const struct scan_parameters *own, const int *input, const int *right,
                       const int *output) {
    unsigned more = (unsigned)output[0] - (unsigned)right[0], sum = 0;

    for (int i = 0; i < own->n && !own->of_maxima; i++) {
        sum += (unsigned)input[i];
        if (sum == more && ((i + 1) % 32 == 0 || i + 1 == own->n))
            return i + 1;
    }
    return 0;
}

/* The likely cause, in words that end a sentence; else nothing. `first` is the first wrong element.
 */
static void diagnose(const struct scan_parameters *own, const int *input, const int *right,
                     const int *output, int passes, int first, char *text, size_t size) {
    /* Of one element, or of ones that are as they came, some other scan says little. */
    int says_little = own->n == 1 || is_as_it_came(input, output, 0, own->n);
    const char *other = says_little ? NULL : other_scan(own, input, output, passes);
    int block = other ? 0 : lone_block(own, input, output, passes), edge = edge_of(own, first);
    int twice = passes == 1 && first == 0 ? added_twice(own, input, right, output) : 0;

    if (other)
        snprintf(text, size, ": %s", other);
    else if (block)
        snprintf(text, size,
                 ": every %d elements are scanned for themselves: the prefix of %s is missing",
                 block, block <= 32 ? "a thread or a warp" : "a warp or a block");
    else if (twice > 1)
        snprintf(text, size,
                 ": it is too large by the sum of elements 0 to %d: does the prefix of a warp or a "
                 "block contain that warp's or block's own aggregate?",
                 twice - 1);
    else if (takes_nothing_for_zero(own, right, output))
        snprintf(text, size,
                 ": all that is wrong is 0; the neutral element of maxima, with which their scan "
                 "begins, is INT_MIN");
    else if (own->is_exclusive && first == 0)
        snprintf(text, size,
                 ": result 0 of an exclusive scan combines nothing, which is %s; element 0 counts "
                 "from result 1 on",
                 own->of_maxima ? "INT_MIN for maxima" : "0 for sums");
    else if (is_as_it_came(input, output, first, own->n))
        snprintf(text, size, ": from element %d on, all are unchanged: %s", first,
                 first < 2 ? "does any block scan them, and is the result copied to `out`?"
                           : "does the grid end at the last full block?");
    else if (power_in(edge) >= 8192) /* the tile of the default variant */
        snprintf(text, size,
                 ": %d is a multiple of %d, so the first of a block, and all elements before it "
                 "are right: the prefix of that block must count each earlier block exactly once. "
                 "Is an aggregate taken for an inclusive prefix? Or are aggregates added that an "
                 "inclusive prefix already contains? Or was a status taken that is of an earlier "
                 "pass, or of none?",
                 edge, power_in(edge));
    else if (power_in(edge) >= 1024)
        snprintf(text, size,
                 ": %d is a multiple of %d, so the first of a warp with 32 elements per thread, or "
                 "of a block with fewer, and all elements before it are right: its prefix must "
                 "count each earlier warp, or each earlier block, exactly once",
                 edge, power_in(edge));
    else if (power_in(edge) >= 256)
        snprintf(text, size,
                 ": %d is a multiple of %d, so the first of a warp or a block, and all elements "
                 "before it are right: its prefix must count each of them exactly once",
                 edge, power_in(edge));
    else if (power_in(edge) >= 4)
        snprintf(text, size,
                 ": %d is a multiple of %d, so the first of a thread or a warp, and all elements "
                 "before it are right: which prefix does that thread or warp add?",
                 edge, power_in(edge));
}

/* Elements that nobody wrote. Returns 0 if there are some. */
static int is_written(const int *right, const int *output, int n, struct judgement *judgement) {
    int missing = 0, first = -1, last = -1;
    const char *whose = "";

    for (int i = 0; i < n; i++)
        if (output[i] != right[i] && is_poison(output[i])) {
            first = missing++ ? first : i;
            last = i;
        }
    if (!missing)
        return 1;
    if ((unsigned)output[first] == POISON_DEVICE)
        whose = " in the device's memory, from which they were copied";
    else if ((unsigned)output[first] == POISON_SHARED)
        whose = " in shared memory, from which they were taken";
    judge_as(judgement, OUTCOME_UNWRITTEN,
             "%d of %d elements were never written%s, the first is %d, the last %d: %s", missing, n,
             whose, first, last,
             missing == n ? "does scan_run copy the result to `out`?"
                          : "does the grid cover all elements, also those after the last full "
                            "block?");
    return 0;
}

/* How many elements are wrong; which is the first. */
static int count_wrong(const int *right, const int *output, int n, int *first) {
    int wrong = 0, least = n;

#pragma omp parallel for reduction(+ : wrong) reduction(min : least) if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++)
        if (output[i] != right[i]) {
            wrong++;
            least = i < least ? i : least;
        }
    *first = wrong ? least : *first;
    return wrong;
}

void scan_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement) {
    const struct scan_parameters *own = parameters;
    const int *right = answer, *results = output;
    char cause[384] = "";
    int first = 0, wrong = count_wrong(right, results, own->n, &first);

    (void)distribution, (void)tolerance; /* integers are right or wrong */
    memset(judgement, 0, sizeof *judgement);
    if (!wrong || !is_written(right, results, own->n, judgement))
        return;
    judgement->error_l2 = judgement->error_p99 = judgement->error_max = (double)wrong / own->n;
    diagnose(own, input, right, results, iterations, first, cause, sizeof cause);
    judge_as(judgement, OUTCOME_WRONG,
             "%d of %d elements are wrong; the first, %d, is %d and should be %d%s", wrong, own->n,
             first, results[first], right[first], cause);
}

void scan_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement) {
    const struct scan_parameters *own = parameters;
    const int *right = trusted, *results = output;
    int first = 0, wrong = count_wrong(right, results, own->n, &first);

    (void)input, (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if (!wrong || !is_written(right, results, own->n, judgement))
        return;
    judge_as(judgement, OUTCOME_TIMED_OUTPUT,
             "%d of %d elements of the timed run are wrong; the first, %d, is %d and should be %d; "
             "does the program do in every pass what it does in the first two?",
             wrong, own->n, first, results[first], right[first]);
}
