/* Step 12: a body's coordinates in one vector; and as the ladder's end, a grid that fits the GPU.
 */
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

#ifdef WITHOUT_UNROLL
static const int unroll = 1;
#else
static const int unroll = UNROLL;
#endif

/* n vectors of coordinates in memory: an array of float4, or three arrays in which neighbours are
 * STRIDE floats apart. */
#if defined WITHOUT_SOA || defined WITHOUT_FLOAT4
#ifdef WITHOUT_SOA
enum { STRIDE = 6 };
#else
enum { STRIDE = 1 };
#endif
typedef float3 vector;
struct vectors {
    float *x, *y, *z;
};
#define NEXT(n) (STRIDE == 6 ? 1 : (n))
#define AT(memory, n)                                                                              \
    { memory, memory + NEXT(n), memory + 2 * NEXT(n) }
#define GET(vectors, i)                                                                            \
    make_float3((vectors).x[STRIDE * (i)], (vectors).y[STRIDE * (i)], (vectors).z[STRIDE * (i)])
#define SET(vectors, i, new_value)                                                                 \
    ((vectors).x[STRIDE * (i)] = (new_value).x, (vectors).y[STRIDE * (i)] = (new_value).y,         \
     (vectors).z[STRIDE * (i)] = (new_value).z)
#define VELOCITIES(n) (3 * NEXT(n))
#else
enum { STRIDE = 4 };
typedef float4 vector;
struct vectors {
    vector *array;
};
#define AT(memory, n)                                                                              \
    { (vector *)(memory) }
#define GET(vectors, i)            (vectors).array[i]
#define SET(vectors, i, new_value) ((vectors).array[i] = (new_value))
#define VELOCITIES(n)              (4 * (n))
#endif
enum { TILE_FLOATS = TILE * (STRIDE == 1 ? 3 : STRIDE) };

struct bodies {
    float *memory;
    struct vectors position, velocity;
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
    int threads; /* a block */
};

/* F += r / (r^2 + softening)^(3/2), r from `position` to `other`. */
__device__ static void add_force(vector other, vector position, float softening, float *fx,
                                 float *fy, float *fz) {
    float dx = other.x - position.x;
    float dy = other.y - position.y;
    float dz = other.z - position.z;
#ifdef WITHOUT_SOFTENING
    float distance_squared = dx * dx + dy * dy + dz * dz + softening;
#else
    float distance_squared = softening + dx * dx + dy * dy + dz * dz;
#endif
#ifdef WITHOUT_RSQRT
    float inverse_distance = 1.0f / sqrtf(distance_squared);
#else
    float inverse_distance = rsqrtf(distance_squared);
#endif
    float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

    *fx += dx * inverse_cube;
    *fy += dy * inverse_cube;
    *fz += dz * inverse_cube;
}

/* v += dt F for every body. One thread per body. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
#ifndef WITHOUT_TILING
    __shared__ __align__(16) float memory[TILE_FLOATS];
    struct vectors tile = AT(memory, TILE);
#endif
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    vector position = GET(bodies.position, own), velocity;

#ifdef WITHOUT_TILING
#pragma unroll unroll
    for (int j = 0; j < n; j++)
        add_force(GET(bodies.position, j), position, softening, &fx, &fy, &fz);
#else
    for (int start = 0; start < n; start += TILE) {
        int length = n - start < TILE ? n - start : TILE;

        for (int slot = threadIdx.x; slot < length; slot += blockDim.x)
            SET(tile, slot, GET(bodies.position, start + slot));
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++)
            add_force(GET(tile, j), position, softening, &fx, &fy, &fz);
        __syncthreads();
    }
#endif
    if (i >= n)
        return;
    velocity = GET(bodies.velocity, i);
    velocity.x += dt * fx;
    velocity.y += dt * fy;
    velocity.z += dt * fz;
    SET(bodies.velocity, i, velocity);
}

__host__ __device__ static void update_position(struct bodies bodies, float dt, int i) {
    vector position = GET(bodies.position, i), velocity = GET(bodies.velocity, i);

    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    SET(bodies.position, i, position);
}

/* x += dt v for every body; only now, since all forces need the old positions. */
#ifndef WITHOUT_INTEGRATION
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < parameters.n)
        update_position(bodies, parameters.dt, i);
}
#endif

static struct bodies bodies_in(float *memory, size_t n) {
    struct bodies bodies = {memory, AT(memory, n), AT(memory + VELOCITIES(n), n)};
    return bodies;
}

static int threads_for(int n) {
#ifdef WITHOUT_GEOMETRY
    (void)n;
    return THREADS;
#else
    int multiprocessors, threads;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    threads = ((n - 1) / multiprocessors + 32) / 32 * 32;
    return threads < 128 ? 128 : threads > 1024 ? 1024 : threads;
#endif
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t n = parameters->n, bytes = 2 * n * sizeof(vector);
    float *host, *device;

    if (!simulation)
        return NULL;
#ifdef WITHOUT_PINNED
    host = (float *)malloc(bytes);
    if (!host) {
        free(simulation);
        return NULL;
    }
#else
    CUDA_CHECK(cudaMallocHost(&host, bytes));
#endif
    CUDA_CHECK(cudaMalloc(&device, bytes));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = bodies_in(host, n);
    simulation->device = bodies_in(device, n);
    simulation->threads = threads_for(parameters->n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies host = simulation->host, device = simulation->device;
    const struct body *in = simulation->in;
    struct body *out = simulation->out;
    size_t bytes = 2 * parameters.n * sizeof(vector);
    int threads = simulation->threads;
    int blocks = (parameters.n + threads - 1) / threads;

    for (int i = 0; i < parameters.n; i++) {
        vector position = {in[i].x, in[i].y, in[i].z};
        vector velocity = {in[i].vx, in[i].vy, in[i].vz};

        SET(host.position, i, position);
        SET(host.velocity, i, velocity);
    }
    CUDA_CHECK(cudaMemcpy(device.memory, host.memory, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
#ifdef WITHOUT_INTEGRATION
        CUDA_CHECK(cudaMemcpy(host.memory, device.memory, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < parameters.n; i++)
            update_position(host, parameters.dt, i);
        CUDA_CHECK(cudaMemcpy(device.memory, host.memory, bytes, cudaMemcpyHostToDevice));
#else
        update_positions<<<blocks, threads>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
#endif
    }
    CUDA_CHECK(cudaMemcpy(host.memory, device.memory, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < parameters.n; i++) {
        vector position = GET(host.position, i), velocity = GET(host.velocity, i);

        out[i] =
            (struct body){position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.memory));
#ifdef WITHOUT_PINNED
    free(simulation->host.memory);
#else
    CUDA_CHECK(cudaFreeHost(simulation->host.memory));
#endif
    free(simulation);
}
