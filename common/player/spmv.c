/* Adapter: a step that multiplies a sparse matrix by a vector as a player's step. */
#include "protocol/player.h"
#include "protocol/spmv_layout.h"

static struct product *product;

const char step_problem[] = "spmv";

int step_create(const void *parameters, const void *in, void *out) {
    const struct csr_matrix matrix = spmv_matrix(parameters, in);

    product = product_create(&matrix, spmv_vector(&matrix), out);
    return product ? 0 : 1;
}

int step_run(int iterations) {
    return product_run(product, iterations);
}

void step_destroy(void) {
    product_destroy(product);
    product = 0;
}

void product_passes(struct product *, int) __attribute__((weak)); /* a step may have none */

void step_enqueue(int repeats) {
    if (product_passes)
        product_passes(product, repeats);
}
