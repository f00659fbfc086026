/* Bodies as arrays of NUMBER that stay on the device: everything of a step except
 * update_velocities. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <stdlib.h>

#include "bodies.h"
#include "cuda_check.h"
#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    NUMBER *host, *device; /* memory for n bodies each */
};

/* The file's own: v += dt F for every body, in blocks of THREADS threads, one thread per body. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters);

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    NUMBER dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    bodies.x[i] += dt * bodies.vx[i];
    bodies.y[i] += dt * bodies.vy[i];
    bodies.z[i] += dt * bodies.vz[i];
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t bytes = parameters->n * 6 * sizeof(NUMBER);

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    host_malloc(&simulation->host, bytes);
    CUDA_CHECK(cudaMalloc(&simulation->device, bytes));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    NUMBER *host = simulation->host, *device = simulation->device;
    size_t bytes = parameters.n * 6 * sizeof(NUMBER);
    int threads = THREADS, blocks = (parameters.n + threads - 1) / threads;

    load(host, simulation->in, parameters.n);
    CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, threads>>>(arrays(device, parameters.n), parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, threads>>>(arrays(device, parameters.n), parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    store(simulation->out, host, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device));
    free(simulation->host);
    free(simulation);
}

#endif
