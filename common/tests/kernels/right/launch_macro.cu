/* A launch inside a macro, and device code inside another. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define LAUNCH(kernel, threads, block, ...)                                                        \
    do {                                                                                           \
        kernel<<<((threads) + (block)-1) / (block), block>>>(__VA_ARGS__);                         \
        CUDA_CHECK(cudaGetLastError());                                                            \
    } while (0)
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define SUM(total, count, ...)                                                                     \
    for (int j = 0; j < (count); j++)                                                              \
    attract(&(total), __VA_ARGS__, parameters.softening)

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    float3 force = {0, 0, 0};
    int i = THREAD;

    if (i >= parameters.n)
        return;
    SUM(force, parameters.n, positions[i], positions[j]);
    kick(&velocities[i], force, parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    LAUNCH(accelerate, parameters.n, 128, positions, velocities, parameters);
    return 0;
}
