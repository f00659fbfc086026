/* Step 10: positions, velocities, tile and differences in half; r^2, root and sums in float. */
#include <cuda_fp16.h>

/* part 1, 1 line: What a coordinate is stored as. */
typedef __half number;
/* until solved:
typedef float number;
*/
/* end of part 1 */

#define NUMBER number /* in which bodies.h stores coordinates */
#include "bodies.h"
#include "cuda_check.h"
#include "nbody.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    number *host, *device; /* memory for n bodies each */
};

/* 1 / r^3, given r^2. */
__device__ static float inverse_cube(float distance_squared) {
    float inverse_distance = rsqrtf(distance_squared);

    return inverse_distance * inverse_distance * inverse_distance;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    /* part 2, 1 line: The tile, in halves. */
    __shared__ __half tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    /* until solved:
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    */
    /* end of part 2 */
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    __half x = bodies.x[i], y = bodies.y[i], z = bodies.z[i];

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
            /* part 3, 3 lines: The differences, computed in half, then converted to float. */
            float dx = __hsub(tile_x[j], x);
            float dy = __hsub(tile_y[j], y);
            float dz = __hsub(tile_z[j], z);
            /* until solved:
            float dx = 0, dy = 0, dz = 0;
            (void)&x, (void)&y, (void)&z, (void)&tile_x, (void)&tile_y, (void)&tile_z;
            */
            /* end of part 3 */
            float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);

            fx += dx * scale;
            fy += dy * scale;
            fz += dz * scale;
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    /* part 4, 3 lines: The change of velocity, rounded to what is stored. */
    bodies.vx[i] += (number)(dt * fx);
    bodies.vy[i] += (number)(dt * fy);
    bodies.vz[i] += (number)(dt * fz);
    /* until solved:
    (void)&dt;
    */
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
    size_t bytes = parameters->n * 6 * sizeof(number);

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
    number *host = simulation->host, *device = simulation->device;
    size_t bytes = parameters.n * 6 * sizeof(number);
    int threads = THREADS, blocks = (parameters.n + threads - 1) / threads;

    load(host, simulation->in, parameters.n);
    CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, threads>>>(arrays(device, parameters.n), parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, threads>>>(arrays(device, parameters.n), parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    store(simulation->out, host, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device));
    free(simulation->host);
    free(simulation);
}
