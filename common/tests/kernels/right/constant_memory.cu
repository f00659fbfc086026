/* The parameters in constant memory. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __constant__ struct parameters constants;

static __global__ void accelerate(const float4 *positions, float4 *velocities) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= constants.n)
        return;
    for (int j = 0; j < constants.n; j++)
        attract(&force, positions[i], positions[j], constants.softening);
    kick(&velocities[i], force, constants.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    CUDA_CHECK(cudaMemcpyToSymbol(constants, &parameters, sizeof parameters));
    accelerate<<<(parameters.n + 127) / 128, 128>>>(positions, velocities);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
