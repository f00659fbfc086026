/* Adapter: a step that multiplies a sparse matrix by a vector as a player's step. */
#include "adapter.h"
#include "protocol/spmv_layout.h"

const char step_problem[] = "spmv";

OBJECT(product, passes)

int step_create(const void *parameters, const void *in, void *out) {
    const struct csr_matrix matrix = spmv_matrix(parameters, in);

    object = product_create(&matrix, spmv_vector(&matrix), out);
    return object ? 0 : 1;
}
