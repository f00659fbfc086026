/* Step 05: the threads of a block load the bodies j by tiles into shared memory. */
#include <math.h>
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

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body.
 * A tile has as many bodies as a block has threads. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    /* part 1, 1 line: Room for the coordinates of a tile, in the memory that a block shares. */
    /* until solved */
    float tile_x[THREADS] = {0}, tile_y[THREADS] = {0}, tile_z[THREADS] = {0};
    /* end of until solved */
    /* end of part 1 */
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    /* part 2, 1 line: The own body; for a thread beyond the last body, that one. */
    /* until solved */
    int own = 0;
    /* end of until solved */
    /* end of part 2 */
    float x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += THREADS) {
        /* part 3, 1 line: How many bodies this tile has: THREADS, or what is left. */
        /* until solved */
        int length = 0;
        /* end of until solved */
        /* end of part 3 */
        int slot = threadIdx.x, from = start + slot;

        /* part 4, 5 lines: Each thread loads one body of the tile, if there is one. */
        /* until solved */
        (void)&from;
        /* end of until solved */
        /* end of part 4 */
        /* part 5, 1 line: No thread may read the tile before all have loaded. */
        /* end of part 5 */
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
        /* part 6, 1 line: No thread may load the next tile before all have read this one. */
        /* end of part 6 */
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
