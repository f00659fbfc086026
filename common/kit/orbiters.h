/* What programs that move bodies by an octree share and is the idea of none: memory, bodies as they
 * come and go, their new order, and the functions of the contract. */
#ifndef ORBITERS_H
#define ORBITERS_H

#include <time.h>

#include <utility>

#include "orbits.h"
#include "walked.h"

/* Times are whole numbers of ticks, and steps powers of two of them, so that bodies meet exactly.
 */
typedef unsigned ticks;

#define INTERVAL ((ticks)1 << 30) /* of an interval, which is the longest step */
#define SHORTEST (INTERVAL >> 24) /* of a step; no run would ever end an interval of such */

/* A body: its place and mass, its velocity and what it felt, all at its own time in the interval;
 * its next step ends at time + step. A step of 0: it has not felt anything yet. */
struct __align__(16) orbiter {
    float4 at;
    float3 v;
    ticks time;
    float3 a;
    ticks step;
};

/* What a block step finds out; all 0 before it. */
struct block {
    int due;          /* bodies */
    int places;       /* of the list that are taken */
    int next;         /* of these: a group that no warp has */
    ticks left;       /* of the interval when the next step ends, the first of all bodies' */
    unsigned arrived; /* of the grid's barrier */
    int stuck;        /* a step became too short */
};

/* What kernels are told; all memory is the device's. */
struct flight {
    int n;
    float tick; /* of time */
    float push; /* a body that feels a may take the root of push / |a| as its step, in ticks */
    struct star *stars;       /* n, as they come and go */
    struct orbiter *orbiters; /* n, in the order of the tree's keys */
    int *numbers;             /* n: theirs among the stars */
    float4 *places;           /* n: where orbiters are at the time of the block step, and masses */
    float4 *centres;          /* of nodes, as in struct job */
    float *reach;             /* of nodes: no body is farther from the centre of mass */
    int *list;                /* of orbiters that are due, in groups of GROUP */
    struct block *block;
};

/* How many block steps a tree is kept; by which factor that changes; and how many seconds a block
 * step took in the last interval. */
struct tuner {
    double kept, factor, took;
};

struct orbits {
    const struct star *in;
    struct star *out;
    struct octree *tree;
    struct errand errand;
    struct flight flight, other; /* the latter's orbiters and numbers: room for a new order */
    int blocks;                  /* of a walk, that run at a time */
    struct tuner tuner;          /* what a run has learned, the next one begins with */
    long long block_steps, trees, steps; /* that the last run made; of bodies */
};

enum {
    WALK_BLOCKS = 2, /* of a walk, per multiprocessor */
    TILE_ROUNDS = 4,
    TILE = TILE_ROUNDS * THREADS /* orbiters of which a block of threads makes groups */
};

/* The file's own. Where an orbiter is at a time; and all bodies moved to the end of so many
 * intervals: returns 0, or 1 if time does not go on. */
__device__ float4 predict(const struct orbiter *orbiter, ticks time, float tick);
static int move(struct orbits *orbits, int intervals);

static inline double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The step that follows one that ends at a time, where `wanted` ticks would do: halved until it is
 * as short as wanted; or doubled once, if that fits. */
__device__ static inline ticks next_step(ticks step, ticks time, float wanted) {
    if (2 * step <= INTERVAL && time % (2 * step) == 0 && (float)(2 * step) <= wanted)
        return 2 * step;
    for (; step > 1 && (float)step > wanted; step /= 2)
        ;
    return step;
}

/* Raises `left` to the greatest of all; all lanes of the warp come here. */
__device__ static inline void raise_to(ticks *left, ticks own) {
    for (int half = WARP / 2; half; half /= 2)
        own = max(own, __shfl_xor_sync(ALL_LANES, own, half));
    if (threadIdx.x % WARP == 0)
        atomicMax(left, own);
}

/* Groups of a list that have `size` of `all` orbiters each, but for the last one, get ~i of their
 * own first orbiter i in all other places: such places walk, and nothing moves by them. All threads
 * of the block come here. */
__device__ static inline void fill_up(int *list, int all, int size) {
    for (int k = threadIdx.x; k < divide_up(all, size) * GROUP; k += THREADS)
        if (k % GROUP >= min(size, all - k / GROUP * size))
            list[k] = ~list[k / GROUP * GROUP];
}

/* What a node has: its children's centres, or the places of its bodies. */
__device__ static inline const float4 *parts_of(const struct flight *flight, int4 links) {
    return links.w ? flight->centres + links.z : flight->places + links.x;
}

/* A node's mass and centre of mass. Eight lanes have it, and all of them get these; all lanes of
 * the warp come here. */
__device__ static inline float4 centre_of(const struct flight *flight, int4 links, int lane) {
    const float4 *parts = parts_of(flight, links);
    double x = 0, y = 0, z = 0, mass = 0;

    for (int k = lane; k < (links.w ? links.w : links.y); k += CHILDREN) {
        float4 part = parts[k];

        x += (double)part.w * part.x;
        y += (double)part.w * part.y;
        z += (double)part.w * part.z;
        mass += part.w;
    }
    for (int half = CHILDREN / 2; half; half /= 2) {
        x += __shfl_xor_sync(ALL_LANES, x, half);
        y += __shfl_xor_sync(ALL_LANES, y, half);
        z += __shfl_xor_sync(ALL_LANES, z, half);
        mass += __shfl_xor_sync(ALL_LANES, mass, half);
    }
    return make_float4((float)(x / mass), (float)(y / mass), (float)(z / mass), (float)mass);
}

/* The squares of the distances from which step 42 accepts a node of that mass and size. */
__device__ static inline float2 size_of(const struct errand *errand, float mass, float size) {
    float b2 = size * size;

    return errand->is_first ? make_float2(0, b2 / (errand->angle * errand->angle))
                            : make_float2(b2, sqrtf(mass * b2 / errand->accuracy));
}

static __global__ void enter(struct flight flight) {
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < flight.n) {
        struct star star = flight.stars[i];

        flight.orbiters[i] = {
            make_float4((float)star.x[0], (float)star.x[1], (float)star.x[2], (float)star.mass),
            make_float3((float)star.v[0], (float)star.v[1], (float)star.v[2]), 0,
            make_float3(0, 0, 0), 0};
        flight.numbers[i] = i;
    }
}

static __global__ void leave(struct flight flight) {
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < flight.n) {
        struct orbiter own = flight.orbiters[i];

        flight.stars[flight.numbers[i]] = {
            own.at.w, {own.at.x, own.at.y, own.at.z}, {own.v.x, own.v.y, own.v.z}};
    }
}

static __global__ void predict_all(struct flight flight, ticks time, float4 *places) {
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < flight.n)
        places[i] = predict(&flight.orbiters[i], time, flight.tick);
}

static __global__ void reorder(struct flight from, struct flight to, const int *order) {
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < from.n) {
        to.orbiters[i] = from.orbiters[order[i]];
        to.numbers[i] = from.numbers[order[i]];
    }
}

/* A new tree, of where orbiters are at that time; these get into its order. */
static void make_tree(struct orbits *orbits, ticks time) {
    struct flight *flight = &orbits->flight, *other = &orbits->other;
    struct octree *tree = orbits->tree;
    int blocks = divide_up(flight->n, THREADS);

    predict_all<<<blocks, THREADS>>>(*flight, time, tree->job.bodies);
    tree->made = 0;
    octree_builds(tree, 1);
    reorder<<<blocks, THREADS>>>(*flight, *other, tree->sort.order);
    std::swap(flight->orbiters, other->orbiters);
    std::swap(flight->numbers, other->numbers);
    orbits->trees++;
}

static inline size_t list_bytes(int n) {
    return (size_t)divide_up(n, TILE) * TILE * sizeof(int);
}

struct orbits *orbits_create(const struct orbits_parameters *parameters, const struct star *in,
                             struct star *out) {
    struct orbits *orbits = (struct orbits *)calloc(1, sizeof *orbits);
    struct tree_parameters of_tree = {parameters->n, parameters->leaf};
    struct tree none = {};
    size_t n = parameters->n ? parameters->n : 1;
    double tick = parameters->interval / INTERVAL;
    int multiprocessors;

    if (!orbits || !(orbits->tree = octree_create(&of_tree, NULL, &none))) {
        free(orbits);
        return NULL;
    }
    struct flight *flight = &orbits->flight;
    struct errand *errand = &orbits->errand;
    struct job *job = &orbits->tree->job;

    orbits->in = in;
    orbits->out = out;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    orbits->blocks = min(WALK_BLOCKS * multiprocessors, divide_up((int)n, THREADS));
    orbits->tuner = {4, 1.5, INFINITY};
    flight->n = parameters->n;
    flight->tick = (float)tick;
    flight->push = (float)(2 * parameters->eta * parameters->softening / (tick * tick));
    flight->places = job->sorted;
    flight->centres = job->centres;
    CUDA_CHECK(cudaMalloc(&flight->stars, n * sizeof *flight->stars));
    CUDA_CHECK(cudaMalloc(&flight->reach, 2 * n * sizeof *flight->reach));
    CUDA_CHECK(cudaMalloc(&flight->list, list_bytes((int)n)));
    CUDA_CHECK(cudaMalloc(&flight->block, sizeof *flight->block));
    CUDA_CHECK(cudaMalloc(&flight->orbiters, n * sizeof *flight->orbiters));
    CUDA_CHECK(cudaMalloc(&flight->numbers, n * sizeof *flight->numbers));
    CUDA_CHECK(cudaMalloc(&orbits->other.orbiters, n * sizeof *flight->orbiters));
    CUDA_CHECK(cudaMalloc(&orbits->other.numbers, n * sizeof *flight->numbers));
    errand->n = parameters->n;
    errand->bodies = job->sorted;
    errand->centres = job->centres;
    errand->links = job->links;
    errand->softening_squared = (float)(parameters->softening * parameters->softening);
    errand->angle = (float)parameters->angle;
    errand->accuracy = (float)parameters->accuracy;
    errand->next = &flight->block->next;
    CUDA_CHECK(cudaMalloc(&errand->sizes, 2 * n * sizeof *errand->sizes));
    CUDA_CHECK(cudaMalloc(&errand->waiting, (size_t)orbits->blocks * (THREADS / WARP) *
                                                MOST_WAITING * sizeof *errand->waiting));
    return orbits;
}

int orbits_run(struct orbits *orbits, int intervals) {
    struct flight flight = orbits->flight;
    size_t bytes = flight.n * sizeof *flight.stars;
    int blocks = divide_up(flight.n, THREADS);

    if (flight.n == 0)
        return 0;
    CUDA_CHECK(cudaMemcpy(flight.stars, orbits->in, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(flight.list, 0, list_bytes(flight.n))); /* for an unwritten part 2 */
    enter<<<blocks, THREADS>>>(flight);
    orbits->errand.is_first = 1;
    orbits->block_steps = orbits->trees = orbits->steps = 0;
    if (move(orbits, intervals)) {
        fprintf(stderr, "time does not go on: a body's step fell below an interval's 2^-24, or a "
                        "body that was due is in no group and its step never ended\n");
        return 1;
    }
    leave<<<blocks, THREADS>>>(orbits->flight); /* which make_tree may have swapped */
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(orbits->out, flight.stars, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void orbits_destroy(struct orbits *orbits) {
    struct flight flight = orbits->flight;

    octree_destroy(orbits->tree);
    CUDA_CHECK(cudaFree(flight.stars));
    CUDA_CHECK(cudaFree(flight.reach));
    CUDA_CHECK(cudaFree(flight.list));
    CUDA_CHECK(cudaFree(flight.block));
    CUDA_CHECK(cudaFree(flight.orbiters));
    CUDA_CHECK(cudaFree(flight.numbers));
    CUDA_CHECK(cudaFree(orbits->other.orbiters));
    CUDA_CHECK(cudaFree(orbits->other.numbers));
    CUDA_CHECK(cudaFree(orbits->errand.sizes));
    CUDA_CHECK(cudaFree(orbits->errand.waiting));
    free(orbits);
}

#endif
