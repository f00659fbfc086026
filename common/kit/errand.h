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
    float2 *sizes;          /* of nodes: squared distances from which they are accepted */
    int *waiting;           /* MOST_WAITING for each warp of the grid */
    int *next;              /* the first body that no warp has yet */
    struct walk_force *out; /* by bodies' numbers */
};

/* How many nodes of one warp can wait at a time. A warp takes the last WARP nodes that wait and
 * appends their children. So all nodes of a depth are taken before more of that depth are appended:
 * at most 8 WARP of each depth wait. */
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

/* The first body of a group of `bodies` bodies that no warp has yet; n or more if there is none. */
__device__ static inline int next_group(const struct errand *errand, int bodies) {
    int first = threadIdx.x % WARP ? 0 : atomicAdd(errand->next, bodies);

    return __shfl_sync(ALL_LANES, first, 0);
}

#endif
