/* A scan in three kernels: each tile for itself, their totals, and the addition of what lies before
 * each tile. The file that includes it has scan_totals. */
#ifndef THREE_KERNELS_H
#define THREE_KERNELS_H

#include "items.h"

/* The file's own: what the threads' vectors come to becomes what lies before each in the tile, in
 * the order of place_of. Returns the total of the tile. All threads of the block come here. */
template <typename Op> __device__ int scan_totals(int totals[VECTORS]);

/* Scans each tile for itself, in place; its total goes to totals[tile]. */
template <typename Op>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_tiles(int *x, int n, int is_exclusive, int *totals) {
    int own[VECTORS][VECTOR], before[VECTORS], tile = blockIdx.x, total;

    load_tile(x, n, tile, Op::nothing(), own);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        before[k] = own[k][0];
        for (int j = 1; j < VECTOR; j++)
            before[k] = Op::of(before[k], own[k][j]);
    }
    total = scan_totals<Op>(before);
    if (threadIdx.x == 0)
        totals[tile] = total;
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int sum = before[k];
        for (int j = 0; j < VECTOR; j++) {
            int with = Op::of(sum, own[k][j]);
            own[k][j] = is_exclusive ? sum : with;
            sum = with;
        }
    }
    store_tile(x, n, tile, own);
}

/* Adds to each tile what lies before it. */
template <typename Op> __global__ void add_before(int *x, int n, const int *before) {
    int of[VECTORS][VECTOR];

    load_tile(x, n, blockIdx.x, Op::nothing(), of);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        for (int j = 0; j < VECTOR; j++)
            of[k][j] = Op::of(before[blockIdx.x], of[k][j]);
    store_tile(x, n, blockIdx.x, of);
}

/* Where the totals of a level of n elements end, and the next level's begin: at a vector. */
static int room_for(int n) {
    return (tiles_of(n) + 3) / 4 * 4;
}

/* n elements from x on; `totals` has room for those of their tiles. */
template <typename Op> static void make_pass(int *x, int n, int is_exclusive, int *totals) {
    int tiles = tiles_of(n);

    if (n == 0)
        return;
    scan_tiles<Op><<<tiles, THREADS>>>(x, n, is_exclusive, totals);
    CUDA_CHECK(cudaGetLastError());
    if (tiles > 1) { /* their scan may need three kernels itself */
        make_pass<Op>(totals, tiles, 1, totals + room_for(n));
        add_before<Op><<<tiles, THREADS>>>(x, n, totals);
        CUDA_CHECK(cudaGetLastError());
    }
}

void scan_passes(struct scan *scan, int passes) {
    const struct scan_parameters *own = &scan->parameters;

    for (int pass = 0; pass < passes; pass++)
        if (own->of_maxima)
            make_pass<maximum>(scan->elements, own->n, own->is_exclusive, (int *)scan->scratch);
        else
            make_pass<sum>(scan->elements, own->n, own->is_exclusive, (int *)scan->scratch);
}

struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out) {
    size_t totals = 4;

    for (int level = parameters->n; level > 1; level = tiles_of(level))
        totals += room_for(level);
    return create_scan(parameters, in, out, totals * sizeof(int));
}

#endif
