/* What sources add for a block of targets: acceleration, jerk, potential and nearest source, for
 * any indices and places. Each target has a softening of its own. */
#ifndef SUMS_H
#define SUMS_H

#include <math.h>

#include "grape_backend.h"
#include "places.h"

enum { THREADS = 128, TILE = 128, BODIES = 4, BLOCKS = 3, SUMS = 7 };

/* Sources on the device, 16 bytes per load. */
struct sources {
    float4 *high;   /* of the place; the mass as w */
    float4 *low;    /* of the place; the index's bits as w */
    float4 *motion; /* the velocity */
};

struct target {
    struct place place;
    float3 v;
    float eps2;
    int index;
};

__device__ static inline struct target load_target(const struct i_body *body) {
    return {split_place(body->x),
            make_float3((float)body->v[0], (float)body->v[1], (float)body->v[2]), (float)body->eps2,
            body->index};
}

/* What a part of the sources adds: sums in the order of struct force, with the potential's
 * negative, and the tile of the nearest one, by its first slot; -1: there is none. */
struct __align__(16) partial {
    double sums[SUMS];
    float nearest; /* squared distance */
    int tile;
};

/* What a target feels of all sources of a device, and the slot of the nearest source with its
 * squared distance. */
struct felt {
    struct force force;
    float nearest;
    int slot;
};

/* The sums for one target over a tile. */
struct sums {
    float3 acceleration, jerk;
    float potential, nearest;
};

/* The square of a distance below which places count as the same: the cube of its inverse, times a
 * mass, still fits a float. */
#define SAME_PLACE 1e-24f

/* Adds a source's terms, after a test of its index and its distance. WANTS is of grape_backend.h;
 * what is not wanted is not computed. */
template <int WANTS>
__device__ static inline void interact(const struct target *own, float4 high, float4 low,
                                       float4 motion, struct sums *sums) {
    float3 r = distance(&own->place, high, low);
    float3 v = make_float3(motion.x - own->v.x, motion.y - own->v.y, motion.z - own->v.z);
    float r2 = squared(r), softened = r2 + own->eps2;
    int is_other = index_of(low) != own->index;
    float inverse = is_other && softened > SAME_PLACE ? rsqrtf(softened) : 0,
          inverse2 = inverse * inverse;
    float potential = high.w * inverse, scale = potential * inverse2;

    sums->potential += potential;
    if ((WANTS & WANTS_NEAREST) && is_other)
        sums->nearest = fminf(sums->nearest, r2);
    add(&sums->acceleration, scale, r.x, r.y, r.z);
    if (WANTS & WANTS_JERK) {
        add(&v, -3 * ((r.x * v.x + r.y * v.y + r.z * v.z) * inverse2), r.x, r.y, r.z);
        add(&sums->jerk, scale, v.x, v.y, v.z);
    }
}

struct tile {
    float4 high[TILE], low[TILE], motion[TILE];
};

/* Totals of a block's threads, in double. */
struct totals {
    double sums[SUMS][BODIES][THREADS];
    float nearest[BODIES][THREADS];
    int tile[BODIES][THREADS];
};

template <int WANTS>
__device__ static inline void add_tile(struct totals *totals, int b, const struct sums *sums,
                                       int start) {
    double(*total)[BODIES][THREADS] = totals->sums;
    int t = threadIdx.x;

    total[0][b][t] += sums->acceleration.x;
    total[1][b][t] += sums->acceleration.y;
    total[2][b][t] += sums->acceleration.z;
    if (WANTS & WANTS_JERK) {
        total[3][b][t] += sums->jerk.x;
        total[4][b][t] += sums->jerk.y;
        total[5][b][t] += sums->jerk.z;
    }
    total[6][b][t] += sums->potential;
    if ((WANTS & WANTS_NEAREST) && sums->nearest < totals->nearest[b][t]) {
        totals->nearest[b][t] = sums->nearest;
        totals->tile[b][t] = start;
    }
}

/* What the sources of part blockIdx.y add for targets of block blockIdx.x. SHARES threads share the
 * sources of a tile, each for the same BODIES targets. */
template <int WANTS, int SHARES>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    sum_part(struct sources sources, int n, int part, const struct i_body *bodies, int count,
             struct partial *partials) {
    enum { COLUMNS = THREADS / SHARES };
    __shared__ struct tile tile;
    __shared__ struct totals totals;
    int column = threadIdx.x % COLUMNS, share = threadIdx.x / COLUMNS;
    int first = blockIdx.x * COLUMNS * BODIES;
    int from = blockIdx.y * part, to = min(from + part, n);
    struct target own[BODIES];

#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        own[b] = load_target(&bodies[min(first + b * COLUMNS + column, count - 1)]);
        for (int s = 0; s < SUMS; s++)
            totals.sums[s][b][threadIdx.x] = 0;
        totals.nearest[b][threadIdx.x] = INFINITY;
        totals.tile[b][threadIdx.x] = -1;
    }
    for (int start = from; start < to; start += TILE) {
        int length = min(TILE, to - start);
        struct sums sums[BODIES] = {};

        __syncthreads();
        for (int j = threadIdx.x; j < length; j += THREADS) {
            tile.high[j] = sources.high[start + j];
            tile.low[j] = sources.low[start + j];
            tile.motion[j] = sources.motion[start + j];
        }
        __syncthreads();
#pragma unroll
        for (int b = 0; b < BODIES; b++)
            sums[b].nearest = INFINITY;
#pragma unroll 4
        for (int j = share; j < length; j += SHARES) {
            float4 high = tile.high[j], low = tile.low[j], motion = tile.motion[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++)
                interact<WANTS>(&own[b], high, low, motion, &sums[b]);
        }
#pragma unroll
        for (int b = 0; b < BODIES; b++)
            add_tile<WANTS>(&totals, b, &sums[b], start);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < COLUMNS * BODIES && first + k < count; k += THREADS) {
        int b = k / COLUMNS, thread = k % COLUMNS;
        struct partial partial = {};

        partial.tile = -1;
        for (int s = 0; s < SHARES; s++, thread += COLUMNS) {
            for (int sum = 0; sum < SUMS; sum++)
                partial.sums[sum] += totals.sums[sum][b][thread];
            take_nearer(&partial.nearest, &partial.tile, totals.nearest[b][thread],
                        totals.tile[b][thread]);
        }
        partials[(size_t)(first + k) * gridDim.y + blockIdx.y] = partial;
    }
}

/* A warp per target adds up the parts, always in the same order, and looks for the neighbour in the
 * tile that has it. */
static __global__ void add_parts(struct sources sources, int n, const struct i_body *bodies,
                                 int count, const struct partial *partials, int parts,
                                 struct felt *felt) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    struct partial all = {};
    float nearest = INFINITY;
    int slot = -1;

    if (i >= count)
        return;
    all.tile = -1;
    for (int part = lane; part < parts; part += WARP) {
        struct partial more = partials[(size_t)i * parts + part];

        for (int s = 0; s < SUMS; s++)
            all.sums[s] += more.sums[s];
        take_nearer(&all.nearest, &all.tile, more.nearest, more.tile);
    }
    for (int s = 0; s < SUMS; s++)
        all.sums[s] = over_warp(all.sums[s]);
    for (int half = WARP / 2; half; half /= 2)
        take_nearer(&all.nearest, &all.tile, __shfl_xor_sync(ALL_LANES, all.nearest, half),
                    __shfl_xor_sync(ALL_LANES, all.tile, half));
    struct target own = load_target(&bodies[i]);
    int end = all.tile < 0 ? -1 : min(all.tile + TILE, n);

    for (int j = all.tile + lane; j < end; j += WARP)
        if (index_of(sources.low[j]) != own.index)
            take_nearer(&nearest, &slot,
                        squared(distance(&own.place, sources.high[j], sources.low[j])), j);
    for (int half = WARP / 2; half; half /= 2)
        take_nearer(&nearest, &slot, __shfl_xor_sync(ALL_LANES, nearest, half),
                    __shfl_xor_sync(ALL_LANES, slot, half));
    if (lane == 0)
        felt[i] = {{{all.sums[0], all.sums[1], all.sums[2]},
                    {all.sums[3], all.sums[4], all.sums[5]},
                    -all.sums[6],
                    slot < 0 ? -1 : index_of(sources.low[slot])},
                   nearest,
                   slot};
}

typedef void sum_kernel(struct sources, int n, int part, const struct i_body *, int count,
                        struct partial *);

template <int WANTS> static sum_kernel *kernel_of(int shares) {
    return shares == 1   ? sum_part<WANTS, 1>
           : shares == 8 ? sum_part<WANTS, 8>
                         : sum_part<WANTS, 32>;
}

/* How a block of targets is spread over a device: the kernel, by the threads that share a target,
 * the grid, and the sources per part. */
struct layout {
    sum_kernel *kernel;
    dim3 grid; /* blocks of targets, and parts */
    int part;
};

/* If there are few targets, several threads share each, so that few threads are without one. The
 * number of parts is that of least cost, which counts whole waves of the `resident` blocks that the
 * device holds. */
static inline struct layout lay_out(int n, int count, int wants, int resident) {
    static const int shares[] = {1, 8, 32};
    enum { TURNS = 4, MOST_PARTIALS = 1 << 20 }; /* of 64 bytes */
    struct layout layout = {};
    int share = 1, blocks = 0;
    double least = INFINITY;

    for (int k = 0; k < 3 && (k == 0 || 4.0 * blocks * THREADS * BODIES / share > 5.0 * count);
         k++) {
        share = shares[k];
        blocks = divide_up(count, THREADS * BODIES / share);
    }
    layout.kernel = wants & WANTS_NEAREST ? kernel_of<WANTS_NEAREST | WANTS_JERK>(share)
                    : wants               ? kernel_of<WANTS_JERK>(share)
                                          : kernel_of<0>(share);
    for (int parts = 1; parts == 1 || (parts <= n / TILE && blocks * parts <= TURNS * resident &&
                                       (double)parts * count <= MOST_PARTIALS);
         parts++) {
        int part = divide_up(n, parts);
        double cost = (double)divide_up(blocks * parts, resident) * (part + 10 * share) +
                      2e-4 * parts * count * share;

        if (cost < least) {
            least = cost;
            layout.part = part;
            layout.grid = dim3(blocks, divide_up(n, part));
        }
    }
    return layout;
}

#endif
