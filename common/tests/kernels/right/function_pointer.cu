/* A kernel that is launched through a pointer. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

typedef void (*kernel)(const float4 *, float4 *, struct parameters);

/* Adds the forces of every second body, from the first or the second on. */
template <int START>
static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    for (int j = START; j < parameters.n; j += 2)
        attract(&force, positions[i], positions[j], parameters.softening);
    kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    const kernel halves[] = {accelerate<0>, accelerate<1>};

    for (int k = 0; k < 2; k++) {
        halves[k]<<<(parameters.n + 63) / 64, 64>>>(positions, velocities, parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    return 0;
}
