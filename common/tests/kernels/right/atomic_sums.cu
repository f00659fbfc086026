/* Blocks share out the sum over j and add in global memory: in units of 2^-24 the sums are whole
 * numbers, so that no order of the additions changes them. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define UNIT  16777216.0
#define PARTS 3

static __global__ void sum(const float4 *positions, double *sums, struct parameters parameters) {
    int n = parameters.n, i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= n)
        return;
    for (int j = blockIdx.y; j < n; j += PARTS)
        attract(&force, positions[i], positions[j], parameters.softening);
    atomicAdd(&sums[i], rint(force.x * UNIT));
    atomicAdd(&sums[n + i], rint(force.y * UNIT));
    atomicAdd(&sums[2 * n + i], rint(force.z * UNIT));
}

static __global__ void accelerate(const double *sums, float4 *velocities,
                                  struct parameters parameters) {
    int n = parameters.n, i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        kick(&velocities[i],
             make_float3(sums[i] / UNIT, sums[n + i] / UNIT, sums[2 * n + i] / UNIT),
             parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    size_t bytes = 3 * sizeof(double) * parameters.n;
    int blocks = (parameters.n + 63) / 64;
    double *sums;

    CUDA_CHECK(cudaMalloc(&sums, bytes));
    CUDA_CHECK(cudaMemset(sums, 0, bytes));
    sum<<<dim3(blocks, PARTS), 64>>>(positions, sums, parameters);
    CUDA_CHECK(cudaGetLastError());
    accelerate<<<blocks, 64>>>(sums, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(sums));
    return 0;
}
