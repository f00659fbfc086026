/* Step 04: the bodies as a structure of arrays. */
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

/* All bodies: an array of n floats for each component. */
struct bodies {
    float *x, *y, *z, *vx, *vy, *vz;
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
};

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    /* part 1, 1 line: The coordinates of the thread's own body. */
    /* until solved */
    float x = 0, y = 0, z = 0;
    (void)&bodies;
    /* end of until solved */
    /* end of part 1 */

    for (int j = 0; j < n; j++) {
        /* part 2, 3 lines: From the own body to body j. */
        /* until solved */
        float dx = -x, dy = -y, dz = -z;
        /* end of until solved */
        /* end of part 2 */
        float distance_squared = dx * dx + dy * dy + dz * dz + softening;
        float inverse_distance = 1.0f / sqrtf(distance_squared);
        float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

        fx += dx * inverse_cube;
        fy += dy * inverse_cube;
        fz += dz * inverse_cube;
    }
    /* part 3, 3 lines: The change of velocity. */
    /* until solved */
    (void)&dt;
    /* end of until solved */
    /* end of part 3 */
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

/* The six arrays in one piece of memory. */
static struct bodies arrays(float *memory, size_t n) {
    /* part 4, 2 lines: Where the six arrays of n floats begin. */
    /* until solved */
    struct bodies bodies = {memory, memory, memory, memory, memory, memory};
    (void)&n;
    /* end of until solved */
    /* end of part 4 */
    return bodies;
}

/* An array of structures is a matrix of n rows, a body each; the arrays are its columns. */
static void transpose(float *to, const float *from, int rows, int columns) {
    /* part 5, 3 lines: Each row of the one is a column of the other. */
    /* until solved */
    (void)&to, (void)&from, (void)&rows, (void)&columns;
    /* end of until solved */
    /* end of part 5 */
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
