/* Whether y is right, and where it is not. */
#include "spmv_problem.h"
#include "problems/sorted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A single row may be this many tolerances off: one thread that adds up a long row rounds often. */
static const double row_factor = 10;

/* After a hundred passes, of the whole vector. Of these the last changes 1e-4 of `surface`. */
static const double timed_limit = 2e-5;

static unsigned bits_of(float value) {
    unsigned bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int length_of(const struct csr_matrix *matrix, int row) {
    return matrix->row_starts[row + 1] - matrix->row_starts[row];
}

/* Memory that an element may come from, or have been computed from, before anybody wrote there. */
static const struct {
    unsigned copied, computed;
    const char *question;
} unwritten_memory[] = {
    {POISON_SHARED, POISON_SHARED_COMPUTED,
     "it was computed from shared memory that no thread had written: is there a barrier between "
     "filling it and reading it, and is all of it filled?"},
    {POISON_DEVICE, POISON_DEVICE_COMPUTED,
     "it comes from memory of the device that was never written: is every row's sum stored, also "
     "that of an empty row and of the last one, every piece of a row that is added up later, and "
     "all of the input?"},
    {POISON, POISON_COMPUTED, "it was computed from memory that was never written"},
};
enum { MEMORIES = sizeof unwritten_memory / sizeof *unwritten_memory };

static const char *question_of(const float *y, int n) {
    const char *question = "is every sum set to 0 first?";
    int least = MEMORIES;

    for (int i = 0; i < n; i++)
        for (int m = 0; m < least; m++)
            if (bits_of(y[i]) == unwritten_memory[m].copied ||
                !((bits_of(y[i]) ^ unwritten_memory[m].computed) & 0x7fffffffu)) {
                least = m;
                question = unwritten_memory[m].question;
            }
    return question;
}

/* The last row that still holds what x holds there though it should not; -1: none does. Where two
 * vectors take turns, that is what a row that is left out looks like after two passes. A row with
 * one nonzero may be one of the identity, and right. */
static int untouched_row(const struct csr_matrix *matrix, const float *y) {
    const float *x = spmv_vector(matrix);
    int row = matrix->rows - 1;

    while (row >= 0 &&
           (bits_of(y[row]) != bits_of(x[row]) || x[row] == 0 || length_of(matrix, row) == 1))
        row--;
    return row;
}

static int is_written_and_finite(const struct csr_matrix *matrix, const float *y,
                                 struct judgement *judgement) {
    int unwritten = 0, first_unwritten = -1, bad = 0, first_bad = -1, n = matrix->rows;

    for (int i = 0; i < n; i++) {
        if (bits_of(y[i]) == POISON && !unwritten++)
            first_unwritten = i;
        if (!isfinite(y[i]) && !bad++)
            first_bad = i;
    }
    if (unwritten) {
        judge_as(judgement, OUTCOME_UNWRITTEN,
                 "%d of %d elements of y were never written, the first is y[%d]%s", unwritten, n,
                 first_unwritten,
                 unwritten == n ? ": does product_run copy the result to `y`?" : "");
    } else if (bad) {
        int row = untouched_row(matrix, y);
        char still[160] = "";

        if (row >= 0)
            snprintf(still, sizeof still,
                     "; y[%d]%s still holds x[%d]: is that row's sum ever stored?", row,
                     row == n - 1 ? ", the last," : "", row);
        judge_as(judgement, OUTCOME_NOT_FINITE,
                 "%d of %d elements of y are NaN or Inf, the first is y[%d] = %g; %s%s", bad, n,
                 first_bad, y[first_bad], *still ? "others are computed from it" : "",
                 *still ? still : question_of(y, n));
    } else {
        return 1;
    }
    return 0;
}

static double error_of(double right, double magnitude, double y) {
    double error = fabs(y - right);

    return error > 0 ? error / (magnitude > 0 ? magnitude : 1) : 0;
}

/* Errors over all rows; the largest is that of *worst. The percentile is left out if memory is
 * short. */
static void measure(const struct spmv_answer *right, const float *y, int n,
                    struct judgement *judgement, int *worst) {
    double *errors = malloc((size_t)n * sizeof *errors + 1), of_errors = 0, of_magnitudes = 0;

    *worst = 0;
    for (int i = 0; i < n; i++) {
        double error = error_of(right->y[i], right->magnitudes[i], y[i]);

        of_errors += (y[i] - right->y[i]) * (y[i] - right->y[i]);
        of_magnitudes += right->magnitudes[i] * right->magnitudes[i];
        if (error > judgement->error_max) {
            judgement->error_max = error;
            *worst = i;
        }
        if (errors)
            errors[i] = error;
    }
    judgement->error_l2 =
        of_errors > 0 ? sqrt(of_errors / (of_magnitudes > 0 ? of_magnitudes : 1)) : 0;
    if (errors && n)
        judgement->error_p99 = percentile_of(errors, n, 0.99);
    free(errors);
}

void spmv_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement) {
    const struct csr_matrix matrix = spmv_matrix(parameters, input);
    const struct spmv_answer *right = answer;
    const float *y = output;
    char cause[256] = "", long_one[64] = "";
    int worst, wrong = 0, first = -1, longest = -1;

    (void)distribution;
    memset(judgement, 0, sizeof *judgement);
    if (!is_written_and_finite(&matrix, y, judgement))
        return;
    measure(right, y, matrix.rows, judgement, &worst);
    if (judgement->error_l2 <= tolerance && judgement->error_max <= row_factor * tolerance)
        return;
    for (int i = 0; i < matrix.rows; i++)
        if (error_of(right->y[i], right->magnitudes[i], y[i]) > row_factor * tolerance) {
            first = wrong++ ? first : i;
            if (longest < 0 || length_of(&matrix, i) > length_of(&matrix, longest))
                longest = i;
        }
    /* The first may only be computed from it. */
    if (wrong && length_of(&matrix, longest) > length_of(&matrix, first))
        snprintf(long_one, sizeof long_one, "; the longest is row %d, of %d nonzeros", longest,
                 length_of(&matrix, longest));
    spmv_diagnose(&matrix, spmv_vector(&matrix), y, iterations, cause, sizeof cause);
    if (wrong)
        judge_as(judgement, OUTCOME_WRONG,
                 "%d of %d rows are wrong by more than %g of their sum of |a||x|: the first is row "
                 "%d, of %d nonzeros, where y is %.7g and should be %.7g%s%s",
                 wrong, matrix.rows, row_factor * tolerance, first, length_of(&matrix, first),
                 y[first], right->y[first], long_one, cause);
    else
        judge_as(judgement, OUTCOME_WRONG,
                 "y is wrong by %.2g of its length (tolerance %g), most in row %d%s",
                 judgement->error_l2, tolerance, worst, cause);
}

void spmv_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement) {
    const struct csr_matrix matrix = spmv_matrix(parameters, input);
    const float *right = trusted, *y = output;
    double of_errors = 0, of_right = 0;
    int worst = 0;

    (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if (!is_written_and_finite(&matrix, y, judgement))
        return;
    for (int i = 0; i < matrix.rows; i++) {
        double error = fabs((double)y[i] - right[i]);

        of_errors += error * error;
        of_right += (double)right[i] * right[i];
        if (error > fabs((double)y[worst] - right[worst]))
            worst = i;
    }
    if (of_errors <= timed_limit * timed_limit * of_right)
        return;
    judge_as(judgement, OUTCOME_TIMED_OUTPUT,
             "y of the timed run is wrong by %.2g of its length; most in row %d, which is %.7g and "
             "should be %.7g; does the program do in every pass what it does in the first two?",
             of_right > 0 ? sqrt(of_errors / of_right) : 1, worst, y[worst], right[worst]);
}
