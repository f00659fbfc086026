/* A loop of goto, four bodies at a time by a switch that falls through. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int n = parameters.n, i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;
    float3 force = {0, 0, 0};

    if (i >= n)
        goto end;
again:
    switch (n - j) {
    default:
        attract(&force, positions[i], positions[j++], parameters.softening); /* fall through */
    case 3:
        attract(&force, positions[i], positions[j++], parameters.softening); /* fall through */
    case 2:
        attract(&force, positions[i], positions[j++], parameters.softening); /* fall through */
    case 1:
        attract(&force, positions[i], positions[j++], parameters.softening);
    }
    if (j < n)
        goto again;
    kick(&velocities[i], force, parameters.dt);
end:;
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + 63) / 64, 64>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
