/* What all programs that walk an octree share, apart from their ideas: memory, the tree before
 * every walk, where forces are written, and the functions of the contract. */
#ifndef WALKER_H
#define WALKER_H

#include "errand.h"
#include "walk.h"

enum { WALK_BLOCKS = 3 /* of a walk, per multiprocessor */ };

struct walk {
    struct octree *tree;
    struct errand errand;
    const struct tree_body *in;
    struct walk_force *out;
    int blocks; /* of a walk, that run at a time */
};

/* The file's own: computes all forces from a tree. */
static void walk_all(const struct walk *walk);

/* The square of a length; no body of the node is farther from its centre of mass. */
__device__ static inline float reach_squared(float4 centre, float4 cell) {
    float x = fabsf(centre.x - cell.x) + cell.w, y = fabsf(centre.y - cell.y) + cell.w;
    float z = fabsf(centre.z - cell.z) + cell.w;

    return x * x + y * y + z * z;
}

/* Writes what body i of the tree's order feels. */
__device__ static inline void put(const struct errand *errand, int i, float3 a,
                                  struct counts counts) {
    int number = errand->order[i];

    errand->out[number] = {a.x, a.y, a.z, counts.bodies, counts.nodes, counts.felt};
    errand->known[number] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

struct walk *walk_create(const struct walk_parameters *parameters, const struct tree_body *in,
                         struct walk_force *out) {
    struct walk *walk = (struct walk *)calloc(1, sizeof *walk);
    struct tree_parameters of_tree = {parameters->n, parameters->leaf};
    struct tree none = {};
    size_t n = parameters->n ? parameters->n : 1;
    int multiprocessors;

    if (!walk || !(walk->tree = octree_create(&of_tree, NULL, &none))) {
        free(walk);
        return NULL;
    }
    struct errand *errand = &walk->errand;
    struct job *job = &walk->tree->job;

    walk->in = in;
    walk->out = out;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    walk->blocks = min(WALK_BLOCKS * multiprocessors, divide_up((int)n, THREADS));
    errand->n = parameters->n;
    errand->bodies = job->sorted;
    errand->order = walk->tree->sort.order;
    errand->centres = job->centres;
    errand->cells = job->cells;
    errand->links = job->links;
    errand->nodes = job->nodes;
    errand->softening_squared = (float)(parameters->softening * parameters->softening);
    errand->angle = (float)parameters->angle;
    errand->accuracy = (float)parameters->accuracy;
    CUDA_CHECK(cudaMalloc(&errand->known, n * sizeof *errand->known));
    CUDA_CHECK(cudaMalloc(&errand->sizes, 2 * n * sizeof *errand->sizes));
    CUDA_CHECK(cudaMalloc(&errand->waiting, (size_t)walk->blocks * (THREADS / WARP) * MOST_WAITING *
                                                sizeof *errand->waiting));
    CUDA_CHECK(cudaMalloc(&errand->next, sizeof *errand->next));
    CUDA_CHECK(cudaMalloc(&errand->out, n * sizeof *errand->out));
    return walk;
}

void walk_passes(struct walk *walk, int passes) {
    for (int p = 0; p < passes && walk->errand.n > 0; p++) {
        octree_builds(walk->tree, 1);
        CUDA_CHECK(cudaMemsetAsync(walk->errand.next, 0, sizeof *walk->errand.next));
        walk_all(walk);
        CUDA_CHECK(cudaGetLastError());
        walk->errand.is_first = 0;
    }
}

int walk_run(struct walk *walk, int passes) {
    struct job *job = &walk->tree->job;
    size_t n = walk->errand.n;

    if (n == 0)
        return 0;
    CUDA_CHECK(cudaMemcpy(job->bodies, walk->in, n * sizeof *job->bodies, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(job->bodies + n, walk->in, sizeof *job->bodies, cudaMemcpyHostToDevice));
    walk->tree->made = 0;
    walk->errand.is_first = 1;
    walk_passes(walk, passes);
    CUDA_CHECK(
        cudaMemcpy(walk->out, walk->errand.out, n * sizeof *walk->out, cudaMemcpyDeviceToHost));
    return 0;
}

void walk_destroy(struct walk *walk) {
    octree_destroy(walk->tree);
    CUDA_CHECK(cudaFree(walk->errand.known));
    CUDA_CHECK(cudaFree(walk->errand.sizes));
    CUDA_CHECK(cudaFree(walk->errand.waiting));
    CUDA_CHECK(cudaFree(walk->errand.next));
    CUDA_CHECK(cudaFree(walk->errand.out));
    free(walk);
}

#endif
