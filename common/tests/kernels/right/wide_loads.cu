/* Loads of 16 bytes through the read-only cache. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

__launch_bounds__(64) static __global__
    void accelerate(const float4 *positions, float4 *velocities, struct parameters parameters) {
    const float4 *__restrict__ others = positions;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    float4 position = __ldg(&others[i]);
#pragma unroll 4
    for (int j = 0; j < parameters.n; j++)
        attract(&force, position, __ldg(others + j), parameters.softening);
    kick(velocities + i, force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + 63) / 64, 64>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
