/* Tiles in registers: each lane loads a body, votes tell which lanes have one, and shuffles
 * show it to the others. Lanes beyond the last body stay until their warp is done. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 96
#define WARP  32
#define ALL   0xffffffffu

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int n = parameters.n, i = blockIdx.x * BLOCK + threadIdx.x, j = threadIdx.x % WARP;
    float4 position = positions[min(i, n - 1)];
    float3 force = {0, 0, 0};

    for (; __any_sync(ALL, j < n); j += WARP) {
        unsigned present = __ballot_sync(ALL, j < n);
        float4 mine = positions[min(j, n - 1)];

        for (; present; present &= present - 1) {
            int lane = __ffs(present) - 1;
            float4 other =
                make_float4(__shfl_sync(ALL, mine.x, lane), __shfl_sync(ALL, mine.y, lane),
                            __shfl_sync(ALL, mine.z, lane), 0);

            attract(&force, position, other, parameters.softening);
        }
    }
    if (i < n)
        kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
