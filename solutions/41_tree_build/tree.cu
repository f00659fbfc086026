/* Step 41: an octree without recursion. Once the bodies are sorted along a curve through space,
 * those of any cell lie side by side. So a node is a range of bodies, and a search for the places
 * where each digit begins finds its children. The grid goes down depth by depth, then adds masses
 * up on the way back. */
#include <cooperative_groups.h>

#include "octree.h"
#include "grid_barrier.h"

enum { CHILDREN = 8 }; /* of a node, at most; as many lanes of a warp work on one node */

/* Three bits of a key, the first below its sign bit, are a digit: one per level. */
__device__ int shift_of(int level) {
    return 3 * (LEVELS - 1 - level);
}

/* The bits of a coordinate, with two zeros between neighbouring ones. */
__device__ curve_key spread(unsigned coordinate) {
    curve_key bits = coordinate;

    /* part 1, 5 lines: Move bit k to place 3 k: split groups of bits in halves, five times. */
    bits = (bits | bits << 32) & 0x001f00000000ffffull;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffull;
    bits = (bits | bits << 8) & 0x100f00f00f00f00full;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3ull;
    bits = (bits | bits << 2) & 0x1249249249249249ull;
    /* end of part 1 */
    return bits;
}

__device__ curve_key key_of(uint3 cell) {
    if (HILBERT)
        cell = along_hilbert(cell);
    return spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z);
}

/* The level of the smallest cell that holds both bodies: how many first digits their keys share. */
__device__ int common_level(curve_key one, curve_key other) {
    int level = LEVELS;

    /* part 2, 2 lines: Count the digits before the first different bit; equal keys share all. */
    if (one != other)
        level = (__clzll(one ^ other) - 1) / 3;
    /* until solved:
    (void)one, (void)other;
    */
    /* end of part 2 */
    return level;
}

/* Bodies begin ... end - 1 share `level` digits. Returns the first whose next digit is not below
 * `digit`; `end` if there is none. */
__device__ int first_not_below(const curve_key *keys, int begin, int end, int level, int digit) {
    /* part 3, 8 lines: Binary search: each key that is read halves the range. */
    while (begin < end) {
        int middle = begin + (end - begin) / 2;

        if ((int)(keys[middle] >> shift_of(level) & (CHILDREN - 1)) < digit)
            begin = middle + 1;
        else
            end = middle;
    }
    /* until solved:
    begin = end, (void)keys, (void)level, (void)digit;
    */
    /* end of part 3 */
    return begin;
}

/* Finds the children of all nodes of a generation, which are the next generation. */
__device__ void split(const struct job *job, int depth) {
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

        /* part 4, 4 lines: Number the warp's children consecutively, in the order of lanes. */
        if (lane == 0)
            child = end + atomicAdd(&job->generations[depth + 1].count, __popc(children));
        child = __shfl_sync(ALL_LANES, child, 0);
        child += __popc(children & ((1u << lane) - 1));
        /* until solved:
        from = to;
        */
        /* end of part 4 */
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

/* Masses and centres of mass of a generation, from bodies or from children, which have theirs. */
__device__ void add_up(const struct job *job, int depth) {
    struct generation own = job->generations[depth];
    int end = own.begin + own.count, lane = threadIdx.x % WARP % CHILDREN;
    int warp = (blockIdx.x * THREADS + threadIdx.x) / WARP, warps = gridDim.x * THREADS / WARP;

    for (int first = own.begin + warp * (WARP / CHILDREN); first < end;
         first += warps * (WARP / CHILDREN)) {
        int i = first + threadIdx.x % WARP / CHILDREN;
        int4 links = i < end ? job->links[i] : make_int4(0, 0, 0, 0);
        double x = 0, y = 0, z = 0, mass = 0;

        /* part 5, 16 lines: Each lane adds every eighth body or child; then the lanes add up. */
        const float4 *parts = links.w ? job->centres + links.z : job->sorted + links.x;

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
        /* until solved:
        (void)links;
        */
        /* end of part 5 */
        float4 centre =
            make_float4((float)(x / mass), (float)(y / mass), (float)(z / mass), (float)mass);
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

/* Waits for all blocks of the grid; each has a `goal` of its own, which begins at 0. */
__device__ void wait_for_grid(const struct job *job, unsigned *goal) {
    if (COOPERATIVE)
        cooperative_groups::this_grid().sync();
    else
        grid_barrier(job->arrived, *goal += gridDim.x);
}

/* All depths in one launch: blocks wait for each other. */
__global__ void __launch_bounds__(THREADS, BLOCKS) build_in_one(struct job job) {
    /* part 6, 10 lines: Split each depth, then add up from the deepest; a barrier after each. */
    unsigned goal = 0;
    int depth = 0;

    for (; job.generations[depth].count > 0; depth++) {
        split(&job, depth);
        wait_for_grid(&job, &goal);
    }
    while (depth-- > 0) {
        add_up(&job, depth);
        wait_for_grid(&job, &goal);
    }
    /* until solved:
    (void)job;
    */
    /* end of part 6 */
}

/* One depth per launch: the end of a launch is the barrier before the next depth. */
__global__ void split_one(struct job job, int depth) {
    split(&job, depth);
}

__global__ void add_up_one(struct job job, int depth) {
    add_up(&job, depth);
}

static void build(struct octree *octree) {
    int blocks = octree->blocks, levels = LAUNCHES ? LEVELS : -1;
    void *arguments[] = {&octree->job};

    if (COOPERATIVE)
        CUDA_CHECK(cudaLaunchCooperativeKernel(build_in_one, blocks, THREADS, arguments));
    else if (!LAUNCHES)
        build_in_one<<<blocks, THREADS>>>(octree->job);
    for (int depth = 0; depth <= levels; depth++) /* how many there are, only the device knows */
        split_one<<<blocks, THREADS>>>(octree->job, depth);
    for (int depth = levels; depth >= 0; depth--)
        add_up_one<<<blocks, THREADS>>>(octree->job, depth);
}
