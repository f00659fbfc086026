/* Bodies as arrays of NUMBER that stay on the device: all of a step but update_velocities. */
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
    struct bodies host, device;
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
    size_t n = parameters->n, bytes = n * 6 * sizeof(NUMBER);
    NUMBER *host = (NUMBER *)malloc(bytes), *device;

    if (!simulation || !host) {
        free(simulation);
        free(host);
        return NULL;
    }
    CUDA_CHECK(cudaMalloc(&device, bytes));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = arrays(host, n);
    simulation->device = arrays(device, n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies host = simulation->host, device = simulation->device;
    size_t bytes = parameters.n * 6 * sizeof(NUMBER);
    int blocks = (parameters.n + THREADS - 1) / THREADS;

    transpose(host.x, &simulation->in->x, parameters.n, 6);
    CUDA_CHECK(cudaMemcpy(device.x, host.x, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host.x, device.x, bytes, cudaMemcpyDeviceToHost));
    transpose(&simulation->out->x, host.x, 6, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.x));
    free(simulation->host.x);
    free(simulation);
}

#endif
