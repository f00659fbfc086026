/* Step 05: the threads of a block load the bodies j by tiles into shared memory. */
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

#ifdef AOS /* the variant `aos`: an array of structures, as in step 03, seen as six arrays */
#define NEXT_BODY         6
#define NEXT_COMPONENT(n) 1
#else
#define NEXT_BODY         1
#define NEXT_COMPONENT(n) (n)
#endif

/* All bodies, an array of n for each component; the arrays follow each other in memory. */
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
 * own term is zero, so it needs no test. One thread a body; a tile is as many
 * bodies as a block has threads. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
#ifdef AOS
    __shared__ struct body tile[THREADS];
    float *tile_x = &tile[0].x, *tile_y = &tile[0].y, *tile_z = &tile[0].z;
#else
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
#endif
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = NEXT_BODY * (i < n ? i : n - 1); /* all threads must reach the barriers */
    float x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = NEXT_BODY * threadIdx.x, from = NEXT_BODY * start + slot;

        if (from < NEXT_BODY * n) {
            tile_x[slot] = bodies.x[from];
            tile_y[slot] = bodies.y[from];
            tile_z[slot] = bodies.z[from];
        }
        __syncthreads();
        for (int j = 0; j < length; j++) {
            float dx = tile_x[NEXT_BODY * j] - x;
            float dy = tile_y[NEXT_BODY * j] - y;
            float dz = tile_z[NEXT_BODY * j] - z;
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

    for (int i = 0; i < NEXT_BODY * parameters.n; i += NEXT_BODY) {
        bodies.x[i] += dt * bodies.vx[i];
        bodies.y[i] += dt * bodies.vy[i];
        bodies.z[i] += dt * bodies.vz[i];
    }
}

static struct bodies arrays(float *memory, size_t n) {
    struct bodies bodies = {memory,         memory + n,     memory + 2 * n,
                            memory + 3 * n, memory + 4 * n, memory + 5 * n};
    return bodies;
}

static void to_arrays(struct bodies bodies, const struct body *in, int n) {
    for (int i = 0; i < NEXT_BODY * n; i += NEXT_BODY, in++) {
        bodies.x[i] = in->x;
        bodies.y[i] = in->y;
        bodies.z[i] = in->z;
        bodies.vx[i] = in->vx;
        bodies.vy[i] = in->vy;
        bodies.vz[i] = in->vz;
    }
}

static void from_arrays(struct bodies bodies, struct body *out, int n) {
    for (int i = 0; i < NEXT_BODY * n; i += NEXT_BODY, out++) {
        struct body body = {bodies.x[i],  bodies.y[i],  bodies.z[i],
                            bodies.vx[i], bodies.vy[i], bodies.vz[i]};
        *out = body;
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
    simulation->host = arrays(host, NEXT_COMPONENT(n));
    simulation->device = arrays(device, NEXT_COMPONENT(n));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies host = simulation->host, device = simulation->device;
    size_t bytes = parameters.n * sizeof(struct body);
    int blocks = (parameters.n + THREADS - 1) / THREADS;

    to_arrays(host, simulation->in, parameters.n);
    for (int iteration = 0; iteration < iterations; iteration++) {
        CUDA_CHECK(cudaMemcpy(device.x, host.x, bytes, cudaMemcpyHostToDevice));
        update_velocities<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(host.x, device.x, bytes, cudaMemcpyDeviceToHost));
        update_positions(host, parameters);
    }
    from_arrays(host, simulation->out, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.x));
    free(simulation->host.x);
    free(simulation);
}
