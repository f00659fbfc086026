/* Bodies as vectors, VECTOR, of positions and of velocities: the host's side of a simulation, in
 * memory that stays where it is, and on the device. */
#ifndef VECTORS_H
#define VECTORS_H

#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

typedef VECTOR vector; /* float4, or float3 */

struct bodies {
    vector *position, *velocity; /* in one piece of memory */
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
    int threads; /* per block */
};

/* The step's own: threads per block. */
static int threads_for(int n);

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t n = parameters->n, bytes = 2 * sizeof(vector) * n;
    vector *host, *device;

    if (!simulation)
        return NULL;
    CUDA_CHECK(cudaMallocHost(&host, bytes));
    CUDA_CHECK(cudaMalloc(&device, bytes));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = (struct bodies){host, host + n};
    simulation->device = (struct bodies){device, device + n};
    simulation->threads = threads_for(parameters->n);
    return simulation;
}

static inline void load(struct simulation *simulation) {
    struct bodies host = simulation->host;
    const struct body *in = simulation->in;
    int n = simulation->parameters.n;

    for (int i = 0; i < n; i++) {
        host.position[i] = (vector){in[i].x, in[i].y, in[i].z};
        host.velocity[i] = (vector){in[i].vx, in[i].vy, in[i].vz};
    }
    CUDA_CHECK(cudaMemcpy(simulation->device.position, host.position, 2 * sizeof(vector) * n,
                          cudaMemcpyHostToDevice));
}

static inline void store(struct simulation *simulation) {
    struct bodies host = simulation->host;
    int n = simulation->parameters.n;

    CUDA_CHECK(cudaMemcpy(host.position, simulation->device.position, 2 * sizeof(vector) * n,
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        vector position = host.position[i], velocity = host.velocity[i];

        simulation->out[i] =
            (struct body){position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};
    }
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.position));
    CUDA_CHECK(cudaFreeHost(simulation->host.position));
    free(simulation);
}

#endif
