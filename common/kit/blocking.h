/* The host's side of a simulation in which blocks share out the bodies i and the bodies j, and what
 * kernels with several bodies per thread share. THREADS is a macro: the threads per block. */
#ifndef BLOCKING_H
#define BLOCKING_H

#include <stdlib.h>

#include "cuda_check.h"
#include "nbody_masses.h"

/* A float4 goes to four registers in a row, as body j does: then both operands of a difference of
 * two such vectors lie in the same bank of registers, and the instruction takes two cycles. After
 * three single loads the compiler is free to choose. */
__device__ static inline float3 load_own(const float4 *position) {
    const float *own = &position->x;

    return make_float3(own[0], own[1], own[2]);
}

__device__ static inline void add(float3 *sum, float x, float y, float z) {
    sum->x += x;
    sum->y += y;
    sum->z += z;
}

static __global__ void set_positions(const struct body *bodies, const float *masses, int n,
                                     float4 *positions) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        positions[i] = make_float4(bodies[i].x, bodies[i].y, bodies[i].z, masses ? masses[i] : 1);
}

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    /* On the device: */
    struct body *bodies;
    float *body_masses;        /* NULL if `masses` is */
    float4 *positions;         /* the mass as w */
    float3 *forces;            /* grid.y x n: what each part of the bodies j adds up to */
    int bodies_a_thread, part; /* bodies i per thread, bodies j per part */
    dim3 grid;                 /* blocks, and parts */
};

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* The step's own: choose() sets the bodies i per thread, the bodies j per part, and the grid;
 * kernel_for() returns the kernel for the forces; move() makes v += dt F and x += dt v for every
 * body. F is the sum over the parts in their order: the same bits every time, which atomic
 * additions would not give. */
typedef void forces_kernel(const float4 *, int, int, float, float3 *);
static void choose(struct simulation *simulation);
static forces_kernel *kernel_for(const struct simulation *simulation);
__global__ void move(struct body *bodies, float4 *positions, const float3 *forces, int n, int parts,
                     float dt);

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    choose(simulation);
    CUDA_CHECK(cudaMalloc(&simulation->bodies, n * sizeof *simulation->bodies));
    if (masses)
        CUDA_CHECK(cudaMalloc(&simulation->body_masses, n * sizeof *masses));
    CUDA_CHECK(cudaMalloc(&simulation->positions, n * sizeof *simulation->positions));
    CUDA_CHECK(
        cudaMalloc(&simulation->forces, simulation->grid.y * n * sizeof *simulation->forces));
    return simulation;
}

/* The forces, then one time step. */
static inline void advance(struct simulation *simulation, float dt) {
    forces_kernel *sum = kernel_for(simulation);
    int n = simulation->parameters.n;

    sum<<<simulation->grid, THREADS>>>(simulation->positions, n, simulation->part,
                                       simulation->parameters.softening, simulation->forces);
    CUDA_CHECK(cudaGetLastError());
    move<<<divide_up(n, THREADS), THREADS>>>(simulation->bodies, simulation->positions,
                                             simulation->forces, n, simulation->grid.y, dt);
    CUDA_CHECK(cudaGetLastError());
}

/* With move(), since the sum over the parts belongs to a force; its time step of 0 moves
 * nothing. */
void simulation_forces(struct simulation *simulation, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++)
        advance(simulation, 0);
}

int simulation_run(struct simulation *simulation, int iterations) {
    int n = simulation->parameters.n;
    size_t bytes = n * sizeof *simulation->bodies;

    CUDA_CHECK(cudaMemcpy(simulation->bodies, simulation->in, bytes, cudaMemcpyHostToDevice));
    if (simulation->masses)
        CUDA_CHECK(cudaMemcpy(simulation->body_masses, simulation->masses, n * sizeof(float),
                              cudaMemcpyHostToDevice));
    set_positions<<<divide_up(n, THREADS), THREADS>>>(simulation->bodies, simulation->body_masses,
                                                      n, simulation->positions);
    CUDA_CHECK(cudaGetLastError());
    for (int iteration = 0; iteration < iterations; iteration++)
        advance(simulation, simulation->parameters.dt);
    CUDA_CHECK(cudaMemcpy(simulation->out, simulation->bodies, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->bodies));
    CUDA_CHECK(cudaFree(simulation->body_masses));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->forces));
    free(simulation);
}

#endif
