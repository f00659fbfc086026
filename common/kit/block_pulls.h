/* What a block of stars feels of all stars. The sum over the sources is made in parts, so that a
 * block of few stars has work for the whole grid; the parts are added always in the same order. */
#ifndef BLOCK_PULLS_H
#define BLOCK_PULLS_H

#include "pulls.h"

#define ALL_LANES 0xffffffffu

/* The threads of a block are `columns` stars times `shares` of each tile. A unit of work for one
 * block of threads is a group of `columns` stars with a part of the sources. */
struct split {
    int columns, shares, groups, part, parts;
};

enum { WARP = 32, VALUES = sizeof(struct pull) / sizeof(double), LEAST_PART = 64 };

/* For `count` stars, 1 or more, of n: about `units` units, or fewer if parts would be shorter than
 * LEAST_PART. */
__host__ __device__ static inline struct split split_for(int count, int n, int units) {
    enum { LEAST_COLUMNS = 8 };
    int most = (n + LEAST_PART - 1) / LEAST_PART, parts;
    struct split split;

    split.columns = PULLS_THREADS;
    for (; split.columns > LEAST_COLUMNS && split.columns / 2 >= count; split.columns /= 2)
        ;
    split.shares = PULLS_THREADS / split.columns;
    split.groups = (count + split.columns - 1) / split.columns;
    parts = (units + split.groups - 1) / split.groups;
    parts = parts < most ? parts : most;
    split.part = (n + parts - 1) / parts;
    split.parts = (n + split.part - 1) / split.part;
    return split;
}

/* The most partial sums that a split_for() with so many units leads to. */
static inline size_t partials_of(int n, int units) {
    return (size_t)n + ((size_t)units + 1) * PULLS_THREADS;
}

/* The partial sums of one unit, by all threads of a block: those of star number k of the list are
 * partial[k * parts] and on. */
__device__ static inline void sum_unit(const struct source *sources, int n, const int *list,
                                       int count, struct split split, int unit,
                                       real softening_squared, struct pull *partial) {
    __shared__ double sums[VALUES][PULLS_THREADS];
    int column = threadIdx.x % split.columns, share = threadIdx.x / split.columns;
    int first = unit / split.parts * split.columns, part = unit % split.parts;
    int from = part * split.part;
    struct pull felt = pull_of(sources, from, min(from + split.part, n), share, split.shares,
                               sources[list[min(first + column, count - 1)]], softening_squared);

    for (int c = 0; c < 3; c++) {
        sums[c][threadIdx.x] = felt.acceleration[c];
        sums[3 + c][threadIdx.x] = felt.jerk[c];
    }
    __syncthreads();
    for (int t = threadIdx.x; t < VALUES * split.columns; t += PULLS_THREADS) {
        int k = t / VALUES, value = t % VALUES;
        double sum = 0;

        for (int s = 0; s < split.shares; s++)
            sum += sums[value][s * split.columns + k];
        if (first + k < count)
            ((double *)&partial[(size_t)(first + k) * split.parts + part])[value] = sum;
    }
}

/* The sum of the parts of one star, by all lanes of a warp, each of which gets it. A lane takes the
 * same value of every fifth part. */
__device__ static inline struct pull add_parts(const struct pull *partial, int parts) {
    enum { SETS = WARP / VALUES, TAKING = SETS * VALUES };
    const double *values = (const double *)partial;
    int lane = threadIdx.x % WARP;
    double own = 0, total = 0;
    struct pull pull;

    for (int k = lane; lane < TAKING && k < parts * VALUES; k += TAKING)
        own += values[k];
    for (int set = 0; set < SETS; set++)
        total += __shfl_sync(ALL_LANES, own, set * VALUES + lane % VALUES);
    for (int c = 0; c < 3; c++) {
        pull.acceleration[c] = __shfl_sync(ALL_LANES, total, c);
        pull.jerk[c] = __shfl_sync(ALL_LANES, total, 3 + c);
    }
    return pull;
}

#endif
