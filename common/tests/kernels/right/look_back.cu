/* Blocks in a chain: each adds its part of the sum over j to what the one before it published.
 * It waits for that by spinning; tickets make sure that the one before has started. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 64
#define PARTS 4

static __global__ void accelerate(const float4 *positions, float4 *velocities, volatile float *sums,
                                  unsigned *tickets, volatile int *published,
                                  struct parameters parameters) {
    __shared__ int ticket;
    int n = parameters.n, part, i;
    float3 force = {0, 0, 0};

    if (threadIdx.x == 0)
        ticket = atomicAdd(tickets, 1);
    __syncthreads();
    i = ticket / PARTS * BLOCK + threadIdx.x;
    part = ticket % PARTS;
    if (i < n)
        for (int j = part; j < n; j += PARTS)
            attract(&force, positions[i], positions[j], parameters.softening);
    if (part > 0) {
        if (threadIdx.x == 0)
            while (!published[ticket - 1])
                ;
        __threadfence();
        __syncthreads();
        if (i < n) {
            force.x += sums[3 * i];
            force.y += sums[3 * i + 1];
            force.z += sums[3 * i + 2];
        }
    }
    if (part == PARTS - 1) {
        if (i < n)
            kick(&velocities[i], force, parameters.dt);
        return;
    }
    if (i < n) { /* for the next part */
        sums[3 * i] = force.x;
        sums[3 * i + 1] = force.y;
        sums[3 * i + 2] = force.z;
    }
    __threadfence(); /* the sums come first */
    __syncthreads();
    if (threadIdx.x == 0)
        published[ticket] = 1;
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int blocks = (parameters.n + BLOCK - 1) / BLOCK * PARTS;
    float *sums;
    unsigned *tickets; /* the ticket counter, then a flag a block */

    CUDA_CHECK(cudaMalloc(&sums, 3 * sizeof *sums * parameters.n));
    CUDA_CHECK(cudaMalloc(&tickets, (1 + blocks) * sizeof *tickets));
    CUDA_CHECK(cudaMemset(tickets, 0, (1 + blocks) * sizeof *tickets));
    accelerate<<<blocks, BLOCK>>>(positions, velocities, sums, tickets, (int *)tickets + 1,
                                  parameters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaFree(tickets));
    return 0;
}
