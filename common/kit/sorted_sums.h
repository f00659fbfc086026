/* The host's side of a simulation whose kernels add up forces on bodies sorted along a curve. The
 * sums are integers, or with FLOAT_SUMS floats. TENSOR_CORES is 0 to do without tensor cores. */
#ifndef SORTED_SUMS_H
#define SORTED_SUMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "fragments.h"
#include "nbody_masses.h"
#include "sort.h"
#include "third_law.h"

enum {
    WAVES = 16,         /* so many times as many blocks as fill the GPU */
    SORT_EVERY = 16,    /* iterations */
    LEAST_BODIES = 1024 /* on tensor cores */
};

/* Lengths on tensor cores are in units of 32 sqrt(softening): no r^-3 is then above 32^3 = 32768,
 * and halves go to 65504. r^2 is a difference of squares of coordinates relative to a group's
 * centre: with groups of at most this half side it keeps half of the softening. With all bodies in
 * a box of that half side, the smallest r^-3 is a half with all its bits. Coordinates are then
 * below 15 units, so the heaviest body may weigh 1024, and light ones have more bits of a half. */
static const float unit = 32, largest_group = 128, largest_box = 230, heaviest = 1024;

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    int room; /* n, up to whole groups of either size */
    int multiprocessors, has_tensor_cores;
    int on_tensor_cores; /* whether the bodies, when they were sorted, were a case for them */
    struct scales scales;
    float force_scale; /* where lengths and masses are those of bodies */
    float4 *host;      /* positions and velocities, or boxes */
    /* On the device: */
    float4 *positions, *velocities; /* n each, in the order of `in`, with the mass as w */
    float4 *sorted;                 /* room, along a curve, filled up without mass */
    float4 *boxes;                  /* of each group: centre, half of the longest side */
    unsigned long long *sums;       /* of force, 3 x room */
    struct sorter sorter;           /* its `by_code.order`: which body is at a place of `sorted` */
};

/* The step's own: forces on all bodies, where they are. */
static void sum_forces(struct simulation *simulation);

__device__ static inline float3 force_on(const unsigned long long *sums, int room, int i,
                                         float scale) {
    if (FLOAT_SUMS) {
        float4 sum = ((const float4 *)sums)[i];

        return make_float3(sum.x / scale, sum.y / scale, sum.z / scale);
    }
    return make_float3((float)(long long)sums[i] / scale, (float)(long long)sums[i + room] / scale,
                       (float)(long long)sums[i + 2 * room] / scale);
}

/* v += dt F, x += dt v. */
static __global__ void move(float4 *positions, float4 *velocities, const int *order, int n,
                            int room, const unsigned long long *sums, float scale, float dt) {
    int place = blockIdx.x * blockDim.x + threadIdx.x;

    if (place >= n)
        return;
    int i = order[place];
    float4 position = positions[i], velocity = velocities[i];
    float3 force = force_on(sums, room, place, scale);

    velocity.x += dt * force.x;
    velocity.y += dt * force.y;
    velocity.z += dt * force.z;
    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    velocities[i] = velocity;
    positions[i] = position;
}

/* Sorts the bodies along a curve, so that a group has a small box, and finds whether they suit
 * tensor cores: not if distances span more than halves can hold, from the softening on. */
static void sort(struct simulation *simulation) {
    int n = simulation->parameters.n, groups = simulation->room / GROUP;
    float softening_length = sqrtf(simulation->parameters.softening), largest = 0;
    float all = sorter_sort(&simulation->sorter, simulation->positions);
    float4 *boxes = simulation->host;

    sorter_arrange(&simulation->sorter, simulation->positions, simulation->room, GROUP,
                   simulation->sorted, simulation->boxes);
    CUDA_CHECK(
        cudaMemcpy(boxes, simulation->boxes, groups * sizeof *boxes, cudaMemcpyDeviceToHost));
    for (int group = 0; group < groups; group++)
        largest = fmaxf(largest, boxes[group].w);
    simulation->on_tensor_cores = simulation->has_tensor_cores && n >= LEAST_BODIES &&
                                  largest <= largest_group * softening_length &&
                                  all <= largest_box * softening_length;
}

/* Blocks for all groups of `group` bodies: as many as fill the GPU WAVES times. */
static dim3 grid_of(const struct simulation *simulation, int group) {
    int groups = blocks_of(simulation->parameters.n, group);
    int parts = blocks_of(WAVES * 4 * simulation->multiprocessors, groups);

    return dim3(groups, parts > groups ? groups : parts);
}

/* A force is at most 0.385 / softening times all mass; the largest one is to use 62 bits. */
static void set_scales(struct simulation *simulation, double largest, double all) {
    float softening = simulation->parameters.softening;
    float length = 1 / (unit * sqrtf(softening));
    float mass = largest > 0 ? heaviest / (float)largest : 1;
    double force = ldexp(1, 62) * softening / (0.385 * (all > 0 ? all : 1));

    simulation->force_scale = (float)force;
    simulation->scales = {length, softening * length * length, mass,
                          (float)(force * length * length / mass)};
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n, room = blocks_of(parameters->n, FLOAT_GROUP) * (size_t)FLOAT_GROUP;
    struct cudaDeviceProp device;

    if (!simulation)
        return NULL;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    simulation->room = (int)room;
    simulation->multiprocessors = device.multiProcessorCount;
    simulation->has_tensor_cores = TENSOR_CORES && device.major >= 8;
    if (TENSOR_CORES && device.major < 8)
        fprintf(stderr, "compute capability %d.%d is below 8.0: forces are summed in floats\n",
                device.major, device.minor);
    CUDA_CHECK(cudaMallocHost(&simulation->host, 2 * room * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->positions, 2 * n * sizeof(float4)));
    simulation->velocities = simulation->positions + n;
    CUDA_CHECK(cudaMalloc(&simulation->sorted, room * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->boxes, room / GROUP * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->sums, 3 * room * sizeof *simulation->sums));
    sorter_create(&simulation->sorter, (int)n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    const struct body *in = simulation->in;
    int n = simulation->parameters.n;
    size_t bytes = 2 * (size_t)n * sizeof(float4);
    float4 *host = simulation->host;
    double largest = 0, all = 0;

    for (int i = 0; i < n; i++) {
        float mass = simulation->masses ? simulation->masses[i] : 1;

        host[i] = make_float4(in[i].x, in[i].y, in[i].z, mass);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
        largest = fmax(largest, mass);
        all += mass;
    }
    set_scales(simulation, largest, all);
    CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration % SORT_EVERY == 0)
            sort(simulation);
        sum_forces(simulation);
        move<<<blocks_of(n, THREADS), THREADS>>>(
            simulation->positions, simulation->velocities, simulation->sorter.by_code.order, n,
            simulation->room, simulation->sums, simulation->force_scale, simulation->parameters.dt);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, simulation->positions, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        simulation->out[i] = {host[i].x,     host[i].y,     host[i].z,
                              host[n + i].x, host[n + i].y, host[n + i].z};
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    sorter_destroy(&simulation->sorter);
    CUDA_CHECK(cudaFree(simulation->sums));
    CUDA_CHECK(cudaFree(simulation->boxes));
    CUDA_CHECK(cudaFree(simulation->sorted));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFreeHost(simulation->host));
    free(simulation);
}

#endif
