/* Two streams, each with the forces on half of the bodies; events keep them in order. */
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
    struct body *out;
    float4 *host; /* pinned: n positions, then n velocities */
    float4 *positions, *velocities;
    cudaStream_t streams[2];
    cudaEvent_t done[2]; /* what the stream has been given so far */
};

/* Kicks `count` bodies from `first` on. */
static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters, int first, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = {0, 0, 0};

    if (i >= count)
        return;
    i += first;
    for (int j = 0; j < parameters.n; j++)
        attract(&force, positions[i], positions[j], parameters.softening);
    kick(&velocities[i], force, parameters.dt);
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t bytes = (size_t)parameters->n * sizeof(float4);

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    CUDA_CHECK(cudaMallocHost(&simulation->host, 2 * bytes));
    CUDA_CHECK(cudaMalloc(&simulation->positions, bytes));
    CUDA_CHECK(cudaMalloc(&simulation->velocities, bytes));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&simulation->streams[k], cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&simulation->done[k], cudaEventDisableTiming));
    }
    return simulation;
}

/* From here on, stream `waiting` waits for all that the other one has been given. */
static void wait_for_other(struct simulation *simulation, int waiting) {
    cudaEvent_t done = simulation->done[1 - waiting];

    CUDA_CHECK(cudaEventRecord(done, simulation->streams[1 - waiting]));
    CUDA_CHECK(cudaStreamWaitEvent(simulation->streams[waiting], done, 0));
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    const struct body *in = simulation->in;
    float4 *host = simulation->host, *positions = simulation->positions;
    float4 *velocities = simulation->velocities;
    cudaStream_t *streams = simulation->streams;
    int n = parameters.n, halves[] = {n / 2, n - n / 2};
    size_t bytes = n * sizeof(float4);

    for (int i = 0; i < n; i++) {
        host[i] = make_float4(in[i].x, in[i].y, in[i].z, 0);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
    }
    CUDA_CHECK(cudaMemcpyAsync(positions, host, bytes, cudaMemcpyHostToDevice, streams[0]));
    CUDA_CHECK(cudaMemcpyAsync(velocities, host + n, bytes, cudaMemcpyHostToDevice, streams[1]));
    wait_for_other(simulation, 0); /* for the velocities */
    wait_for_other(simulation, 1); /* for the positions */
    for (int iteration = 0; iteration < iterations; iteration++) {
        for (int k = 0; k < 2; k++)
            accelerate<<<n / 128 + 1, 64, 0, streams[k]>>>(positions, velocities, parameters,
                                                           k * halves[0], halves[k]);
        wait_for_other(simulation, 0); /* for the second half */
        update_positions<<<(n + 63) / 64, 64, 0, streams[0]>>>(positions, velocities, parameters);
        CUDA_CHECK(cudaGetLastError());
        wait_for_other(simulation, 1); /* for the new positions */
    }
    CUDA_CHECK(cudaMemcpyAsync(host, positions, bytes, cudaMemcpyDeviceToHost, streams[0]));
    CUDA_CHECK(cudaMemcpyAsync(host + n, velocities, bytes, cudaMemcpyDeviceToHost, streams[1]));
    CUDA_CHECK(cudaStreamSynchronize(streams[0]));
    CUDA_CHECK(cudaStreamSynchronize(streams[1]));
    for (int i = 0; i < n; i++) {
        const float4 position = host[i], velocity = host[n + i];

        simulation->out[i] = {position.x, position.y, position.z,
                              velocity.x, velocity.y, velocity.z};
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaStreamDestroy(simulation->streams[k]));
        CUDA_CHECK(cudaEventDestroy(simulation->done[k]));
    }
    CUDA_CHECK(cudaFreeHost(simulation->host));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->velocities));
    free(simulation);
}
