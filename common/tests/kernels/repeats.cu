/* A program that is right, and wrong in one way where FAULT names it: what shows in the second
 * iteration, in the object's second run, or with another dt or softening. Compiled once for all.
 * All iterations are one kernel, whose blocks wait for each other; positions have two buffers. */
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "nbody.h"

#define BLOCK 128

enum fault {
    NONE,
    FIRST_ONLY,
    EVEN_ONLY,
    BUFFER_KEPT,
    FREED_IN_RUN,
    KEPT_BY_N,
    KEPT_BY_ENDS,
    DT_CONSTANT,
    DT_OFF,
    SOFTENING_CONSTANT,
    OTHER_CONSTANT,
    NO_SOFTENING,
    NOT_SOFTENED,
    TWICE,
    SQUARED,
    WAITS_ONCE,
    FLAG_KEPT,
    COUNT_KEPT,
    FAULTS
};

static const char *const names[FAULTS] = {
    "none",           "first_only",   "even_only",    "buffer_kept", "freed_in_run",
    "kept_by_n",      "kept_by_ends", "dt_constant",  "dt_off",      "softening_constant",
    "other_constant", "no_softening", "not_softened", "twice",       "squared",
    "waits_once",     "flag_kept",    "count_kept"};

/* `arrived` counts the blocks that came to the waits of a launch; behind it is a flag. */
static __device__ void wait_for_grid(unsigned *arrived, unsigned turn, int fault) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fault == FLAG_KEPT) {
            if (atomicAdd(arrived, 1) % gridDim.x == gridDim.x - 1)
                ((volatile unsigned *)arrived)[1] = 1;
            while (!((volatile unsigned *)arrived)[1])
                ;
        } else {
            atomicAdd(arrived, 1);
            while (*(volatile unsigned *)arrived < (fault == WAITS_ONCE ? 1 : turn) * gridDim.x)
                ;
        }
    }
    __threadfence();
    __syncthreads();
}

static __device__ float squared_softening(float softening, int fault) {
    return fault == SOFTENING_CONSTANT                      ? 1e-9f
           : fault == OTHER_CONSTANT                        ? 0.05f
           : fault == NO_SOFTENING || fault == NOT_SOFTENED ? 0
           : fault == TWICE                                 ? 2 * softening
           : fault == SQUARED                               ? softening * softening
                                                            : softening;
}

static __global__ void iterate(float4 *positions, float4 *moved, float4 *velocities,
                               unsigned *arrived, int iterations, struct parameters parameters,
                               int fault) {
    int n = parameters.n, i = blockIdx.x * BLOCK + threadIdx.x;
    float dt = fault == DT_CONSTANT ? 0.01f
               : fault == DT_OFF    ? parameters.dt * (1 + 0.008f * parameters.dt)
                                    : parameters.dt;
    float softening = squared_softening(parameters.softening, fault);

    for (int iteration = 0; iteration < iterations; iteration++) {
        if (i < n) {
            float4 own = positions[i], velocity = velocities[i];
            float3 force = {0, 0, 0};

            for (int j = 0; j < n && (fault != FIRST_ONLY || iteration < 2); j++) {
                float4 other = positions[j];
                float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
                float square = dx * dx + dy * dy + dz * dz + softening;

                if (fault == NO_SOFTENING && square == 0)
                    continue;
                float inverse = 1.0f / sqrtf(square), cube = inverse * inverse * inverse;

                force.x += dx * cube;
                force.y += dy * cube;
                force.z += dz * cube;
            }
            velocity.x += dt * force.x;
            velocity.y += dt * force.y;
            velocity.z += dt * force.z;
            velocities[i] = velocity;
            moved[i] = make_float4(own.x + dt * velocity.x, own.y + dt * velocity.y,
                                   own.z + dt * velocity.z, 0);
        }
        wait_for_grid(arrived, iteration + 1, fault);
        float4 *last = positions;

        positions = moved;
        moved = last;
    }
}

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    float4 *host, *positions[2], *velocities;
    unsigned *arrived;
    int fault, now;
};

static void copy_in(struct simulation *simulation, const struct body *in) {
    float4 *host = simulation->host;
    int n = simulation->parameters.n;

    for (int i = 0; i < n; i++) {
        host[i] = make_float4(in[i].x, in[i].y, in[i].z, 0);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
    }
    CUDA_CHECK(
        cudaMemcpy(simulation->positions[0], host, n * sizeof *host, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(simulation->velocities, host + n, n * sizeof *host, cudaMemcpyHostToDevice));
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t bytes = (size_t)parameters->n * sizeof(float4);
    const char *fault = getenv("FAULT");
    int room;

    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&room, iterate, BLOCK, 0));
    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    for (int i = 0; fault && i < FAULTS; i++)
        if (!strcmp(fault, names[i]))
            simulation->fault = i;
    simulation->host = (float4 *)malloc(2 * bytes);
    CUDA_CHECK(cudaMalloc(&simulation->positions[0], bytes));
    CUDA_CHECK(cudaMalloc(&simulation->positions[1], bytes));
    CUDA_CHECK(cudaMalloc(&simulation->velocities, bytes));
    CUDA_CHECK(cudaMalloc(&simulation->arrived, 2 * sizeof *simulation->arrived));
    CUDA_CHECK(cudaMemset(simulation->arrived, 0, 2 * sizeof *simulation->arrived));
    return simulation;
}

/* The input, or the one that was kept and is taken for it. */
static const struct body *input_of(const struct simulation *simulation) {
    static struct body *kept;
    static int kept_n;
    const struct body *in = simulation->in;
    int n = simulation->parameters.n, fault = simulation->fault;

    if (fault != KEPT_BY_N && fault != KEPT_BY_ENDS)
        return in;
    if (n == kept_n && (fault == KEPT_BY_N || (!memcmp(kept, in, sizeof *in) &&
                                               !memcmp(kept + n - 1, in + n - 1, sizeof *in))))
        return kept;
    kept = (struct body *)realloc(kept, n * sizeof *kept);
    kept_n = n;
    return (struct body *)memcpy(kept, in, n * sizeof *kept);
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct body *out = simulation->out;
    float4 *host = simulation->host;
    int n = simulation->parameters.n, blocks = (n + BLOCK - 1) / BLOCK, fault = simulation->fault;
    int now = fault == BUFFER_KEPT ? simulation->now : 0;

    copy_in(simulation, input_of(simulation));
    if (fault != COUNT_KEPT)
        CUDA_CHECK(cudaMemset(simulation->arrived, 0, 2 * sizeof *simulation->arrived));
    iterate<<<blocks, BLOCK>>>(simulation->positions[now], simulation->positions[!now],
                               simulation->velocities, simulation->arrived, iterations,
                               simulation->parameters, fault);
    CUDA_CHECK(cudaGetLastError());
    now = (now + iterations) % 2;
    simulation->now = now;
    CUDA_CHECK(cudaMemcpy(host, simulation->positions[fault == EVEN_ONLY ? 0 : now],
                          n * sizeof *host, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(host + n, simulation->velocities, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        out[i] = {host[i].x, host[i].y, host[i].z, host[n + i].x, host[n + i].y, host[n + i].z};
    if (fault == FREED_IN_RUN)
        CUDA_CHECK(cudaFree(simulation->velocities));
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->positions[0]));
    CUDA_CHECK(cudaFree(simulation->positions[1]));
    if (simulation->fault != FREED_IN_RUN)
        CUDA_CHECK(cudaFree(simulation->velocities));
    CUDA_CHECK(cudaFree(simulation->arrived));
    free(simulation->host);
    free(simulation);
}
