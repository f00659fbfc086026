/* The distribution file:PATH of the problem `spmv`: a matrix of the user's, scaled so that its
 * largest eigenvalue is about 1. One at a time. */
#include "spmv_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_market.h"
#include "problems/random.h"

static struct market_matrix loaded;

/* By how much a vector grows in a pass, once what belongs to the largest eigenvalues is left of it;
 * 0: nothing is left. */
static double growth(const struct market_matrix *matrix) {
    enum { PASSES = 60, COUNTED = 30 };
    size_t n = (size_t)matrix->rows;
    double *x = malloc(2 * n * sizeof *x), *y = x + n, logarithm = 0;

    for (size_t i = 0; x && i < n; i++) {
        struct random random = random_of(0, i);

        x[i] = 1 + random_sign(&random);
    }
    for (int pass = 0; x && pass < PASSES; pass++) {
        double before = 0, after = 0, norm;

#pragma omp parallel for reduction(+ : before, after)
        for (int row = 0; row < matrix->rows; row++) {
            double sum = 0;

            for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++)
                sum += matrix->values[k] * x[matrix->column_of[k]];
            y[row] = sum;
            before += x[row] * x[row];
            after += sum * sum;
        }
        norm = sqrt(after / before);
        if (!(norm > 0) || !isfinite(norm)) {
            free(x);
            return 0;
        }
        logarithm += pass < PASSES - COUNTED ? 0 : log(norm) / COUNTED;
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] / norm;
    }
    free(x);
    return x ? exp(logarithm) : 0;
}

int spmv_read_file(const char *path, char *message) {
    double grows;

    matrix_market_free(&loaded);
    if (matrix_market_read(path, SPMV_MOST_ROWS, &loaded, message))
        return 0;
    if (loaded.rows != loaded.columns || !loaded.rows) {
        snprintf(message, 512,
                 "%s: %d rows and %d columns; a square matrix with a row at least is needed, since "
                 "what a pass gives is what the next one reads",
                 path, loaded.rows, loaded.columns);
        matrix_market_free(&loaded);
        return 0;
    }
    grows = growth(&loaded);
    for (int k = 0; k < loaded.nonzeros && grows > 0; k++)
        loaded.values[k] = (float)(loaded.values[k] / grows);
    return loaded.rows;
}

double spmv_nonzeros_of_file(void) {
    return loaded.nonzeros;
}

void spmv_copy_of_file(const struct csr_matrix *matrix) {
    memcpy((int *)matrix->row_starts, loaded.row_starts,
           ((size_t)loaded.rows + 1) * sizeof *loaded.row_starts);
    memcpy((int *)matrix->columns, loaded.column_of,
           (size_t)loaded.nonzeros * sizeof *loaded.column_of);
    memcpy((float *)matrix->values, loaded.values, (size_t)loaded.nonzeros * sizeof *loaded.values);
}
