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

/* Whether the output is what these scans leave; how many passes were right, the caller knows. */
static int is(const struct scan_parameters *parameters, const int *input, const int *output,
              int passes, int block) {
    int *results = scan_serially(parameters, input, passes, block);
    int same = results && !memcmp(results, output, (size_t)parameters->n * sizeof *results);

    free(results);
    return same;
}

/* Whether elements from `from` on are as they came, though they should not be. */
static int is_as_it_came(const int *input, const int *output, int from, int n) {
    return !memcmp(output + from, input + from, (size_t)(n - from) * sizeof *output);
}

/* The largest power of two that divides i. */
static int power_in(int i) {
    return i & -i;
}

/* The likely cause, in words that end a sentence begun with "...: "; else nothing. `first` is the
 * first wrong element. */
static void diagnose(const struct scan_parameters *own, const int *input, const int *output,
                     int first, char *text, size_t size) {
    struct scan_parameters other = *own;
    const char *kind = own->is_exclusive ? "exclusive" : "inclusive";
    int n = own->n;

    other.is_exclusive = !own->is_exclusive;
    if (is(&other, input, output, 2, 0)) {
        snprintf(text, size,
                 ": it is the %s scan, and the %s one is wanted (is_exclusive is %d): element i "
                 "combines what lies before i%s",
                 own->is_exclusive ? "inclusive" : "exclusive", kind, own->is_exclusive,
                 own->is_exclusive ? ", without i itself" : ", and i itself");
        return;
    }
    other = *own;
    other.of_maxima = !own->of_maxima;
    if (is(&other, input, output, 2, 0)) {
        snprintf(
            text, size, ": it is the scan by %s, and the one by %s is wanted (of_maxima is %d)",
            own->of_maxima ? "sums" : "maxima", own->of_maxima ? "maxima" : "sums", own->of_maxima);
        return;
    }
    if (is(own, input, output, 1, 0)) {
        snprintf(text, size,
                 ": it is the result of the first pass; each later pass scans the results of the "
                 "one before (scan.h)");
        return;
    }
    if (own->is_exclusive && first == 0) {
        snprintf(text, size, ": before the first element there is nothing, which is %s",
                 own->of_maxima ? "INT_MIN for maxima" : "0 for sums");
        return;
    }
    if (is_as_it_came(input, output, first, n)) {
        snprintf(text, size, ": from element %d on, all are as they came%s", first,
                 first == 0 ? ": does any block scan them, and is the result copied to `out`?"
                            : ": does the grid end at the last full block, or a copy too early?");
        return;
    }
    for (int block = 1 << 16; block >= 2; block /= 2)
        if (block < n && is(own, input, output, 2, block)) {
            snprintf(text, size,
                     ": every %d elements are scanned for themselves: what lies before a %s is to "
                     "be combined with its elements",
                     block, block <= 32 ? "thread's or a warp's" : "block's");
            return;
        }
    if (power_in(first) >= 256)
        snprintf(text, size,
                 ": it is the first of a block of elements (%d = %d x %d), and all before it are "
                 "right, so what is taken to lie before that block is not: does it count every "
                 "block before it, once? The total of one block, its aggregate, is not yet that of "
                 "all blocks up to it, its prefix",
                 first, first / power_in(first), power_in(first));
    else if (power_in(first) >= 4 && first > 0)
        snprintf(text, size,
                 ": it is the first of a group of %d, and all before it are right: what lies "
                 "before the thread or the warp that has it?",
                 power_in(first));
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
    judgement->outcome = OUTCOME_UNWRITTEN;
    snprintf(judgement->message, sizeof judgement->message,
             "%d of %d elements were never written%s, the first is %d, the last %d: %s", missing, n,
             whose, first, last,
             missing == n ? "does scan_run copy the result to `out`?"
                          : "does the grid cover all elements, also those after the last full "
                            "block?");
    return 0;
}

/* How many elements are wrong; which is the first. */
static int count_wrong(const int *right, const int *output, int n, int *first) {
    int wrong = 0;

    for (int i = 0; i < n; i++)
        if (output[i] != right[i] && !wrong++)
            *first = i;
    return wrong;
}

void scan_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, double tolerance, struct judgement *judgement) {
    const struct scan_parameters *own = parameters;
    const int *right = answer, *results = output;
    char cause[384] = "";
    int first = 0, wrong = count_wrong(right, results, own->n, &first);

    (void)distribution, (void)tolerance; /* integers are right or wrong */
    memset(judgement, 0, sizeof *judgement);
    if (!wrong || !is_written(right, results, own->n, judgement))
        return;
    judgement->outcome = OUTCOME_WRONG;
    judgement->error_l2 = judgement->error_p99 = judgement->error_max = (double)wrong / own->n;
    diagnose(own, input, results, first, cause, sizeof cause);
    snprintf(judgement->message, sizeof judgement->message,
             "%d of %d elements are wrong; the first, %d, is %d and should be %d%s", wrong, own->n,
             first, results[first], right[first], cause);
}

void scan_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, struct judgement *judgement) {
    const struct scan_parameters *own = parameters;
    const int *right = trusted, *results = output;
    int first = 0, wrong = count_wrong(right, results, own->n, &first);

    (void)input;
    memset(judgement, 0, sizeof *judgement);
    if (!wrong || !is_written(right, results, own->n, judgement))
        return;
    judgement->outcome = OUTCOME_TIMED_OUTPUT;
    snprintf(judgement->message, sizeof judgement->message,
             "%d of %d elements of the timed run are wrong; the first, %d, is %d and should be %d; "
             "does the program do in every pass what it does in the first two?",
             wrong, own->n, first, results[first], right[first]);
}
