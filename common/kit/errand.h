/* What the kernels of a program that walks an octree are told, and what their warps share. */
#ifndef ERRAND_H
#define ERRAND_H

#include "grown.h"

/* What kernels are told; all memory is the device's. */
struct errand {
    int n;
    const float4 *bodies;  /* in the order of the tree's keys */
    const int *order;      /* their numbers */
    const float4 *centres; /* of nodes: centre of mass, and mass */
    const float4 *cells;   /* centre, and half of the side */
    const int4 *links;     /* first body, count, first child, children */
    const int *nodes;      /* how many there are */
    float softening_squared, angle, accuracy;
    int is_first;           /* no acceleration is known yet */
    float *known;           /* |a| of the last pass, by bodies' numbers */
    float2 *sizes;          /* of nodes: the squares of the distances that they have to have */
    int *waiting;           /* MOST_WAITING for each warp of the grid */
    int *next;              /* group of bodies that nobody has */
    struct walk_force *out; /* by bodies' numbers */
};

/* Nodes of one warp that can wait at a time. A warp takes the last WARP that wait and appends their
 * children, so those of one depth are all taken before any are appended: 8 WARP of each depth. */
#define MOST_WAITING (8 * WARP * (LEVELS + 1))

/* What a walk has accepted, and of how many bodies that is. */
struct counts {
    int bodies, nodes, felt;
};

__device__ static inline struct counts sum_counts(struct counts own) {
    for (int half = WARP / 2; half; half /= 2) {
        own.bodies += __shfl_xor_sync(ALL_LANES, own.bodies, half);
        own.nodes += __shfl_xor_sync(ALL_LANES, own.nodes, half);
        own.felt += __shfl_xor_sync(ALL_LANES, own.felt, half);
    }
    return own;
}

/* The first body of a group of so many that no warp has yet; n or more: there is none. */
__device__ static inline int next_group(const struct errand *errand, int bodies) {
    int first = threadIdx.x % WARP ? 0 : atomicAdd(errand->next, bodies);

    return __shfl_sync(ALL_LANES, first, 0);
}

#endif
