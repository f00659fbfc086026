/* Step 22 in three kernels: the lanes of a warp scan by shuffles, as in one pass, and there is no
 * look-back. The shuffles repeat the step's code, since a header of the kit would give away what
 * its learners write. */
#include "three_kernels.h" /* has scan_create and the rest of the contract */

template <typename Op> __device__ int scan_aggregates(int aggregates[VECTORS]) {
    __shared__ int warp_aggregates[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int warp_aggregate = Op::nothing(), before = Op::nothing(), aggregate = Op::nothing();

#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        for (int k = 0; k < VECTORS; k++) {
            int left = __shfl_up_sync(ALL_LANES, aggregates[k], d);
            aggregates[k] = lane >= d ? Op::of(left, aggregates[k]) : aggregates[k];
        }
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int left = __shfl_up_sync(ALL_LANES, aggregates[k], 1);
        int last = __shfl_sync(ALL_LANES, aggregates[k], WARP - 1);
        aggregates[k] = Op::of(warp_aggregate, lane > 0 ? left : Op::nothing());
        warp_aggregate = Op::of(warp_aggregate, last);
    }
    if (lane == 0)
        warp_aggregates[warp] = warp_aggregate;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
        before = w == warp ? aggregate : before;
        aggregate = Op::of(aggregate, warp_aggregates[w]);
    }
    for (int k = 0; k < VECTORS; k++)
        aggregates[k] = Op::of(before, aggregates[k]);
    return aggregate;
}
