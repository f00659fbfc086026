/* The host's side of a simulation on several devices: what each rank has, how bodies come and go.
 * Macros: THREADS per block, DEVICES at most, 0 for all there are. */
#ifndef RANKS_H
#define RANKS_H

#include <stdlib.h>

#include "cuda_check.h"
#include "exchange.h"
#include "nbody_masses.h"

enum { BODIES = 4 }; /* per thread; a block has THREADS threads */

/* Bodies first, first + 1, ..., count of them. After body n - 1 comes body 0. */
struct range {
    int first, count;
};

/* How the forces from a range are spread over a device. */
struct grid {
    struct range others;
    int part, parts; /* bodies of a part, and how many parts there are */
    int row;         /* of `forces`, where the first part's go */
};
enum { NEAR, FAR }; /* from a device's own bodies, and from all others */

/* What a rank has on its device. */
struct device {
    struct range own; /* the bodies that it moves */
    struct grid grids[2];
    struct body *bodies; /* its own, as they come and go */
    float *masses;       /* its own; NULL: all are 1 */
    float3 *velocities;  /* its own */
    float3 *forces;      /* rows x own: what each part of a range adds up to */
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    struct exchange *exchange;
    int share; /* bodies of a rank; the last ranks may have fewer, or none */
    struct device devices[MOST_RANKS];
    float4 *positions[2][MOST_RANKS]; /* of all bodies, with the mass as w: now and next */
};

/* The step's own: the bodies that a rank moves. */
static struct range share_of(int n, int share, int rank);

static __global__ void unpack(const struct body *bodies, const float *masses, struct range own,
                              float4 *positions, float3 *velocities) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= own.count)
        return;
    struct body body = bodies[i];

    positions[own.first + i] = make_float4(body.x, body.y, body.z, masses ? masses[i] : 1);
    velocities[i] = make_float3(body.vx, body.vy, body.vz);
}

static __global__ void pack(const float4 *positions, const float3 *velocities, struct range own,
                            struct body *bodies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= own.count)
        return;
    float4 position = positions[own.first + i];
    float3 velocity = velocities[i];
    struct body body = {position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};

    bodies[i] = body;
}

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* As many parts as give every multiprocessor enough blocks, but none shorter than SHORTEST_PART. */
static inline struct grid grid_of(struct range own, struct range others, int row) {
    enum { BLOCKS_A_MULTIPROCESSOR = 32, SHORTEST_PART = 64 };
    int multiprocessors, device;
    struct grid grid = {others, 0, 0, row};

    if (!own.count || !others.count)
        return grid;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    int parts = divide_up(BLOCKS_A_MULTIPROCESSOR * multiprocessors,
                          divide_up(own.count, THREADS * BODIES));

    grid.part = divide_up(divide_up(others.count, parts), SHORTEST_PART) * SHORTEST_PART;
    grid.parts = divide_up(others.count, grid.part);
    return grid;
}

/* Rows of a device's forces. */
static inline int rows_of(const struct device *device) {
    return device->grids[NEAR].parts + device->grids[FAR].parts;
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    struct exchange *exchange = exchange_create(DEVICES);
    int n = parameters->n;

    if (!simulation || !exchange)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    simulation->exchange = exchange;
    simulation->share = divide_up(n, exchange->ranks);
    for (int rank = exchange->first; rank < exchange->last; rank++) {
        struct device *device = &simulation->devices[rank];
        struct range own = share_of(n, simulation->share, rank);
        struct range others = {own.first + own.count, n - own.count};
        size_t all = (size_t)exchange->ranks * simulation->share * sizeof(float4);

        exchange_use(exchange, rank);
        device->own = own;
        device->grids[NEAR] = grid_of(own, own, 0);
        device->grids[FAR] = grid_of(own, others, device->grids[NEAR].parts);
        CUDA_CHECK(cudaMalloc(&device->bodies, own.count * sizeof *device->bodies));
        if (masses)
            CUDA_CHECK(cudaMalloc(&device->masses, own.count * sizeof *device->masses));
        CUDA_CHECK(cudaMalloc(&device->velocities, own.count * sizeof *device->velocities));
        CUDA_CHECK(cudaMalloc(&device->forces,
                              (size_t)rows_of(device) * own.count * sizeof *device->forces));
        CUDA_CHECK(cudaMalloc(&simulation->positions[0][rank], all));
        CUDA_CHECK(cudaMalloc(&simulation->positions[1][rank], all));
    }
    return simulation;
}

/* Every device gets its own bodies and sets up their positions. */
static inline void load(struct simulation *simulation) {
    struct exchange *exchange = simulation->exchange;
    size_t n = simulation->parameters.n;

    exchange_broadcast(exchange, (void *)simulation->in, n * sizeof *simulation->in);
    if (simulation->masses)
        exchange_broadcast(exchange, (void *)simulation->masses, n * sizeof(float));
    for (int rank = exchange->first; rank < exchange->last; rank++) {
        struct device *device = &simulation->devices[rank];
        struct range own = device->own;

        if (!own.count)
            continue;
        exchange_use(exchange, rank);
        CUDA_CHECK(cudaMemcpy(device->bodies, simulation->in + own.first,
                              own.count * sizeof *device->bodies, cudaMemcpyHostToDevice));
        if (simulation->masses)
            CUDA_CHECK(cudaMemcpy(device->masses, simulation->masses + own.first,
                                  own.count * sizeof(float), cudaMemcpyHostToDevice));
        unpack<<<divide_up(own.count, THREADS), THREADS>>>(device->bodies, device->masses, own,
                                                           simulation->positions[0][rank],
                                                           device->velocities);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* Every device writes its own bodies to `out`. */
static inline void store(struct simulation *simulation, int now) {
    struct exchange *exchange = simulation->exchange;
    size_t n = simulation->parameters.n, bytes = sizeof *simulation->out;

    for (int rank = exchange->first; rank < exchange->last; rank++) {
        const struct device *device = &simulation->devices[rank];

        if (!device->own.count)
            continue;
        exchange_use(exchange, rank);
        pack<<<divide_up(device->own.count, THREADS), THREADS>>>(
            simulation->positions[now][rank], device->velocities, device->own, device->bodies);
        CUDA_CHECK(cudaGetLastError());
    }
    for (int rank = exchange->first; rank < exchange->last; rank++) {
        const struct device *device = &simulation->devices[rank];

        exchange_use(exchange, rank);
        if (device->own.count)
            CUDA_CHECK(cudaMemcpy(simulation->out + device->own.first, device->bodies,
                                  device->own.count * bytes, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaDeviceSynchronize()); /* a rank without bodies fetches positions, too */
    }
    exchange_collect(exchange, simulation->out, simulation->share * bytes, n * bytes);
}

void simulation_destroy(struct simulation *simulation) {
    struct exchange *exchange = simulation->exchange;

    for (int rank = exchange->first; rank < exchange->last; rank++) {
        struct device *device = &simulation->devices[rank];

        exchange_use(exchange, rank);
        CUDA_CHECK(cudaFree(device->bodies));
        CUDA_CHECK(cudaFree(device->masses));
        CUDA_CHECK(cudaFree(device->velocities));
        CUDA_CHECK(cudaFree(device->forces));
        CUDA_CHECK(cudaFree(simulation->positions[0][rank]));
        CUDA_CHECK(cudaFree(simulation->positions[1][rank]));
    }
    exchange_destroy(exchange);
    free(simulation);
}

#endif
