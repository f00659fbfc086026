/* What all programs that multiply a sparse matrix share: a sum over lanes, the arrays on the
 * device, and the functions of the contract except product_create. THREADS is a macro: the threads
 * per block. */
#ifndef PRODUCTS_H
#define PRODUCTS_H

#include <stdlib.h>

#include "cuda_check.h"
#include "spmv.h"

/* Threads that registers shall leave room for on a multiprocessor, which has 2048, 1024 or 1536. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900)
#define RESIDENT 1792
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define RESIDENT 1024
#else
#define RESIDENT 1536
#endif

enum { WARP = 32, WARPS = THREADS / WARP };

static const unsigned ALL = 0xffffffff;

/* The sum over a group of lanes, a power of two; each of them has it. */
static __device__ inline float sum_of_lanes(float mine, int lanes) {
    for (int half = lanes / 2; half > 0; half /= 2)
        mine += __shfl_xor_sync(ALL, mine, half);
    return mine;
}

struct product {
    struct csr_matrix host, matrix; /* the input; its copy on the device */
    const float *x;
    float *y;
    float *vectors[2]; /* pass p goes from [p % 2] to the other one */
    int pass;
    int tiles;      /* that hold all rows + nonzeros items; 0 without tiles */
    int *tile_rows; /* tiles + 1: how many rows end before the tile */
    float *carries; /* one per tile: its part of the row that goes on in the next tile */
};

/* Each program defines these two: what depends on the matrix alone; and y = A x. */
static void prepare(struct product *product);
static void multiply(const struct product *product, const float *x, float *y);

static inline int divide_up(int a, int b) {
    return a / b + (a % b > 0);
}

template <typename T> static T *allocate(size_t count) {
    T *memory;

    CUDA_CHECK(cudaMalloc(&memory, max(count, (size_t)1) * sizeof(T)));
    return memory;
}

template <typename T> static void copy_in(const T *to, const T *from, size_t count) {
    CUDA_CHECK(cudaMemcpy((void *)to, from, count * sizeof(T), cudaMemcpyHostToDevice));
}

/* `tile`: items of a tile; 0 without tiles. */
static inline struct product *create_product(const struct csr_matrix *matrix, const float *x,
                                             float *y, int tile) {
    struct product *product = (struct product *)calloc(1, sizeof *product);
    size_t rows = matrix->rows, nonzeros = matrix->nonzeros;

    if (!product)
        return NULL;
    product->host = product->matrix = *matrix;
    product->x = x;
    product->y = y;
    product->matrix.row_starts = allocate<int>(rows + 1);
    product->matrix.columns = allocate<int>(nonzeros);
    product->matrix.values = allocate<float>(nonzeros);
    product->vectors[0] = allocate<float>(rows);
    product->vectors[1] = allocate<float>(rows);
    if (tile) {
        product->tiles = divide_up(matrix->rows + matrix->nonzeros, tile);
        product->tile_rows = allocate<int>(product->tiles + 1);
        product->carries = allocate<float>(product->tiles);
    }
    return product;
}

void product_passes(struct product *product, int passes) {
    for (; passes > 0; passes--, product->pass++)
        multiply(product, product->vectors[product->pass % 2],
                 product->vectors[(product->pass + 1) % 2]);
}

int product_run(struct product *product, int passes) {
    const struct csr_matrix *from = &product->host, *to = &product->matrix;

    if (from->rows == 0)
        return 0;
    copy_in(to->row_starts, from->row_starts, from->rows + 1);
    copy_in(to->columns, from->columns, from->nonzeros);
    copy_in(to->values, from->values, from->nonzeros);
    copy_in(product->vectors[0], product->x, from->rows);
    prepare(product);
    product->pass = 0;
    product_passes(product, passes);
    CUDA_CHECK(cudaMemcpy(product->y, product->vectors[passes % 2], from->rows * sizeof(float),
                          cudaMemcpyDeviceToHost));
    return 0;
}

void product_destroy(struct product *product) {
    CUDA_CHECK(cudaFree((void *)product->matrix.row_starts));
    CUDA_CHECK(cudaFree((void *)product->matrix.columns));
    CUDA_CHECK(cudaFree((void *)product->matrix.values));
    CUDA_CHECK(cudaFree(product->vectors[0]));
    CUDA_CHECK(cudaFree(product->vectors[1]));
    CUDA_CHECK(cudaFree(product->tile_rows));
    CUDA_CHECK(cudaFree(product->carries));
    free(product);
}

#endif
