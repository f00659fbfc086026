/* The octree as the solution of its own step builds it, for steps that walk it. */
#ifndef GROWN_H
#define GROWN_H

#include "octree.h"
#include "grid_barrier.h"

enum { CHILDREN = 8 }; /* of a node, at most; as many lanes of a warp work on one node */

/* Three bits of a key, the first below its sign bit, are a digit: one per level. */
__device__ static inline int shift_of(int level) {
    return 3 * (LEVELS - 1 - level);
}

/* The bits of a coordinate, with two zeros between neighbouring ones. */
__device__ static inline curve_key spread(unsigned coordinate) {
    curve_key bits = coordinate;

    bits = (bits | bits << 32) & 0x001f00000000ffffull;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffull;
    bits = (bits | bits << 8) & 0x100f00f00f00f00full;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3ull;
    bits = (bits | bits << 2) & 0x1249249249249249ull;
    return bits;
}

__device__ curve_key key_of(uint3 cell) {
    if (HILBERT)
        cell = along_hilbert(cell);
    return spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z);
}

/* The level of the smallest cell that holds both bodies: how many first digits their keys share. */
__device__ static inline int common_level(curve_key one, curve_key other) {
    int level = LEVELS;

    if (one != other)
        level = (__clzll(one ^ other) - 1) / 3;
    return level;
}

/* Bodies begin ... end - 1 share `level` digits. Returns the first whose next digit is not below
 * `digit`; `end` if there is none. */
__device__ static inline int first_not_below(const curve_key *keys, int begin, int end, int level,
                                             int digit) {
    while (begin < end) {
        int middle = begin + (end - begin) / 2;

        if ((int)(keys[middle] >> shift_of(level) & (CHILDREN - 1)) < digit)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Finds the children of all nodes of a generation, which are the next generation. */
__device__ static inline void split(const struct job *job, int depth) {
    struct generation own = job->generations[depth];
    int end = own.begin + own.count, lane = threadIdx.x % WARP, octant = lane % CHILDREN;
    int warp = (blockIdx.x * THREADS + threadIdx.x) / WARP, warps = gridDim.x * THREADS / WARP;

    if (blockIdx.x == 0 && threadIdx.x == 0) {
        job->generations[depth + 1].begin = end;
        *job->nodes = end;
    }
    for (int first = own.begin + warp * (WARP / CHILDREN); first < end;
         first += warps * (WARP / CHILDREN)) {
        int i = first + lane / CHILDREN, level = LEVELS;
        int4 links = i < end ? job->links[i] : make_int4(0, 0, 0, 0);
        int bodies_end = links.x + links.y, from = bodies_end, child = 0;

        if (i < end)
            level = common_level(job->keys[links.x], job->keys[bodies_end - 1]);
        if (links.y > job->leaf && level < LEVELS)
            from = first_not_below(job->keys, links.x, bodies_end, level, octant);
        int to = __shfl_down_sync(ALL_LANES, from, 1, CHILDREN);
        to = octant == CHILDREN - 1 ? bodies_end : to;
        unsigned children = __ballot_sync(ALL_LANES, from < to);

        if (lane == 0)
            child = end + atomicAdd(&job->generations[depth + 1].count, __popc(children));
        child = __shfl_sync(ALL_LANES, child, 0);
        child += __popc(children & ((1u << lane) - 1));
        if (from < to)
            job->links[child] = make_int4(from, to - from, 0, 0);
        int count = __popc(children >> (lane - octant) & ((1 << CHILDREN) - 1));

        __syncwarp(); /* shuffles and votes order no memory: now all eight have read links[i] */
        if (octant == 0 && i < end) {
            if (count)
                job->links[i] = make_int4(links.x, links.y, child, count);
            job->cells[i] = cell_of(job->cube, job->sorted[links.x], level);
        }
    }
}

/* The mass and the centre of mass of so many parts. Eight lanes work on a node, and all of them get
 * the result. All lanes of the warp come here. */
__device__ static inline float4 centre_of(const float4 *parts, int count, int lane) {
    double x = 0, y = 0, z = 0, mass = 0;

    for (int k = lane; k < count; k += CHILDREN) {
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

/* Masses and centres of mass of a generation, from bodies or from children, which have theirs. */
__device__ static inline void add_up(const struct job *job, int depth) {
    struct generation own = job->generations[depth];
    int end = own.begin + own.count, lane = threadIdx.x % WARP % CHILDREN;
    int warp = (blockIdx.x * THREADS + threadIdx.x) / WARP, warps = gridDim.x * THREADS / WARP;

    for (int first = own.begin + warp * (WARP / CHILDREN); first < end;
         first += warps * (WARP / CHILDREN)) {
        int i = first + threadIdx.x % WARP / CHILDREN;
        int4 links = i < end ? job->links[i] : make_int4(0, 0, 0, 0);
        const float4 *parts = links.w ? job->centres + links.z : job->sorted + links.x;
        float4 centre = centre_of(parts, links.w ? links.w : links.y, lane);
        struct tree_moments moments = {};

        if (MOMENTS)
            moments = add_moments(job, links, lane, centre);
        if (lane == 0 && i < end) {
            job->centres[i] = centre;
            if (MOMENTS)
                job->moments[i] = moments;
        }
    }
}

/* All depths in one launch: blocks wait for each other. */
static __global__ void __launch_bounds__(THREADS, BLOCKS) build_in_one(struct job job) {
    unsigned goal = 0;
    int depth = 0;

    for (; job.generations[depth].count > 0; depth++) {
        split(&job, depth);
        grid_barrier(job.arrived, goal += gridDim.x);
    }
    while (depth-- > 0) {
        add_up(&job, depth);
        grid_barrier(job.arrived, goal += gridDim.x);
    }
}

static void build(struct octree *octree) {
    build_in_one<<<octree->blocks, THREADS>>>(octree->job);
}

#endif
