/* A loop over j unrolled by a template that is its own recursion. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

template <int COUNT> struct attraction {
    static __device__ void add(float3 *force, float4 position, const float4 *others,
                               float softening) {
        attract(force, position, others[0], softening);
        attraction<COUNT - 1>::add(force, position, others + 1, softening);
    }
};
template <> struct attraction<0> {
    static __device__ void add(float3 *, float4, const float4 *, float) {
    }
};

template <int BLOCK, int AT_ONCE = BLOCK / 16>
static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int n = parameters.n, i = blockIdx.x * BLOCK + threadIdx.x, j = 0;
    float3 force = {0, 0, 0};

    if (i >= n)
        return;
    for (; j + AT_ONCE <= n; j += AT_ONCE)
        attraction<AT_ONCE>::add(&force, positions[i], positions + j, parameters.softening);
    for (; j < n; j++)
        attraction<1>::add(&force, positions[i], positions + j, parameters.softening);
    kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<128><<<(parameters.n + 127) / 128, 128>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
