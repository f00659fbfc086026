/* The contract of a step that multiplies a sparse matrix by a vector: a step defines these
 * functions and its own struct product. Nothing else of the harness is visible to it. */
#ifndef SPMV_H
#define SPMV_H

#ifdef __cplusplus
extern "C" {
#endif

/* A square matrix in compressed sparse rows (CSR). The nonzeros of row i are those from
 * row_starts[i] up to, not including, row_starts[i + 1]; nonzero k is values[k], in column
 * columns[k]. Rows may be empty. The columns of a row ascend, each at most once.
 * rows + nonzeros is below 2^31. */
struct csr_matrix {
    int rows, nonzeros;    /* 0 or more */
    const int *row_starts; /* rows + 1: from 0 to nonzeros */
    const int *columns;    /* nonzeros, each from 0 to rows - 1 */
    const float *values;   /* nonzeros */
};

/* The step's own. */
struct product;

/* Prepares products of that matrix; not timed. The matrix's arrays, `x` and `y` (`rows` floats
 * each) stay where they are until product_destroy; their contents are not defined yet. Returns NULL
 * on failure. */
struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y);

/* Timed. Reads the matrix and `x`, which are filled anew before every call, makes `passes` passes
 * (1 or more) and writes what the last one gives to `y`. The first gives A x, each later one A
 * times the result of the previous pass. The largest eigenvalue of A is about 1, so that nothing
 * need be scaled. Products may be added up in any order. Returns 0 when done; any other value is
 * reported as the step's own error. */
int product_run(struct product *product, int passes);

void product_destroy(struct product *product);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `passes` further
 * passes over the matrix of the last run into the default stream, and waits for none. What it
 * leaves behind is never looked at. */
void product_passes(struct product *product, int passes);

#ifdef __cplusplus
}
#endif

#endif
