/* Two kernels, one the template of two more, whose shared arrays have one name and different
 * sizes. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

/* Adds the forces of the bodies first to last - 1, a tile of blockDim.x at a time. */
#define TILED                                                                                      \
    float3 force = {0, 0, 0};                                                                      \
    int width = blockDim.x, thread = threadIdx.x, i = blockIdx.x * width + thread;                 \
    for (; first < last; first += width) {                                                         \
        __syncthreads();                                                                           \
        if (first + thread < last)                                                                 \
            tile[thread] = positions[first + thread];                                              \
        __syncthreads();                                                                           \
        for (int j = 0; i < parameters.n && j < min(width, last - first); j++)                     \
            attract(&force, positions[i], tile[j], parameters.softening);                          \
    }                                                                                              \
    if (i < parameters.n)                                                                          \
    kick(&velocities[i], force, parameters.dt)

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters, int first, int last) {
    __shared__ float4 tile[32];
    TILED;
}

template <int WIDTH>
static __global__ void accelerate_wide(const float4 *positions, float4 *velocities,
                                       struct parameters parameters, int first, int last) {
    __shared__ float4 tile[WIDTH];
    TILED;
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int n = parameters.n;

    accelerate<<<(n + 31) / 32, 32>>>(positions, velocities, parameters, 0, n / 3);
    accelerate_wide<64><<<(n + 63) / 64, 64>>>(positions, velocities, parameters, n / 3, n / 2);
    accelerate_wide<192><<<(n + 191) / 192, 192>>>(positions, velocities, parameters, n / 2, n);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
