/* Threads that fetch their bodies from a queue: its head is a variable in device memory. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __device__ unsigned head;

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int i;

    while ((i = atomicAdd(&head, 1)) < parameters.n) {
        float3 force = {0, 0, 0};

        for (int j = 0; j < parameters.n; j++)
            attract(&force, positions[i], positions[j], parameters.softening);
        kick(&velocities[i], force, parameters.dt);
    }
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    unsigned zero = 0;

    CUDA_CHECK(cudaMemcpyToSymbol(head, &zero, sizeof zero));
    accelerate<<<2, 96>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
