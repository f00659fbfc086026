/* A structure as the argument, with the host's pointers in it, which the kernel leaves alone. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

struct work {
    struct parameters parameters;
    struct {
        const float4 *positions;
        float4 *velocities;
    } device;
    struct {
        const struct parameters *parameters;
        char *name;
    } host;
};

static __global__ void accelerate(struct work work) {
    int n = work.parameters.n, i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= n)
        return;
    while (work.parameters.n-- > 0) /* a thread's parameters are its own */
        attract(&force, work.device.positions[i], work.device.positions[work.parameters.n],
                work.parameters.softening);
    kick(&work.device.velocities[i], force, work.parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    char name[] = "of the host";
    struct work work = {parameters, {positions, velocities}, {&parameters, name}};

    accelerate<<<(parameters.n + 127) / 128, 128>>>(work);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
