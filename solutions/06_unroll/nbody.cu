/* Step 06: the loop over a tile unrolled. */
#include <math.h>
#include <stdlib.h>

#include "bodies.h"
#include "cuda_check.h"
#include "nbody.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
};

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body.
 * A tile has as many bodies as a block has threads. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    float x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            tile_x[slot] = bodies.x[from];
            tile_y[slot] = bodies.y[from];
            tile_z[slot] = bodies.z[from];
        }
        __syncthreads();
        /* part 1, 1 line: The loop unrolled as often as the variant says. */
#pragma unroll unroll
        /* end of part 1 */
        for (int j = 0; j < length; j++) {
            float dx = tile_x[j] - x;
            float dy = tile_y[j] - y;
            float dz = tile_z[j] - z;
            float distance_squared = dx * dx + dy * dy + dz * dz + softening;
            float inverse_distance = 1.0f / sqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        __syncthreads();
    }
    if (i >= n)
        return;
    bodies.vx[own] += dt * fx;
    bodies.vy[own] += dt * fy;
    bodies.vz[own] += dt * fz;
}

/* x += dt v for every body; only now, since all forces need the old positions. */
static void update_positions(struct bodies bodies, struct parameters parameters) {
    float dt = parameters.dt;

    for (int i = 0; i < parameters.n; i++) {
        bodies.x[i] += dt * bodies.vx[i];
        bodies.y[i] += dt * bodies.vy[i];
        bodies.z[i] += dt * bodies.vz[i];
    }
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t n = parameters->n, bytes = n * sizeof *in;
    float *host = (float *)malloc(bytes), *device;

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
    size_t bytes = parameters.n * sizeof(struct body);
    int blocks = (parameters.n + THREADS - 1) / THREADS;

    transpose(host.x, &simulation->in->x, parameters.n, 6);
    for (int iteration = 0; iteration < iterations; iteration++) {
        CUDA_CHECK(cudaMemcpy(device.x, host.x, bytes, cudaMemcpyHostToDevice));
        update_velocities<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(host.x, device.x, bytes, cudaMemcpyDeviceToHost));
        update_positions(host, parameters);
    }
    transpose(&simulation->out->x, host.x, 6, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.x));
    free(simulation->host.x);
    free(simulation);
}
