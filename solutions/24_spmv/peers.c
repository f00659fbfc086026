/* Beside step 24, on a CPU: row after row, by one core or by all. */
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

struct product {
    struct csr_matrix matrix;
    const float *x;
    float *y;
    float *last; /* what the pass before gave */
};

struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y) {
    struct product *product = malloc(sizeof *product);

    if (!product)
        return NULL;
    *product =
        (struct product){*matrix, x, y, malloc((size_t)matrix->rows * sizeof *product->last + 1)};
    if (product->last)
        return product;
    free(product);
    return NULL;
}

static void multiply(const struct csr_matrix *matrix, const float *x, float *y) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1024)
#endif
    for (int row = 0; row < matrix->rows; row++) {
        float sum = 0;

        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++)
            sum += matrix->values[k] * x[matrix->columns[k]];
        y[row] = sum;
    }
}

int product_run(struct product *product, int passes) {
    size_t bytes = (size_t)product->matrix.rows * sizeof(float);

    multiply(&product->matrix, product->x, product->y);
    for (int pass = 1; pass < passes; pass++) {
        memcpy(product->last, product->y, bytes);
        multiply(&product->matrix, product->last, product->y);
    }
    return 0;
}

void product_destroy(struct product *product) {
    free(product->last);
    free(product);
}
