/* What all programs that move bodies by an octree share, apart from their ideas: bodies as they
 * come and go, their groups, their new order. */
#ifndef ORBITERS_H
#define ORBITERS_H

#include <time.h>

#include <utility>

#include "exchange.h"
#include "orbits.h"
#include "walked.h"

/* Times are whole numbers of ticks, and steps powers of two of them, so that bodies meet exactly.
 */
typedef unsigned ticks;

#define INTERVAL ((ticks)1 << 30) /* ticks per interval, the longest step */
#define SHORTEST (INTERVAL >> 24) /* a shorter step would never finish an interval */

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
    int next;         /* the first of these that no warp has yet */
    ticks left;       /* of the interval, after the first end of any body's step */
    unsigned arrived; /* of the grid's barrier */
    int stuck;        /* a step became too short */
    int changed;      /* orbiters that the other devices have to be told of */
};

/* What kernels are told; all memory is the device's. */
struct flight {
    int n;
    int device, devices; /* this one's number, and how many there are; each has tiles of its own */
    float tick;          /* of time */
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

/* What a device has: all bodies, and a tree of its own. */
struct device {
    struct octree *tree;
    struct errand errand;
    struct flight flight, other;   /* the latter's orbiters and numbers: room for a new order */
    int blocks;                    /* of a walk, that run at a time */
    struct change *changes, *told; /* its own, and those of all; NULL: it is alone */
};

struct orbits {
    const struct star *in;
    struct star *out;
    struct exchange *exchange;
    struct device devices[MOST_RANKS];
    struct tuner tuner;                  /* the next run begins with what the last one learned */
    long long block_steps, trees, steps; /* of the last run; `steps`: of single bodies */
};

enum {
    WALK_BLOCKS = 2, /* of a walk, per multiprocessor */
    TILE_ROUNDS = 4,
    TILE = TILE_ROUNDS * THREADS /* orbiters of which a block of threads makes groups */
};

/* The file's own: where an orbiter is at a time. */
__device__ float4 predict(const struct orbiter *orbiter, ticks time, float tick);

/* A device, which becomes the current one. */
static inline struct device *use(struct orbits *orbits, int device) {
    exchange_use(orbits->exchange, device);
    return &orbits->devices[device];
}

static inline double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The step that follows one that ends at a time, where `wanted` ticks are short enough: doubled
 * once, if that fits; or halved until it is as short as wanted. */
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

/* Tiles go round-robin to the devices, so that each has some of every region. */
__device__ static inline bool is_own(const struct flight *flight, int i) {
    return i / TILE % flight->devices == flight->device;
}

/* The first place of a group of this device's that no warp has yet; block.places or more: there is
 * none. */
__device__ static inline int next_due(const struct errand *errand, const struct flight *flight) {
    int first;

    do {
        first = next_group(errand, GROUP);
    } while (first < flight->block->places && !is_own(flight, flight->list[first]));
    return first;
}

/* The groups of a list have `size` of `all` orbiters each, the last one perhaps fewer. Their other
 * places get ~i, where i is the group's first orbiter: these places walk, but move nothing. All
 * threads of the block come here. */
__device__ static inline void fill_up(int *list, int all, int size) {
    for (int k = threadIdx.x; k < divide_up(all, size) * GROUP; k += THREADS)
        if (k % GROUP >= min(size, all - k / GROUP * size))
            list[k] = ~list[k / GROUP * GROUP];
}

/* What a node has: its children's centres, or the places of its bodies. */
__device__ static inline const float4 *parts_of(const struct flight *flight, int4 links) {
    return links.w ? flight->centres + links.z : flight->places + links.x;
}

/* A node's mass and centre of mass; as the other centre_of(). */
__device__ static inline float4 centre_of(const struct flight *flight, int4 links, int lane) {
    return centre_of(parts_of(flight, links), links.w ? links.w : links.y, lane);
}

/* The squares of the distances from which the walk accepts a node of that mass and size. */
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

/* Makes a new tree of the places where orbiters are at that time, and puts the orbiters into its
 * order. All devices have the same bodies, to the bit, and so make the same tree. */
static void make_tree(struct device *device, ticks time) {
    struct flight *flight = &device->flight, *other = &device->other;
    struct octree *tree = device->tree;
    int blocks = divide_up(flight->n, THREADS);

    predict_all<<<blocks, THREADS>>>(*flight, time, tree->job.bodies);
    tree->made = 0;
    octree_builds(tree, 1);
    reorder<<<blocks, THREADS>>>(*flight, *other, tree->sort.order);
    std::swap(flight->orbiters, other->orbiters);
    std::swap(flight->numbers, other->numbers);
}

static void make_trees(struct orbits *orbits, ticks time) {
    for (int d = 0; d < orbits->exchange->ranks; d++)
        make_tree(use(orbits, d), time);
    orbits->trees++;
}

#endif
