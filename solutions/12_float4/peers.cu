/* Beside step 12: two well-known programs' ways to sum forces, in kernels written anew for this
 * contract: NVIDIA's CUDA sample nbody (bodysystemcuda.cu), and mini-nbody by Mark Harris
 * (nbody-block.cu). In both programs n has to be a multiple of the threads per block; here it need
 * not be. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"
#include "vectors.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    float *host, *device; /* memory for n bodies each */
};

static __constant__ float softening_squared;

/* The sample has masses: all bodies have 1, and the places beyond the last body have 0. */
static __device__ float3 interact(float3 force, float4 own, float4 other) {
    float3 r = make_float3(other.x - own.x, other.y - own.y, other.z - own.z);
    float distance_squared = r.x * r.x + r.y * r.y + r.z * r.z + softening_squared;
    float inverse_distance = rsqrtf(distance_squared);
    float s = other.w * (inverse_distance * inverse_distance * inverse_distance);

    return make_float3(force.x + r.x * s, force.y + r.y * s, force.z + r.z * s);
}

[[maybe_unused]] static __device__ float3 nvidia_sample(const float4 *positions, int own, int n) {
    __shared__ float4 tile[THREADS];
    float4 position = positions[own];
    float3 force = make_float3(0, 0, 0);

    for (int start = 0; start < n; start += blockDim.x) {
        int other = start + threadIdx.x;

        tile[threadIdx.x] = positions[other < n ? other : n - 1];
        tile[threadIdx.x].w = other < n;
        __syncthreads();
#pragma unroll 128
        for (unsigned j = 0; j < blockDim.x; j++)
            force = interact(force, position, tile[j]);
        __syncthreads();
    }
    return force;
}

/* The places beyond the last body are so far away that the square of the distance is infinite and
 * the pull 0. */
[[maybe_unused]] static __device__ float3 mini_nbody(const float4 *positions, int own, int n) {
    __shared__ float3 tile[THREADS];
    float3 force = make_float3(0, 0, 0);

    for (int start = 0; start < n; start += THREADS) {
        int other = start + threadIdx.x;
        float4 loaded = other < n ? positions[other] : make_float4(1e30f, 1e30f, 1e30f, 0);

        tile[threadIdx.x] = make_float3(loaded.x, loaded.y, loaded.z);
        __syncthreads();
        for (int j = 0; j < THREADS; j++) {
            float dx = tile[j].x - positions[own].x;
            float dy = tile[j].y - positions[own].y;
            float dz = tile[j].z - positions[own].z;
            float distance_squared = dx * dx + dy * dy + dz * dz + softening_squared;
            float inverse_distance = rsqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            force.x += dx * inverse_cube;
            force.y += dy * inverse_cube;
            force.z += dz * inverse_cube;
        }
        __syncthreads();
    }
    return force;
}

__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    int n = parameters.n;
    float dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = FORCE(bodies.position, i < n ? i : n - 1, n);

    if (i >= n)
        return;
    bodies.velocity[i].x += dt * force.x;
    bodies.velocity[i].y += dt * force.y;
    bodies.velocity[i].z += dt * force.z;
}

__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    advance(&bodies.position[i], parameters.dt, bodies.velocity[i]);
}

static int threads_for(int n) {
    (void)n;
    return THREADS;
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
    CUDA_CHECK(cudaMemcpyToSymbol(softening_squared, &parameters.softening, sizeof(float)));
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
