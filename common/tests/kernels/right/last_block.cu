/* The blocks of a column share out the sum over j; the last to be done adds their parts. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK      64
#define PARTS      4
#define MOST_GRIDS 1024

static __device__ unsigned done[MOST_GRIDS]; /* 0 again after every launch: atomicInc wraps */

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  volatile float *parts, struct parameters parameters) {
    __shared__ bool last;
    int n = parameters.n, i = blockIdx.x * BLOCK + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i < n) {
        volatile float *part = parts + 3 * (blockIdx.y * n + i);

        for (int j = blockIdx.y; j < n; j += PARTS)
            attract(&force, positions[i], positions[j], parameters.softening);
        part[0] = force.x;
        part[1] = force.y;
        part[2] = force.z;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&done[blockIdx.x], PARTS - 1) == PARTS - 1;
    __syncthreads();
    if (!last || i >= n)
        return;
    force = make_float3(0, 0, 0);
    for (int k = 0; k < PARTS; k++) {
        force.x += parts[3 * (k * n + i)];
        force.y += parts[3 * (k * n + i) + 1];
        force.z += parts[3 * (k * n + i) + 2];
    }
    kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int blocks = (parameters.n + BLOCK - 1) / BLOCK;
    float *parts;

    if (blocks > MOST_GRIDS)
        return 1;
    CUDA_CHECK(cudaMalloc(&parts, 3 * PARTS * sizeof *parts * parameters.n));
    accelerate<<<dim3(blocks, PARTS), BLOCK>>>(positions, velocities, parts, parameters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(parts));
    return 0;
}
