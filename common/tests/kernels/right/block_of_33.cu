/* Blocks of 33 threads: one full warp and a warp of one lane. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 33

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ float4 tile[BLOCK];
    int n = parameters.n, thread = threadIdx.x, i = blockIdx.x * BLOCK + thread;
    float4 position = positions[min(i, n - 1)];
    float3 force = {0, 0, 0};

    for (int first = 0; first < n; first += BLOCK) {
        tile[thread] = positions[min(first + thread, n - 1)];
        __syncthreads();
        for (int j = 0; j < min(BLOCK, n - first); j++)
            attract(&force, position, tile[j], parameters.softening);
        __syncthreads();
    }
    if (i < n)
        kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
