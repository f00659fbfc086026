/* Step 04: the bodies as a structure of arrays. */
#include "bodies.h"
#include "cuda_check.h"
#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    float *host, *device; /* memory for n bodies each */
};

/* 1 / r^3, given r^2. */
__device__ static float inverse_cube(float distance_squared) {
    float inverse_distance = 1.0f / sqrtf(distance_squared);

    return inverse_distance * inverse_distance * inverse_distance;
}

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
        float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);

        fx += dx * scale;
        fy += dy * scale;
        fz += dz * scale;
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
        /* part 4, 3 lines: The change of position. */
        /* until solved */
        (void)&bodies, (void)&dt;
        /* end of until solved */
        /* end of part 4 */
    }
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t bytes = parameters->n * sizeof *in;

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
    float *host = simulation->host, *device = simulation->device;
    size_t bytes = parameters.n * sizeof(struct body);
    int threads = THREADS, blocks = (parameters.n + threads - 1) / threads;

    load(host, simulation->in, parameters.n);
    for (int iteration = 0; iteration < iterations; iteration++) {
        CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
        update_velocities<<<blocks, threads>>>(arrays(device, parameters.n), parameters);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
        update_positions(arrays(host, parameters.n), parameters);
    }
    store(simulation->out, host, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device));
    free(simulation->host);
    free(simulation);
}
