/* Step 22 in three kernels: the lanes of a warp by shuffles, as in one pass, and no look-back. */
#include "three_kernels.h" /* has scan_create and the rest of the contract */

template <typename Op> __device__ int scan_totals(int totals[VECTORS]) {
    __shared__ int of_warps[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int of_warp = Op::nothing(), before = Op::nothing(), total = Op::nothing();

#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        for (int k = 0; k < VECTORS; k++) {
            int left = __shfl_up_sync(ALL_LANES, totals[k], d);
            totals[k] = lane >= d ? Op::of(left, totals[k]) : totals[k];
        }
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int left = __shfl_up_sync(ALL_LANES, totals[k], 1);
        int last = __shfl_sync(ALL_LANES, totals[k], WARP - 1);
        totals[k] = Op::of(of_warp, lane > 0 ? left : Op::nothing());
        of_warp = Op::of(of_warp, last);
    }
    if (lane == 0)
        of_warps[warp] = of_warp;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
        before = w == warp ? total : before;
        total = Op::of(total, of_warps[w]);
    }
    for (int k = 0; k < VECTORS; k++)
        totals[k] = Op::of(before, totals[k]);
    return total;
}
