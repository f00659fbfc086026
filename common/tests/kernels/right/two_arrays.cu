/* Dynamic shared memory carved into two arrays of different types. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    extern __shared__ float4 memory[];
    float4 *tile = memory;
    int *index = (int *)(tile + blockDim.x); /* of each body in the tile */
    int n = parameters.n, width = blockDim.x, thread = threadIdx.x;
    int i = blockIdx.x * width + thread;
    float3 force = {0, 0, 0};

    for (int first = 0; first < n; first += width) {
        __syncthreads();
        index[thread] = first + thread;
        if (first + thread < n)
            tile[thread] = positions[first + thread];
        __syncthreads();
        for (int j = 0; i < n && j < width && index[j] < n; j++)
            attract(&force, positions[i], tile[j], parameters.softening);
    }
    if (i < n)
        kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    const int width = 64;
    const size_t bytes = width * (sizeof(float4) + sizeof(int));

    accelerate<<<(parameters.n + width - 1) / width, width, bytes>>>(positions, velocities,
                                                                     parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
