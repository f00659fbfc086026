/* All blocks wait for each other between two halves of a kernel; each has room. Thread i sums up
 * the force on one body and moves another one. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128

/* `arrived` counts the blocks of one launch. */
static __device__ void wait_for_grid(unsigned *arrived) {
    __threadfence(); /* what was written before it */
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
    }
    __threadfence(); /* what is read after it */
    __syncthreads();
}

static __global__ void accelerate(const float4 *positions, float4 *velocities, float3 *forces,
                                  unsigned *arrived, struct parameters parameters) {
    int n = parameters.n, threads = gridDim.x * BLOCK, first = blockIdx.x * BLOCK + threadIdx.x;

    for (int i = first; i < n; i += threads) {
        float3 force = {0, 0, 0};

        for (int j = 0; j < n; j++)
            attract(&force, positions[i], positions[j], parameters.softening);
        forces[n - 1 - i] = force;
    }
    wait_for_grid(arrived);
    for (int i = first; i < n; i += threads)
        kick(&velocities[i], forces[n - 1 - i], parameters.dt);
    wait_for_grid(arrived + 1);
    for (int i = first; i < n; i += threads)
        kick(&velocities[n - 1 - i], forces[i], 0);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int blocks, multiprocessors, most;
    float3 *forces;
    unsigned *arrived;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, accelerate, BLOCK, 0));
    most = blocks * multiprocessors;
    blocks = (parameters.n + BLOCK - 1) / BLOCK;
    CUDA_CHECK(cudaMalloc(&forces, parameters.n * sizeof *forces));
    CUDA_CHECK(cudaMalloc(&arrived, 2 * sizeof *arrived));
    CUDA_CHECK(cudaMemset(arrived, 0, 2 * sizeof *arrived));
    blocks = blocks < most ? blocks : most;
    accelerate<<<blocks, BLOCK>>>(positions, velocities, forces, arrived, parameters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(forces));
    CUDA_CHECK(cudaFree(arrived));
    return 0;
}
