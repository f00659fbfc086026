/* A device function that calls itself: pairwise summation. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __device__ float3 sum(const float4 *others, int count, float4 position, float softening) {
    float3 force = {0, 0, 0}, rest;

    if (count == 1) {
        attract(&force, position, others[0], softening);
        return force;
    }
    force = sum(others, count / 2, position, softening);
    rest = sum(others + count / 2, count - count / 2, position, softening);
    return make_float3(force.x + rest.x, force.y + rest.y, force.z + rest.z);
}

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < parameters.n)
        kick(&velocities[i], sum(positions, parameters.n, positions[i], parameters.softening),
             parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + 63) / 64, 64>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
