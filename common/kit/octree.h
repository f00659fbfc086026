/* What all programs that build an octree share, apart from their ideas: memory, the cube of all
 * bodies, their keys' order, and the functions of the contract. */
#ifndef OCTREE_H
#define OCTREE_H

#include <math.h>
#include <stdlib.h>

#include "key_sort.h"
#include "tree.h"

enum { WARP = 32, THREADS = 256, BLOCKS = 4 /* per multiprocessor */, LEVELS = TREE_LEVELS };

static const unsigned ALL_LANES = 0xffffffff;

typedef unsigned long long curve_key;

/* The cube of all bodies: its corner, and its side as a power of two. */
struct cube {
    float x, y, z;
    int exponent;
};

/* Nodes of one depth, which is how many nodes are above each: begin ... begin + count - 1. */
struct generation {
    int begin, count;
};

/* What kernels are told; all memory is the device's. */
struct job {
    int n, leaf;
    float4 *bodies; /* n, as they came; behind them body 0 as the input has it */
    int *box;       /* least x, y, z, -x, -y and -z, as integers in the floats' order */
    struct cube *cube;
    curve_key *keys;                /* sorted */
    float4 *sorted;                 /* bodies in the order of keys */
    float4 *centres;                /* of nodes: centre of mass, and mass */
    float4 *cells;                  /* centre, and half of the side */
    struct tree_moments *moments;   /* second ones; NULL: none are wanted */
    int4 *links;                    /* first body, count, first child, children */
    struct generation *generations; /* LEVELS + 2, all 0 before the root */
    int *nodes;                     /* how many there are */
    unsigned *arrived;              /* of the grid's barrier */
};

struct octree {
    const struct tree_body *in;
    struct tree out;
    struct job job;
    struct key_sort sort;
    void *zeroed; /* generations, nodes and arrived */
    size_t zeroed_bytes;
    int blocks; /* that can run at a time, or fewer */
    int made;   /* builds */
};

/* The file's own: the key of a cell of level LEVELS, whose coordinates are less than 2^LEVELS; and
 * the building of all nodes from the sorted bodies and keys, with the root in place. */
__device__ curve_key key_of(uint3 cell);
static void build(struct octree *octree);

__host__ __device__ static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* Integers in the order of floats, and back. */
__device__ static inline int ordered(float x) {
    int bits = __float_as_int(x);

    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

__device__ static inline float unordered(int order) {
    return __int_as_float(order < 0 ? order ^ 0x7fffffff : order);
}

/* The least of each of the six numbers; the least -x is minus the greatest x. */
static __global__ void bound(const float4 *bodies, int n, int *box) {
    float least[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        float4 body = bodies[i];
        float ends[6] = {body.x, body.y, body.z, -body.x, -body.y, -body.z};

        for (int e = 0; e < 6; e++)
            least[e] = fminf(least[e], ends[e]);
    }
    for (int e = 0; e < 6; e++) {
        for (int half = WARP / 2; half; half /= 2)
            least[e] = fminf(least[e], __shfl_xor_sync(ALL_LANES, least[e], half));
        if (threadIdx.x % WARP == 0)
            atomicMin(&box[e], ordered(least[e]));
    }
}

__device__ static inline struct cube cube_of(const int *box) {
    float x = unordered(box[0]), y = unordered(box[1]), z = unordered(box[2]);
    double extent = fmax(-(double)unordered(box[3]) - x,
                         fmax(-(double)unordered(box[4]) - y, -(double)unordered(box[5]) - z));

    return {x, y, z, extent > 0 ? ilogb(extent) + 1 : 0};
}

/* The cell of level LEVELS that has the body: in double, where nothing is rounded. */
__device__ static inline uint3 finest_cell(const struct cube *cube, float4 body) {
    double scale = ldexp(1.0, LEVELS - cube->exponent);

    return make_uint3((unsigned)(((double)body.x - cube->x) * scale),
                      (unsigned)(((double)body.y - cube->y) * scale),
                      (unsigned)(((double)body.z - cube->z) * scale));
}

/* The cell of a level that has the body: its centre, and half of its side. */
__device__ static inline float4 cell_of(const struct cube *cube, float4 body, int level) {
    uint3 finest = finest_cell(cube, body);
    double side = ldexp(1.0, cube->exponent - level);
    int shift = LEVELS - level;

    return make_float4((float)(cube->x + ((finest.x >> shift) + 0.5) * side),
                       (float)(cube->y + ((finest.y >> shift) + 0.5) * side),
                       (float)(cube->z + ((finest.z >> shift) + 0.5) * side), (float)(side / 2));
}

/* Turns a cell's coordinates so that their bits, interleaved with x first, are its place along
 * Hilbert's curve (Skilling, Programming the Hilbert curve, 2004). */
__device__ static inline uint3 along_hilbert(uint3 cell) {
    unsigned x[3] = {cell.x, cell.y, cell.z}, turned = 0;

    for (unsigned bit = 1u << (LEVELS - 1); bit > 1; bit >>= 1)
        for (int c = 0; c < 3; c++) {
            unsigned low = bit - 1, both = (x[0] ^ x[c]) & low;

            if (x[c] & bit) {
                x[0] ^= low;
            } else {
                x[0] ^= both;
                x[c] ^= both;
            }
        }
    x[1] ^= x[0];
    x[2] ^= x[1];
    for (unsigned bit = 1u << (LEVELS - 1); bit > 1; bit >>= 1)
        if (x[2] & bit)
            turned ^= bit - 1;
    return make_uint3(x[0] ^ turned, x[1] ^ turned, x[2] ^ turned);
}

static __global__ void encode(struct job job, curve_key *keys, int *numbers) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    struct cube cube = cube_of(job.box);

    if (i == 0)
        *job.cube = cube;
    if (i >= job.n)
        return;
    keys[i] = key_of(finest_cell(&cube, job.bodies[i]));
    numbers[i] = i;
}

/* Bodies in their order, and the root. */
static __global__ void arrange(struct job job, const int *order) {
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i == 0) {
        job.links[0] = make_int4(0, job.n, 0, 0);
        job.generations[0] = {0, 1};
    }
    if (i < job.n)
        job.sorted[i] = job.bodies[order[i]];
}

/* The input of the next build. */
static __global__ void move_body_0(struct job job) {
    int k = *job.nodes % job.n;
    float4 to = job.bodies[k ? k : job.n];

    job.bodies[0] = make_float4(to.x, to.y, to.z, job.bodies[0].w);
}

/* Second moments of a node about its centre, from its bodies or from its children and theirs
 * (Steiner's theorem). Eight lanes work on a node, and all of them get its sums. All lanes of the
 * warp come here. */
__device__ static inline struct tree_moments add_moments(const struct job *job, int4 links,
                                                         int lane, float4 centre) {
    enum { SUMS = 6, LANES = 8 };
    const float4 *parts = links.w ? job->centres + links.z : job->sorted + links.x;
    float sums[SUMS] = {};

    for (int k = lane; k < (links.w ? links.w : links.y); k += LANES) {
        float4 part = parts[k];
        struct tree_moments more = {};
        float x = part.x - centre.x, y = part.y - centre.y, z = part.z - centre.z;

        if (links.w)
            more = job->moments[links.z + k];
        sums[0] += more.xx + part.w * x * x;
        sums[1] += more.yy + part.w * y * y;
        sums[2] += more.zz + part.w * z * z;
        sums[3] += more.xy + part.w * x * y;
        sums[4] += more.xz + part.w * x * z;
        sums[5] += more.yz + part.w * y * z;
    }
    for (int s = 0; s < SUMS; s++)
        for (int half = LANES / 2; half; half /= 2)
            sums[s] += __shfl_xor_sync(ALL_LANES, sums[s], half);
    return {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
}

struct octree *octree_create(const struct tree_parameters *parameters, const struct tree_body *in,
                             const struct tree *out) {
    struct octree *octree = (struct octree *)calloc(1, sizeof *octree);
    size_t n = parameters->n ? parameters->n : 1; /* so that no allocation is empty */
    int multiprocessors;

    if (!octree)
        return NULL;
    struct job *job = &octree->job;

    octree->in = in;
    octree->out = *out;
    job->n = parameters->n;
    job->leaf = parameters->leaf;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    octree->blocks = min(BLOCKS * multiprocessors, divide_up((int)n, THREADS));
    key_sort_create(&octree->sort, (int)n);
    job->keys = octree->sort.sorted_keys;
    octree->zeroed_bytes =
        (LEVELS + 2) * sizeof *job->generations + sizeof *job->nodes + sizeof *job->arrived;
    CUDA_CHECK(cudaMalloc(&octree->zeroed, octree->zeroed_bytes));
    job->generations = (struct generation *)octree->zeroed;
    job->nodes = (int *)(job->generations + LEVELS + 2);
    job->arrived = (unsigned *)(job->nodes + 1);
    CUDA_CHECK(cudaMalloc(&job->bodies, (n + 1) * sizeof *job->bodies));
    CUDA_CHECK(cudaMalloc(&job->box, 6 * sizeof *job->box));
    CUDA_CHECK(cudaMalloc(&job->cube, sizeof *job->cube));
    CUDA_CHECK(cudaMalloc(&job->sorted, n * sizeof *job->sorted));
    CUDA_CHECK(cudaMalloc(&job->centres, 2 * n * sizeof *job->centres));
    CUDA_CHECK(cudaMalloc(&job->cells, 2 * n * sizeof *job->cells));
    CUDA_CHECK(cudaMalloc(&job->links, 2 * n * sizeof *job->links));
    if (MOMENTS)
        CUDA_CHECK(cudaMalloc(&job->moments, 2 * n * sizeof *job->moments));
    return octree;
}

void octree_builds(struct octree *octree, int builds) {
    struct job job = octree->job;
    int blocks = divide_up(job.n, THREADS);

    for (int b = 0; b < builds && job.n > 0; b++) {
        if (octree->made++ > 0)
            move_body_0<<<1, 1>>>(job);
        CUDA_CHECK(cudaMemsetAsync(job.box, 0x7f, 6 * sizeof *job.box)); /* more than any float */
        CUDA_CHECK(cudaMemsetAsync(octree->zeroed, 0, octree->zeroed_bytes));
        bound<<<octree->blocks, THREADS>>>(job.bodies, job.n, job.box);
        encode<<<blocks, THREADS>>>(job, octree->sort.keys, octree->sort.numbers);
        key_sort_run(&octree->sort);
        arrange<<<blocks, THREADS>>>(job, octree->sort.order);
        CUDA_CHECK(cudaGetLastError());
        build(octree);
        CUDA_CHECK(cudaGetLastError());
    }
}

int octree_run(struct octree *octree, int builds) {
    struct job job = octree->job;
    struct tree *out = &octree->out;
    size_t n = job.n, nodes;

    *out->nodes = 0;
    if (n == 0)
        return 0;
    CUDA_CHECK(cudaMemcpy(job.bodies, octree->in, n * sizeof *job.bodies, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(job.bodies + n, octree->in, sizeof *job.bodies, cudaMemcpyHostToDevice));
    octree->made = 0;
    octree_builds(octree, builds);
    CUDA_CHECK(cudaMemcpy(out->nodes, job.nodes, sizeof *out->nodes, cudaMemcpyDeviceToHost));
    nodes = *out->nodes;
    if (*out->nodes < 0 || nodes > 2 * n) {
        fprintf(stderr, "%d nodes for %zu bodies: at most 2 n have room\n", *out->nodes, n);
        return 1;
    }
    CUDA_CHECK(
        cudaMemcpy(out->centres, job.centres, nodes * sizeof *job.centres, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(out->cells, job.cells, nodes * sizeof *job.cells, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(out->links, job.links, nodes * sizeof *job.links, cudaMemcpyDeviceToHost));
    if (MOMENTS)
        CUDA_CHECK(cudaMemcpy(out->moments, job.moments, nodes * sizeof *job.moments,
                              cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(out->order, octree->sort.order, n * sizeof *out->order, cudaMemcpyDeviceToHost));
    return 0;
}

void octree_destroy(struct octree *octree) {
    struct job job = octree->job;

    key_sort_destroy(&octree->sort);
    CUDA_CHECK(cudaFree(octree->zeroed));
    CUDA_CHECK(cudaFree(job.bodies));
    CUDA_CHECK(cudaFree(job.box));
    CUDA_CHECK(cudaFree(job.cube));
    CUDA_CHECK(cudaFree(job.sorted));
    CUDA_CHECK(cudaFree(job.centres));
    CUDA_CHECK(cudaFree(job.cells));
    CUDA_CHECK(cudaFree(job.links));
    CUDA_CHECK(cudaFree(job.moments));
    free(octree);
}

#endif
