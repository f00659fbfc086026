/* Step 12, variant soa: the same with three arrays of coordinates in the place of vectors. */
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
    int threads; /* per block */
};

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body.
 * The sum r^2 begins with the softening: three multiply-adds, where at its end it is an addition.
 */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __align__(16) float tile_x[TILE], tile_y[TILE], tile_z[TILE];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    float x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += TILE) {
        int length = n - start < TILE ? n - start : TILE;

        for (int slot = threadIdx.x; slot < length; slot += blockDim.x) {
            tile_x[slot] = bodies.x[start + slot];
            tile_y[slot] = bodies.y[start + slot];
            tile_z[slot] = bodies.z[start + slot];
        }
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            float dx = tile_x[j] - x;
            float dy = tile_y[j] - y;
            float dz = tile_z[j] - z;
            float distance_squared = softening + dx * dx + dy * dy + dz * dz;
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
    bodies.vx[i] += dt * fx;
    bodies.vy[i] += dt * fy;
    bodies.vz[i] += dt * fz;
}

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    float dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    bodies.x[i] += dt * bodies.vx[i];
    bodies.y[i] += dt * bodies.vy[i];
    bodies.z[i] += dt * bodies.vz[i];
}

/* As many threads per block as give every multiprocessor one block, if a block can be that large:
 * the time is that of the multiprocessor with most threads. Whole warps; below 128, those that load
 * the tiles would be few. */
static int threads_for(int n) {
    int multiprocessors, threads;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    threads = ((n - 1) / multiprocessors + 32) / 32 * 32;
    return threads < 128 ? 128 : threads > 1024 ? 1024 : threads;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t n = parameters->n, bytes = n * sizeof *in;
    float *host, *device;

    if (!simulation)
        return NULL;
    CUDA_CHECK(cudaMallocHost(&host, bytes));
    CUDA_CHECK(cudaMalloc(&device, bytes));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = arrays(host, n);
    simulation->device = arrays(device, n);
    simulation->threads = threads_for(parameters->n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies host = simulation->host, device = simulation->device;
    size_t bytes = parameters.n * sizeof(struct body);
    int threads = simulation->threads;
    int blocks = (parameters.n + threads - 1) / threads;

    transpose(host.x, &simulation->in->x, parameters.n, 6);
    CUDA_CHECK(cudaMemcpy(device.x, host.x, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host.x, device.x, bytes, cudaMemcpyDeviceToHost));
    transpose(&simulation->out->x, host.x, 6, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.x));
    CUDA_CHECK(cudaFreeHost(simulation->host.x));
    free(simulation);
}

/* For `make bench`: the forces alone, by the device's own clock. */
void simulation_forces(struct simulation *simulation, int repeats) {
    int threads = simulation->threads;
    int blocks = (simulation->parameters.n + threads - 1) / threads;

    for (int repeat = 0; repeat < repeats; repeat++)
        update_velocities<<<blocks, threads>>>(simulation->device, simulation->parameters);
    CUDA_CHECK(cudaGetLastError());
}
