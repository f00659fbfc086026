/* Blocks of one thread. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    for (int j = 0; j < parameters.n; j++)
        attract(&force, positions[i], positions[j], parameters.softening);
    kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<parameters.n, 1>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
