/* Step 12: a body's coordinates in one vector, and a grid that fits the GPU. */
#include "cuda_check.h"
#include "nbody.h"
#include "vectors.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    float *host, *device; /* memory for n bodies each */
};

/* 1 / r^3, given r^2. */
__device__ static float inverse_cube(float distance_squared) {
    float inverse_distance = rsqrtf(distance_squared);

    return inverse_distance * inverse_distance * inverse_distance;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __align__(16) vector tile[TILE];
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    vector position = bodies.position[i];

    for (int start = 0; start < n; start += TILE) {
        int length = n - start < TILE ? n - start : TILE;

        /* part 1, 2 lines: The threads of the block, fewer than TILE, load the tile. */
        for (int slot = threadIdx.x; slot < length; slot += blockDim.x)
            tile[slot] = bodies.position[start + slot];
        /* end of part 1 */
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            /* part 2, 4 lines: Body j in one load; the differences from the own body to it. */
            vector other = tile[j];
            float dx = other.x - position.x;
            float dy = other.y - position.y;
            float dz = other.z - position.z;
            /* until solved:
            float dx = 0, dy = 0, dz = 0;
            (void)&tile, (void)&position;
            */
            /* end of part 2 */
            /* part 3, 1 line: The sum begins with the softening. */
            float scale = inverse_cube(softening + dx * dx + dy * dy + dz * dz);
            /* until solved:
            float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);
            */
            /* end of part 3 */

            fx += dx * scale;
            fy += dy * scale;
            fz += dz * scale;
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    advance(&bodies.velocity[thread], dt, {fx, fy, fz});
}

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    float dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    advance(&bodies.position[i], dt, bodies.velocity[i]);
}

/* Threads per block, so that each multiprocessor gets one block: the fullest one sets the time. */
static int threads_for(int n) {
    int multiprocessors, threads;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    /* part 4, 2 lines: One block per multiprocessor; whole warps, 128 to 1024 threads. */
    threads = ((n - 1) / multiprocessors + 32) / 32 * 32;
    return threads < 128 ? 128 : threads > 1024 ? 1024 : threads;
    /* until solved:
    (void)&n, (void)&threads;
    return 256;
    */
    /* end of part 4 */
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t bytes = 2 * parameters->n * sizeof(vector);

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    CUDA_CHECK(cudaMallocHost(&simulation->host, bytes));
    CUDA_CHECK(cudaMalloc(&simulation->device, bytes));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    float *host = simulation->host, *device = simulation->device;
    size_t bytes = 2 * parameters.n * sizeof(vector);
    int threads = threads_for(parameters.n), blocks = (parameters.n + threads - 1) / threads;

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
    CUDA_CHECK(cudaFreeHost(simulation->host));
    free(simulation);
}

#include "kernel_only.h" /* the forces alone, for `make bench` */
