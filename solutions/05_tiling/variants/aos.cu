/* Step 05, variant aos: the bodies and the tile as arrays of structures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct body *device;
};

/* 1 / r^3, given r^2. */
__device__ static float inverse_cube(float distance_squared) {
    float inverse_distance = 1.0f / sqrtf(distance_squared);

    return inverse_distance * inverse_distance * inverse_distance;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body. */
__global__ void update_velocities(struct body *bodies, struct parameters parameters) {
    __shared__ struct body tile[THREADS];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            tile[slot].x = bodies[from].x;
            tile[slot].y = bodies[from].y;
            tile[slot].z = bodies[from].z;
        }
        __syncthreads();
        for (int j = 0; j < length; j++) {
            float dx = tile[j].x - x;
            float dy = tile[j].y - y;
            float dz = tile[j].z - z;
            float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);

            fx += dx * scale;
            fy += dy * scale;
            fz += dz * scale;
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    bodies[i].vx += dt * fx;
    bodies[i].vy += dt * fy;
    bodies[i].vz += dt * fz;
}

/* x += dt v for every body; only now, since all forces need the old positions. */
static void update_positions(struct body *bodies, struct parameters parameters) {
    float dt = parameters.dt;

    for (int i = 0; i < parameters.n; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);

    if (!simulation)
        return NULL;
    CUDA_CHECK(cudaMalloc(&simulation->device, parameters->n * sizeof *in));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct body *out = simulation->out, *device = simulation->device;
    size_t bytes = parameters.n * sizeof *out;
    int blocks = (parameters.n + THREADS - 1) / THREADS;

    memcpy(out, simulation->in, bytes);
    for (int iteration = 0; iteration < iterations; iteration++) {
        CUDA_CHECK(cudaMemcpy(device, out, bytes, cudaMemcpyHostToDevice));
        update_velocities<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(out, device, bytes, cudaMemcpyDeviceToHost));
        update_positions(out, parameters);
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device));
    free(simulation);
}
