/* Step 10: positions, velocities, tile and differences in half; r^2, root and sums in float. */
#include <cuda_fp16.h>
#include <stdlib.h>

/* part 1, 1 line: What a coordinate is stored as. */
/* until solved */
typedef float number;
/* end of until solved */
/* end of part 1 */

#define NUMBER number /* of bodies.h */
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
    /* part 2, 1 line: The tile, in halves. */
    /* until solved */
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    /* end of until solved */
    /* end of part 2 */
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    __half x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            tile_x[slot] = bodies.x[from];
            tile_y[slot] = bodies.y[from];
            tile_z[slot] = bodies.z[from];
        }
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            /* part 3, 3 lines: The differences, in half; then floats. */
            /* until solved */
            float dx = 0, dy = 0, dz = 0;
            (void)&x, (void)&y, (void)&z, (void)&tile_x, (void)&tile_y, (void)&tile_z;
            /* end of until solved */
            /* end of part 3 */
            float distance_squared = dx * dx + dy * dy + dz * dz + softening;
            float inverse_distance = rsqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        __syncthreads();
    }
    if (i >= n)
        return;
    /* part 4, 3 lines: The change of velocity, rounded to what is stored. */
    /* until solved */
    (void)&dt;
    /* end of until solved */
    /* end of part 4 */
}

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    number dt = parameters.dt;
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
    size_t n = parameters->n, bytes = n * 6 * sizeof(number);
    number *host = (number *)malloc(bytes), *device;

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
    size_t bytes = parameters.n * 6 * sizeof(number);
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
