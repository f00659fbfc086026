/* Fewer threads than bodies: each goes on by the size of the grid. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int n = parameters.n, stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float3 force = {0, 0, 0};

        for (int j = 0; j < n; j++)
            attract(&force, positions[i], positions[j], parameters.softening);
        kick(&velocities[i], force, parameters.dt);
    }
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<3, 64>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
