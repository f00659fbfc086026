/* Adapter: a step that multiplies a sparse matrix by a vector as a player's step. */
#include "adapter.h"
#include "protocol/spmv_layout.h"

const char step_problem[] = "spmv";

static struct product *create(const void *parameters, const void *in, void *out) {
    const struct csr_matrix matrix = spmv_matrix(parameters, in);

    return product_create(&matrix, spmv_vector(&matrix), out);
}

OBJECT_BY(product, passes, create)
