/* Step 24 as textbooks have it: LANES threads per row, 1 or a warp. KERNEL names the kernel. */
#include "products.h"

__global__ void thread_a_row(struct csr_matrix a, const float *x, float *y) {
    int row = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;

    if (row >= a.rows)
        return;
    for (int k = a.row_starts[row]; k < a.row_starts[row + 1]; k++)
        sum += a.values[k] * x[a.columns[k]];
    y[row] = sum;
}

/* The same, with the part of x that belongs to the block's rows in shared memory. */
__global__ void thread_a_row_cached(struct csr_matrix a, const float *x, float *y) {
    __shared__ float cache[THREADS];
    int begin = blockIdx.x * THREADS, row = begin + threadIdx.x;
    float sum = 0;

    if (row < a.rows)
        cache[threadIdx.x] = x[row];
#ifdef NEIGHBOUR /* a row's end is the start of the next thread's */
    __shared__ int starts[THREADS + 1];

    if (row <= a.rows)
        starts[threadIdx.x] = a.row_starts[row];
    if (threadIdx.x == THREADS - 1 && row < a.rows)
        starts[THREADS] = a.row_starts[row + 1];
#endif
    __syncthreads();
    if (row >= a.rows)
        return;
#ifdef NEIGHBOUR
    int k = starts[threadIdx.x], end = starts[threadIdx.x + 1];
#else
    int k = a.row_starts[row], end = a.row_starts[row + 1];
#endif
    for (; k < end; k++) {
        int column = a.columns[k];
        bool is_cached = column >= begin && column < begin + THREADS;

        sum += a.values[k] * (is_cached ? cache[column - begin] : x[column]);
    }
    y[row] = sum;
}

__global__ void warp_a_row(struct csr_matrix a, const float *x, float *y) {
    int row = (blockIdx.x * THREADS + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    float sum = 0;

    if (row >= a.rows)
        return;
    for (int k = a.row_starts[row] + lane; k < a.row_starts[row + 1]; k += WARP)
        sum += a.values[k] * x[a.columns[k]];
    sum = sum_of_lanes(sum, WARP);
    if (lane == 0)
        y[row] = sum;
}

static void prepare(struct product *product) {
    (void)product;
}

static void multiply(const struct product *product, const float *x, float *y) {
    int blocks = divide_up(product->matrix.rows, THREADS / LANES);

    KERNEL<<<blocks, THREADS>>>(product->matrix, x, y);
    CUDA_CHECK(cudaGetLastError());
}

/* product_run, product_passes and product_destroy are those of products.h. */
struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y) {
    return create_product(matrix, x, y, 0);
}
