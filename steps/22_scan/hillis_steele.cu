/* Step 22, a scan of the textbook: log2 THREADS turns, in each of which all threads work (Hillis
 * and Steele 1986). */
#include "three_kernels.h" /* has scan_create and the rest of the contract */

template <typename Op> __device__ int scan_aggregates(int aggregates[VECTORS]) {
    __shared__ int x[THREADS];
    int t = threadIdx.x;

    x[t] = aggregates[0];
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        int left = t >= offset ? x[t - offset] : Op::nothing();
        __syncthreads(); /* all have read */
        x[t] = Op::of(left, x[t]);
        __syncthreads(); /* all have written */
    }
    aggregates[0] = t > 0 ? x[t - 1] : Op::nothing();
    return x[THREADS - 1];
}
