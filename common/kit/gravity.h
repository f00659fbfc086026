/* The host's side of sums over sources for a block of targets, and how sources lie on the device.
 * THREADS, TILE and BODIES, targets per thread, are macros of the step. */
#ifndef GRAVITY_H
#define GRAVITY_H

#include <math.h>

#include "cuda_check.h"
#include "jerk.h"
#include "places.h"

/* Sources on the device, 16 bytes per load. */
struct sources {
    int count;
    float4 *high;   /* of the place; the mass as w */
    float4 *low;    /* of the place; the index's bits as w */
    float4 *motion; /* the velocity */
    /* A hash table of slots, where sources lie in these arrays, by index; -1: empty. It has
     * mask + 1 places, a power of two, at least half of them empty. */
    int *table, mask;
};

/* Where an index is looked for first; Knuth's multiplier. */
__device__ static inline int hash_of(const struct sources *sources, int index) {
    return (int)((unsigned)index * 2654435769u >> 7) & sources->mask;
}

/* The slot of the source with that index; -1: there is none. */
__device__ static inline int slot_of(const struct sources *sources, int index) {
    int at = hash_of(sources, index), slot;

    while ((slot = sources->table[at]) >= 0 && index_of(sources->low[slot]) != index)
        at = (at + 1) & sources->mask;
    return slot;
}

static __global__ void pack_sources(const struct particle *particles, struct sources sources) {
    int slot = blockIdx.x * blockDim.x + threadIdx.x;

    if (slot >= sources.count)
        return;
    struct particle particle = particles[slot];
    struct place place = split_place(particle.star.x);
    const double *v = particle.star.v;

    sources.high[slot] =
        make_float4(place.high.x, place.high.y, place.high.z, (float)particle.star.mass);
    sources.low[slot] =
        make_float4(place.low.x, place.low.y, place.low.z, __int_as_float(particle.index));
    sources.motion[slot] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);

    int at = hash_of(&sources, particle.index);

    while (atomicCAS(&sources.table[at], -1, slot) != -1)
        at = (at + 1) & sources.mask;
}

struct target {
    struct place place;
    float3 v;
    int index;
};

__device__ static inline struct target load_target(const struct particle *particle) {
    const double *v = particle->star.v;

    return {split_place(particle->star.x), make_float3((float)v[0], (float)v[1], (float)v[2]),
            particle->index};
}

/* What a part of the sources adds to a target: sums in the order of struct force, and the tile that
 * has the nearest source, by its first slot; -1: there is none. */
enum { SUMS = 7 };
struct __align__(16) partial {
    double sums[SUMS];
    float nearest; /* squared distance */
    int tile;
};

struct gravity {
    struct jerk_parameters parameters;
    const struct particle *from, *targets;
    struct force *forces;
    /* On the device: */
    struct sources sources;
    struct particle *particles, *own; /* the sources, and the targets, as they came */
    struct force *felt;
    struct partial *partials; /* targets x parts */
    int shares;               /* threads that share a target */
    dim3 grid;                /* blocks of targets, and parts of the sources */
    int part;                 /* sources of a part */
};

/* The step's own: a kernel for `shares` threads per target, which writes what each part of `part`
 * sources adds for the targets, and the kernel that adds up the parts. */
typedef void sum_kernel(struct sources, int part, const struct particle *targets, int count,
                        float softening2, struct partial *);
static sum_kernel *kernel_for(int shares);
__global__ void add_parts(struct sources sources, const struct particle *targets, int count,
                          const struct partial *partials, int parts, struct force *forces);

/* If there are few targets, several threads share each, so that few threads are without one. The
 * number of parts is that of least cost, which counts whole waves of blocks. */
static void choose(struct gravity *gravity) {
    static const int shares[] = {1, 2, 8, 32};
    enum { MOST_PARTIALS = 1 << 24 }; /* of 64 bytes */
    int n = gravity->parameters.sources, count = gravity->parameters.targets;
    int multiprocessors, resident, blocks = 0;
    double least = INFINITY;

    for (int k = 0;
         k < 4 && (k == 0 || 4.0 * blocks * THREADS * BODIES / gravity->shares > 5.0 * count);
         k++) {
        gravity->shares = shares[k];
        blocks = divide_up(count, THREADS * BODIES / shares[k]);
    }
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel_for(gravity->shares),
                                                             THREADS, 0));
    resident = (resident ? resident : 1) * multiprocessors;
    for (int parts = 1; parts == 1 || (parts <= n / TILE && (double)parts * count <= MOST_PARTIALS);
         parts++) {
        int part = divide_up(n, parts);
        double cost = (double)divide_up(blocks * parts, resident) * (part + 10 * gravity->shares) +
                      2e-4 * parts * count * gravity->shares;

        if (cost < least) {
            least = cost;
            gravity->part = part;
            gravity->grid = dim3(blocks, divide_up(n, part));
        }
    }
}

static void compute(struct gravity *gravity) {
    int count = gravity->parameters.targets;
    float softening = (float)gravity->parameters.softening;

    kernel_for(gravity->shares)<<<gravity->grid, THREADS>>>(
        gravity->sources, gravity->part, gravity->own, count, softening * softening,
        gravity->partials);
    CUDA_CHECK(cudaGetLastError());
    add_parts<<<divide_up(count, THREADS / WARP), THREADS>>>(
        gravity->sources, gravity->own, count, gravity->partials, gravity->grid.y, gravity->felt);
    CUDA_CHECK(cudaGetLastError());
}
struct gravity *gravity_create(const struct jerk_parameters *parameters,
                               const struct particle *sources, const struct particle *targets,
                               struct force *forces) {
    struct gravity *gravity = (struct gravity *)calloc(1, sizeof *gravity);
    size_t n = parameters->sources, count = parameters->targets;

    if (!gravity)
        return NULL;
    gravity->parameters = *parameters;
    gravity->from = sources;
    gravity->targets = targets;
    gravity->forces = forces;
    choose(gravity);
    struct sources *own = &gravity->sources;
    own->count = parameters->sources;
    own->mask = 1;
    while ((size_t)own->mask + 1 < 2 * n)
        own->mask = 2 * own->mask + 1;
    CUDA_CHECK(cudaMalloc(&own->high, n * sizeof *own->high));
    CUDA_CHECK(cudaMalloc(&own->low, n * sizeof *own->low));
    CUDA_CHECK(cudaMalloc(&own->motion, n * sizeof *own->motion));
    CUDA_CHECK(cudaMalloc(&own->table, (own->mask + (size_t)1) * sizeof *own->table));
    CUDA_CHECK(cudaMalloc(&gravity->particles, n * sizeof *gravity->particles));
    CUDA_CHECK(cudaMalloc(&gravity->own, count * sizeof *gravity->own));
    CUDA_CHECK(cudaMalloc(&gravity->felt, count * sizeof *gravity->felt));
    CUDA_CHECK(cudaMalloc(&gravity->partials, gravity->grid.y * count * sizeof *gravity->partials));
    return gravity;
}

void gravity_passes(struct gravity *gravity, int passes) {
    for (int pass = 0; pass < passes; pass++)
        compute(gravity);
}

int gravity_run(struct gravity *gravity, int passes) {
    struct sources *sources = &gravity->sources;
    size_t count = gravity->parameters.targets;

    CUDA_CHECK(cudaMemcpy(gravity->particles, gravity->from,
                          sources->count * sizeof *gravity->particles, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemset(sources->table, 0xff, (sources->mask + (size_t)1) * sizeof *sources->table));
    pack_sources<<<divide_up(sources->count, THREADS), THREADS>>>(gravity->particles, *sources);
    CUDA_CHECK(cudaGetLastError());
    for (int pass = 0; pass < passes; pass++) {
        CUDA_CHECK(cudaMemcpy(gravity->own, gravity->targets, count * sizeof *gravity->own,
                              cudaMemcpyHostToDevice));
        compute(gravity);
        CUDA_CHECK(cudaMemcpy(gravity->forces, gravity->felt, count * sizeof *gravity->felt,
                              cudaMemcpyDeviceToHost));
    }
    return 0;
}

void gravity_destroy(struct gravity *gravity) {
    CUDA_CHECK(cudaFree(gravity->sources.high));
    CUDA_CHECK(cudaFree(gravity->sources.low));
    CUDA_CHECK(cudaFree(gravity->sources.motion));
    CUDA_CHECK(cudaFree(gravity->sources.table));
    CUDA_CHECK(cudaFree(gravity->particles));
    CUDA_CHECK(cudaFree(gravity->own));
    CUDA_CHECK(cudaFree(gravity->felt));
    CUDA_CHECK(cudaFree(gravity->partials));
    free(gravity);
}

#endif
