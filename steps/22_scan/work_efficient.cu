/* Step 22, a scan of the textbook: up a tree of aggregates, and down again with what lies before
 * each of its nodes (Blelloch 1990). */
#include "three_kernels.h" /* has scan_create and the rest of the contract */

/* A word of padding in 32 keeps strides of 2^d off one bank. */
#define AT(i) ((i) + PADDED * (i) / WARP)

template <typename Op> __device__ int scan_aggregates(int aggregates[VECTORS]) {
    __shared__ int x[AT(THREADS)];
    int t = threadIdx.x, aggregate;

    x[AT(t)] = aggregates[0];
    for (int d = 1; d < THREADS; d *= 2) {
        int right = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (right < THREADS)
            x[AT(right)] = Op::of(x[AT(right - d)], x[AT(right)]);
    }
    __syncthreads();
    aggregate = x[AT(THREADS - 1)];
    __syncthreads();
    if (t == 0)
        x[AT(THREADS - 1)] = Op::nothing();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        int right = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (right < THREADS) {
            int left = x[AT(right - d)];
            x[AT(right - d)] = x[AT(right)];
            x[AT(right)] = Op::of(x[AT(right)], left);
        }
    }
    __syncthreads();
    aggregates[0] = x[AT(t)];
    return aggregate;
}
