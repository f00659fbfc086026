/* As NVIDIA's sample nbody computes forces (CUDA samples, bodysystemcuda.cu): tiles of as many
 * float4 as a block has threads, whose size the launch gives, and the softening in constant memory.
 * Its tail is mended: what is behind the last body has no mass. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void kick(float4 *velocity, float3 force, float dt);

static __constant__ float softening_squared;

static __device__ float3 interact(float3 acceleration, float4 own, float4 other) {
    float3 r = {other.x - own.x, other.y - own.y, other.z - own.z};
    float distance_squared = r.x * r.x + r.y * r.y + r.z * r.z + softening_squared;
    float inverse_distance = 1.0f / sqrtf(distance_squared);
    float s = other.w * inverse_distance * inverse_distance * inverse_distance;

    acceleration.x += r.x * s;
    acceleration.y += r.y * s;
    acceleration.z += r.z * s;
    return acceleration;
}

static __device__ float3 sum_of_tiles(float4 own, const float4 *positions, int n) {
    extern __shared__ float4 tile[];
    float3 acceleration = {0.0f, 0.0f, 0.0f};

    for (int number = 0; number * (int)blockDim.x < n; number++) {
        int from = number * blockDim.x + threadIdx.x;

        tile[threadIdx.x] = from < n ? positions[from] : make_float4(0, 0, 0, 0);
        tile[threadIdx.x].w = from < n;
        __syncthreads();
#pragma unroll 128
        for (unsigned j = 0; j < blockDim.x; j++)
            acceleration = interact(acceleration, own, tile[j]);
        __syncthreads();
    }
    return acceleration;
}

static __global__ void accelerate(const float4 *positions, float4 *velocities, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 acceleration = sum_of_tiles(positions[i < n ? i : n - 1], positions, n);

    if (i < n)
        kick(&velocities[i], acceleration, dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int block = 256, blocks = (parameters.n + block - 1) / block;

    CUDA_CHECK(cudaMemcpyToSymbol(softening_squared, &parameters.softening, sizeof(float)));
    accelerate<<<blocks, block, block * sizeof(float4)>>>(positions, velocities, parameters.n,
                                                          parameters.dt);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
