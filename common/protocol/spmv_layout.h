/* How the input of the problem `spmv` lies in the player's buffer: its arrays one after the other.
 */
#ifndef SPMV_LAYOUT_H
#define SPMV_LAYOUT_H

#include <stddef.h>

#include "spmv.h"

struct spmv_parameters {
    int rows, nonzeros;
};

static inline size_t spmv_input_bytes(double rows, double nonzeros) {
    return (size_t)(sizeof(int) * (rows + 1 + nonzeros) + sizeof(float) * (nonzeros + rows));
}

static inline struct csr_matrix spmv_matrix(const struct spmv_parameters *parameters,
                                            const void *input) {
    const int *row_starts = (const int *)input, *columns = row_starts + parameters->rows + 1;

    return (struct csr_matrix){parameters->rows, parameters->nonzeros, row_starts, columns,
                               (const float *)(columns + parameters->nonzeros)};
}

/* The vector, behind the matrix. */
static inline const float *spmv_vector(const struct csr_matrix *matrix) {
    return matrix->values + matrix->nonzeros;
}

#endif
