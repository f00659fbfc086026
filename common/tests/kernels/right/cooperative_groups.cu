/* Cooperative groups: the block and its warps. */
#include <cooperative_groups.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128
#define WARP  32

namespace groups = cooperative_groups;

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ float4 tile[BLOCK];
    groups::thread_block block = groups::this_thread_block();
    groups::thread_block_tile<WARP> warp = groups::tiled_partition<WARP>(block);
    int n = parameters.n, thread = block.thread_rank(), lane = warp.thread_rank();
    int i = blockIdx.x * (BLOCK / WARP) + thread / WARP;
    float3 force = {0, 0, 0};

    for (int first = 0; first < n; first += BLOCK) {
        if (first + thread < n)
            tile[thread] = positions[first + thread];
        block.sync();
        for (int j = lane; i < n && j < min(BLOCK, n - first); j += WARP)
            attract(&force, positions[i], tile[j], parameters.softening);
        groups::sync(block);
    }
    for (int half = warp.size() / 2; half > 0; half /= 2) {
        force.x += warp.shfl_xor(force.x, half);
        force.y += warp.shfl_xor(force.y, half);
        force.z += warp.shfl_xor(force.z, half);
    }
    if (lane == 0 && i < n)
        kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n * WARP + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities,
                                                                     parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
