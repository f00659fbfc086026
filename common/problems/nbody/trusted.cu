/* The trusted program for the GPU: linked with the player's main() like a step, checked against
 * fp64 whenever a session begins.
 *
 * Each thread sums the forces on BODIES bodies, so that a body j is loaded from shared memory once
 * for all of them. The sum of a tile is added to the body's sum when the tile is done: float then
 * errs by the square root of the number of tiles, not of n. Positions are of float4, whose fourth
 * component is the mass, 0 for what fills up the last tile. */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody_masses.h"

enum { THREADS = 128, BODIES = 2, TILE = THREADS };

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    struct body *bodies;  /* n, on the device, as they come and go */
    float *device_masses; /* n; NULL as masses */
    float4 *positions;    /* padded(n), with masses */
    float3 *velocities;   /* padded(n) */
};

/* A multiple of the bodies of a block, and so of a tile. */
static int padded(int n) {
    return (n + THREADS * BODIES - 1) / (THREADS * BODIES) * (THREADS * BODIES);
}

/* Bodies n to count - 1 have no mass and are at the origin. */
__global__ void unpack(const struct body *bodies, const float *masses, int n, int count,
                       float4 *positions, float3 *velocities) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct body body = {0, 0, 0, 0, 0, 0};

    if (i >= count)
        return;
    if (i < n)
        body = bodies[i];
    positions[i] = make_float4(body.x, body.y, body.z, i >= n ? 0.0f : masses ? masses[i] : 1.0f);
    velocities[i] = make_float3(body.vx, body.vy, body.vz);
}

__global__ void pack(const float4 *positions, const float3 *velocities, int n,
                     struct body *bodies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    struct body body = {positions[i].x,  positions[i].y,  positions[i].z,
                        velocities[i].x, velocities[i].y, velocities[i].z};
    bodies[i] = body;
}

/* v += dt F. Grid: padded(n) / (THREADS * BODIES) blocks of THREADS threads. */
__global__ void kick(const float4 *positions, float3 *velocities, int count, float dt,
                     float softening) {
    __shared__ float4 tile[TILE];
    int first = blockIdx.x * THREADS * BODIES + threadIdx.x;
    float3 own[BODIES], force[BODIES];

    for (int b = 0; b < BODIES; b++) {
        float4 position = positions[first + b * THREADS];

        own[b] = make_float3(position.x, position.y, position.z);
        force[b] = make_float3(0, 0, 0);
    }
    for (int start = 0; start < count; start += TILE) {
        float3 sum[BODIES] = {};

        tile[threadIdx.x] = positions[start + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < TILE; j++) {
            float4 other = tile[j];

            for (int b = 0; b < BODIES; b++) {
                float dx = other.x - own[b].x;
                float dy = other.y - own[b].y;
                float dz = other.z - own[b].z;
                float inverse = rsqrtf(softening + dx * dx + dy * dy + dz * dz);
                float scale = other.w * inverse * inverse * inverse;

                sum[b].x += dx * scale;
                sum[b].y += dy * scale;
                sum[b].z += dz * scale;
            }
        }
        __syncthreads();
        for (int b = 0; b < BODIES; b++) {
            force[b].x += sum[b].x;
            force[b].y += sum[b].y;
            force[b].z += sum[b].z;
        }
    }
    for (int b = 0; b < BODIES; b++) {
        float3 *velocity = &velocities[first + b * THREADS];

        velocity->x += dt * force[b].x;
        velocity->y += dt * force[b].y;
        velocity->z += dt * force[b].z;
    }
}

/* x += dt v */
__global__ void drift(float4 *positions, const float3 *velocities, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    positions[i].x += dt * velocities[i].x;
    positions[i].y += dt * velocities[i].y;
    positions[i].z += dt * velocities[i].z;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    return simulation_create_with_masses(parameters, in, NULL, out);
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t count = padded(parameters->n);

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    CUDA_CHECK(cudaMalloc(&simulation->bodies, parameters->n * sizeof *simulation->bodies));
    if (masses)
        CUDA_CHECK(cudaMalloc(&simulation->device_masses, parameters->n * sizeof *masses));
    CUDA_CHECK(cudaMalloc(&simulation->positions, count * sizeof *simulation->positions));
    CUDA_CHECK(cudaMalloc(&simulation->velocities, count * sizeof *simulation->velocities));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    int n = parameters.n, count = padded(n), blocks = count / THREADS;
    size_t bytes = n * sizeof *simulation->bodies;
    float4 *positions = simulation->positions;
    float3 *velocities = simulation->velocities;

    CUDA_CHECK(cudaMemcpy(simulation->bodies, simulation->in, bytes, cudaMemcpyHostToDevice));
    if (simulation->masses)
        CUDA_CHECK(cudaMemcpy(simulation->device_masses, simulation->masses, n * sizeof(float),
                              cudaMemcpyHostToDevice));
    unpack<<<blocks, THREADS>>>(simulation->bodies, simulation->device_masses, n, count, positions,
                                velocities);
    CUDA_CHECK(cudaGetLastError());
    for (int iteration = 0; iteration < iterations; iteration++) {
        kick<<<blocks / BODIES, THREADS>>>(positions, velocities, count, parameters.dt,
                                           parameters.softening);
        CUDA_CHECK(cudaGetLastError());
        drift<<<blocks, THREADS>>>(positions, velocities, n, parameters.dt);
        CUDA_CHECK(cudaGetLastError());
    }
    pack<<<blocks, THREADS>>>(positions, velocities, n, simulation->bodies);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(simulation->out, simulation->bodies, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->bodies));
    CUDA_CHECK(cudaFree(simulation->device_masses));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->velocities));
    free(simulation);
}
