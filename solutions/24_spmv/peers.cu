/* Beside step 24: cuSPARSE's product, of the CUDA toolkit, on the same arrays. It looks at the
 * matrix once before the first pass, as the step does. */
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "spmv.h"

#define CUSPARSE_CHECK(call)                                                                       \
    do {                                                                                           \
        cusparseStatus_t status = (call);                                                          \
        if (status != CUSPARSE_STATUS_SUCCESS) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cusparseGetErrorString(status));    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#ifndef ALGORITHM
#define ALGORITHM CUSPARSE_SPMV_ALG_DEFAULT
#endif

struct product {
    struct csr_matrix host;
    const float *x;
    float *y;
    int *row_starts, *columns;
    float *values, *vectors[2];
    void *scratch;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t described[2]; /* the vectors */
    int pass;
};

static const float one = 1, zero = 0;

struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y) {
    struct product *product = (struct product *)calloc(1, sizeof *product);
    size_t rows = matrix->rows, nonzeros = matrix->nonzeros, bytes;

    if (!product)
        return NULL;
    product->host = *matrix;
    product->x = x;
    product->y = y;
    CUDA_CHECK(cudaMalloc(&product->row_starts, (rows + 1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&product->columns, (nonzeros + 1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&product->values, (nonzeros + 1) * sizeof(float)));
    CUSPARSE_CHECK(cusparseCreate(&product->handle));
    CUSPARSE_CHECK(cusparseCreateCsr(&product->matrix, rows, rows, nonzeros, product->row_starts,
                                     product->columns, product->values, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    for (int i = 0; i < 2; i++) {
        CUDA_CHECK(cudaMalloc(&product->vectors[i], (rows + 1) * sizeof(float)));
        CUSPARSE_CHECK(
            cusparseCreateDnVec(&product->described[i], rows, product->vectors[i], CUDA_R_32F));
    }
    CUSPARSE_CHECK(cusparseSpMV_bufferSize(product->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                           product->matrix, product->described[0], &zero,
                                           product->described[1], CUDA_R_32F, ALGORITHM, &bytes));
    CUDA_CHECK(cudaMalloc(&product->scratch, bytes + 1));
    return product;
}

void product_passes(struct product *product, int passes) {
    for (; passes > 0; passes--, product->pass++)
        CUSPARSE_CHECK(cusparseSpMV(product->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                    product->matrix, product->described[product->pass % 2], &zero,
                                    product->described[(product->pass + 1) % 2], CUDA_R_32F,
                                    ALGORITHM, product->scratch));
}

int product_run(struct product *product, int passes) {
    size_t rows = product->host.rows, nonzeros = product->host.nonzeros;

    CUDA_CHECK(cudaMemcpy(product->row_starts, product->host.row_starts, (rows + 1) * sizeof(int),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(product->columns, product->host.columns, nonzeros * sizeof(int),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(product->values, product->host.values, nonzeros * sizeof(float),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(product->vectors[0], product->x, rows * sizeof(float), cudaMemcpyHostToDevice));
#if CUSPARSE_VERSION >= 12300 /* of CUDA 12.4 */
    CUSPARSE_CHECK(cusparseSpMV_preprocess(product->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                           product->matrix, product->described[0], &zero,
                                           product->described[1], CUDA_R_32F, ALGORITHM,
                                           product->scratch));
#endif
    product->pass = 0;
    product_passes(product, passes);
    CUDA_CHECK(cudaMemcpy(product->y, product->vectors[passes % 2], rows * sizeof(float),
                          cudaMemcpyDeviceToHost));
    return 0;
}

void product_destroy(struct product *product) {
    CUSPARSE_CHECK(cusparseDestroySpMat(product->matrix));
    for (int i = 0; i < 2; i++) {
        CUSPARSE_CHECK(cusparseDestroyDnVec(product->described[i]));
        CUDA_CHECK(cudaFree(product->vectors[i]));
    }
    CUSPARSE_CHECK(cusparseDestroy(product->handle));
    CUDA_CHECK(cudaFree(product->row_starts));
    CUDA_CHECK(cudaFree(product->columns));
    CUDA_CHECK(cudaFree(product->values));
    CUDA_CHECK(cudaFree(product->scratch));
    free(product);
}
