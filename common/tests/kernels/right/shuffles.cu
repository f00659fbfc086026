/* A warp a body: its lanes add their sums by shuffles. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128
#define WARP  32
#define ALL   0xffffffffu

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int lane = threadIdx.x % WARP, i = (blockIdx.x * BLOCK + threadIdx.x) / WARP;
    float3 force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    for (int j = lane; j < parameters.n; j += WARP)
        attract(&force, positions[i], positions[j], parameters.softening);
    for (int half = WARP / 2; half > 0; half /= 2) {
        force.x += __shfl_down_sync(ALL, force.x, half);
        force.y += __shfl_down_sync(ALL, force.y, half);
        force.z += __shfl_down_sync(ALL, force.z, half);
    }
    if (lane == 0)
        kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n * WARP + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities,
                                                                     parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
