/* The buffers `in` and `out` registered, and copied asynchronously as they are. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

#define OWN_HOST

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

static __global__ void update_positions(float4 *positions, const float4 *velocities,
                                        struct parameters parameters);

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out, *bodies;
    float4 *positions, *velocities;
    cudaStream_t stream;
};

static __global__ void split(const struct body *bodies, float4 *positions, float4 *velocities,
                             int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    positions[i] = make_float4(bodies[i].x, bodies[i].y, bodies[i].z, 0);
    velocities[i] = make_float4(bodies[i].vx, bodies[i].vy, bodies[i].vz, 0);
}

static __global__ void join(struct body *bodies, const float4 *positions, const float4 *velocities,
                            int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        bodies[i] = {positions[i].x,  positions[i].y,  positions[i].z,
                     velocities[i].x, velocities[i].y, velocities[i].z};
}

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= parameters.n)
        return;
    for (int j = 0; j < parameters.n; j++)
        attract(&force, positions[i], positions[j], parameters.softening);
    kick(&velocities[i], force, parameters.dt);
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    CUDA_CHECK(cudaHostRegister((void *)in, n * sizeof *in, cudaHostRegisterDefault));
    CUDA_CHECK(cudaHostRegister(out, n * sizeof *out, cudaHostRegisterDefault));
    CUDA_CHECK(cudaMalloc(&simulation->bodies, n * sizeof *in));
    CUDA_CHECK(cudaMalloc(&simulation->positions, n * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->velocities, n * sizeof(float4)));
    CUDA_CHECK(cudaStreamCreate(&simulation->stream));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct body *bodies = simulation->bodies;
    float4 *positions = simulation->positions, *velocities = simulation->velocities;
    cudaStream_t stream = simulation->stream;
    int n = parameters.n, blocks = (n + 127) / 128;
    size_t bytes = n * sizeof *bodies;

    CUDA_CHECK(cudaMemcpyAsync(bodies, simulation->in, bytes, cudaMemcpyHostToDevice, stream));
    split<<<blocks, 128, 0, stream>>>(bodies, positions, velocities, n);
    for (int iteration = 0; iteration < iterations; iteration++) {
        accelerate<<<blocks, 128, 0, stream>>>(positions, velocities, parameters);
        update_positions<<<blocks, 128, 0, stream>>>(positions, velocities, parameters);
    }
    join<<<blocks, 128, 0, stream>>>(bodies, positions, velocities, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(simulation->out, bodies, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream)); /* `out` is there */
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaHostUnregister((void *)simulation->in));
    CUDA_CHECK(cudaHostUnregister(simulation->out));
    CUDA_CHECK(cudaFree(simulation->bodies));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->velocities));
    CUDA_CHECK(cudaStreamDestroy(simulation->stream));
    free(simulation);
}
