/* Step 12: a body's coordinates in one vector; and as the ladder's end, a grid that fits the GPU.
 */
#include "vectors.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body.
 * The sum r^2 begins with the softening: three multiply-adds, where at its end it is an addition.
 */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __align__(16) vector tile[TILE];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    vector position = bodies.position[own], velocity;

    for (int start = 0; start < n; start += TILE) {
        int length = n - start < TILE ? n - start : TILE;

        /* part 1, 2 lines: The threads of the block, fewer than TILE, load the tile. */
        /* end of part 1 */
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            /* part 2, 4 lines: Body j in one load; from the own body to it. */
            /* until solved */
            float dx = 0, dy = 0, dz = 0;
            (void)&tile, (void)&position;
            /* end of until solved */
            /* end of part 2 */
            /* part 3, 1 line: The sum begins with the softening. */
            /* until solved */
            float distance_squared = dx * dx + dy * dy + dz * dz + softening;
            /* end of until solved */
            /* end of part 3 */
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
    velocity = bodies.velocity[i];
    velocity.x += dt * fx;
    velocity.y += dt * fy;
    velocity.z += dt * fz;
    bodies.velocity[i] = velocity;
}

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    float dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    vector position, velocity;

    if (i >= parameters.n)
        return;
    position = bodies.position[i];
    velocity = bodies.velocity[i];
    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    bodies.position[i] = position;
}

/* As many threads per block as give every multiprocessor one block, if a block can be that large:
 * the time is that of the multiprocessor with most threads. Whole warps; below 128, those that load
 * the tiles would be few. */
static int threads_for(int n) {
    int multiprocessors, threads;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    /* part 4, 2 lines: As many as give every multiprocessor one block; whole warps, 128 to 1024. */
    /* until solved */
    (void)&n, (void)&threads;
    return 256;
    /* end of until solved */
    /* end of part 4 */
}

/* What is created, loaded, stored and destroyed is in vectors.h. */
int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies device = simulation->device;
    int threads = simulation->threads;
    int blocks = (parameters.n + threads - 1) / threads;

    load(simulation);
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    store(simulation);
    return 0;
}

/* For `make bench`: the forces alone, by the device's own clock. */
void simulation_forces(struct simulation *simulation, int repeats) {
    int threads = simulation->threads;
    int blocks = (simulation->parameters.n + threads - 1) / threads;

    for (int repeat = 0; repeat < repeats; repeat++)
        update_velocities<<<blocks, threads>>>(simulation->device, simulation->parameters);
    CUDA_CHECK(cudaGetLastError());
}
