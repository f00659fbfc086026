/* Inputs of the problem `spmv`. For tests. */
#ifndef SPMV_INPUTS_H
#define SPMV_INPUTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "spmv/spmv_problem.h"

/* A matrix with x behind it, in one piece of memory. */
struct spmv_input {
    struct spmv_parameters parameters;
    struct csr_matrix matrix;
    const float *x;
    void *memory; /* to be freed */
};

static inline struct spmv_input spmv_input(const char *distribution, int n, uint64_t seed) {
    struct spmv_input input = {.memory = malloc(spmv_problem.input_bytes(distribution, n))};

    assert_non_null(input.memory);
    spmv_problem.set_parameters(&input.parameters, distribution, n, 2);
    spmv_problem.generate(input.memory, distribution, n, seed);
    input.matrix = spmv_matrix(&input.parameters, input.memory);
    input.x = spmv_vector(&input.matrix);
    return input;
}

#endif
