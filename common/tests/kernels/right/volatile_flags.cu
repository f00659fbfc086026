/* Two warps share the sum over j; the first waits for the second by spinning on a flag. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define WARP 32

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ volatile float x[WARP], y[WARP], z[WARP];
    __shared__ volatile int ready[WARP];
    int n = parameters.n, lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int i = blockIdx.x * WARP + lane;
    float3 force = {0, 0, 0};

    if (warp == 0)
        ready[lane] = 0;
    __syncthreads();
    if (i >= n)
        return;
    for (int j = warp; j < n; j += 2)
        attract(&force, positions[i], positions[j], parameters.softening);
    if (warp == 1) {
        x[lane] = force.x;
        y[lane] = force.y;
        z[lane] = force.z;
        __threadfence_block();
        ready[lane] = 1;
        return;
    }
    while (!ready[lane])
        ;
    __threadfence_block();
    kick(&velocities[i], make_float3(force.x + x[lane], force.y + y[lane], force.z + z[lane]),
         parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + WARP - 1) / WARP, 2 * WARP>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
