/* A warp a body: its lanes add their sums in shared memory, with __syncwarp and no barrier. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128
#define WARP  32

static __device__ float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ float3 sums[BLOCK];
    int lane = threadIdx.x % WARP, i = (blockIdx.x * BLOCK + threadIdx.x) / WARP;
    float3 *sum = &sums[threadIdx.x], force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    for (int j = lane; j < parameters.n; j += WARP)
        attract(&force, positions[i], positions[j], parameters.softening);
    *sum = force; /* the lane's */
    for (int half = WARP / 2; half > 0; half /= 2) {
        __syncwarp(); /* all lanes have written */
        if (lane < half)
            *sum = *sum + sum[half];
    }
    if (lane == 0)
        kick(&velocities[i], *sum, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n * WARP + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities,
                                                                     parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
