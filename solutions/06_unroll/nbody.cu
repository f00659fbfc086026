/* Step 06: the loop over a tile unrolled. */
#include "bodies.h"
#include "cuda_check.h"
#include "nbody.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

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
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    float x = bodies.x[i], y = bodies.y[i], z = bodies.z[i];

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
            float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);

            fx += dx * scale;
            fy += dy * scale;
            fz += dz * scale;
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    bodies.vx[i] += dt * fx;
    bodies.vy[i] += dt * fy;
    bodies.vz[i] += dt * fz;
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
