/* Step 12 without one idea of Part I, that of the macro WITHOUT_X; without such a macro, step 12
 * itself. */
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

#ifdef WITHOUT_UNROLL
static const int unroll = 1;
#else
static const int unroll = UNROLL;
#endif

/* n vectors of coordinates in memory. Step 12 has an array of float4; without float4 there are
 * three arrays of n floats, and without the structure of arrays the x, y and z of a body are
 * neighbours, and its velocity is next to them. */
#if defined WITHOUT_SOA || defined WITHOUT_FLOAT4
#ifdef WITHOUT_SOA
enum { STRIDE = 6, TILE_FLOATS = 6 * TILE }; /* floats from one body to the next */
#else
enum { STRIDE = 1, TILE_FLOATS = 3 * TILE };
#endif
typedef float3 vector;
struct vectors {
    float *x, *y, *z;
};

/* Floats from x to y and from y to z. */
__host__ __device__ static size_t to_next(size_t n) {
    return STRIDE == 6 ? 1 : n;
}

__host__ __device__ static struct vectors vectors_in(float *memory, size_t n) {
    struct vectors vectors = {memory, memory + to_next(n), memory + 2 * to_next(n)};

    return vectors;
}

__host__ __device__ static vector get(struct vectors vectors, int i) {
    return make_float3(vectors.x[STRIDE * i], vectors.y[STRIDE * i], vectors.z[STRIDE * i]);
}

__host__ __device__ static void set(struct vectors vectors, int i, vector value) {
    vectors.x[STRIDE * i] = value.x;
    vectors.y[STRIDE * i] = value.y;
    vectors.z[STRIDE * i] = value.z;
}

/* Floats from the positions to the velocities. */
static size_t to_velocities(size_t n) {
    return 3 * to_next(n);
}
#else
enum { TILE_FLOATS = 4 * TILE };
typedef float4 vector;
struct vectors {
    vector *array;
};

__host__ __device__ static struct vectors vectors_in(float *memory, size_t n) {
    struct vectors vectors = {(vector *)memory};

    (void)n;
    return vectors;
}

__host__ __device__ static vector get(struct vectors vectors, int i) {
    return vectors.array[i];
}

__host__ __device__ static void set(struct vectors vectors, int i, vector value) {
    vectors.array[i] = value;
}

static size_t to_velocities(size_t n) {
    return 4 * n;
}
#endif

struct bodies {
    float *memory;
    struct vectors position, velocity;
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
    int threads; /* per block */
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
    struct vectors tile = vectors_in(memory, TILE);
#endif
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    vector position = get(bodies.position, own), velocity;

#ifdef WITHOUT_TILING
#pragma unroll unroll
    for (int j = 0; j < n; j++)
        add_force(get(bodies.position, j), position, softening, &fx, &fy, &fz);
#else
    for (int start = 0; start < n; start += TILE) {
        int length = n - start < TILE ? n - start : TILE;

        for (int slot = threadIdx.x; slot < length; slot += blockDim.x)
            set(tile, slot, get(bodies.position, start + slot));
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++)
            add_force(get(tile, j), position, softening, &fx, &fy, &fz);
        __syncthreads();
    }
#endif
    if (i >= n)
        return;
    velocity = get(bodies.velocity, i);
    velocity.x += dt * fx;
    velocity.y += dt * fy;
    velocity.z += dt * fz;
    set(bodies.velocity, i, velocity);
}

__host__ __device__ static void update_position(struct bodies bodies, float dt, int i) {
    vector position = get(bodies.position, i), velocity = get(bodies.velocity, i);

    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    set(bodies.position, i, position);
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
    struct bodies bodies = {memory, vectors_in(memory, n),
                            vectors_in(memory + to_velocities(n), n)};
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
    host_malloc(&host, bytes);
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

        set(host.position, i, position);
        set(host.velocity, i, velocity);
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
        vector position = get(host.position, i), velocity = get(host.velocity, i);

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
