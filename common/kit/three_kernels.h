/* A scan in three kernels: the scan of each tile, the scan of the tiles' aggregates, and the
 * addition of the total before each tile. The file that includes it has scan_aggregates. */
#ifndef THREE_KERNELS_H
#define THREE_KERNELS_H

#include "items.h"

/* The file's own: the aggregates of the threads' vectors become what lies before each in the tile,
 * in the order of place_of. Returns the tile's aggregate. All threads of the block come here. */
template <typename Op> __device__ int scan_aggregates(int aggregates[VECTORS]);

/* Scans each tile for itself, in place; its aggregate goes to aggregates[tile]. */
template <typename Op>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_tiles(int *x, int n, int is_exclusive, int *aggregates) {
    int own[VECTORS][VECTOR], before[VECTORS], tile = blockIdx.x, aggregate;

    load_tile(x, n, tile, Op::nothing(), own);
    aggregate_vectors<Op>(own, before);
    aggregate = scan_aggregates<Op>(before);
    if (threadIdx.x == 0)
        aggregates[tile] = aggregate;
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

/* Adds to each tile the total before it. */
template <typename Op> __global__ void add_before(int *x, int n, const int *before) {
    int of[VECTORS][VECTOR];

    load_tile(x, n, blockIdx.x, Op::nothing(), of);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        for (int j = 0; j < VECTOR; j++)
            of[k][j] = Op::of(before[blockIdx.x], of[k][j]);
    store_tile(x, n, blockIdx.x, of);
}

/* Where the aggregates of a level of n elements end, and the next level's begin: at a vector. */
static int room_for(int n) {
    return (tiles_of(n) + 3) / 4 * 4;
}

/* n elements from x on; `aggregates` has room for those of their tiles. */
template <typename Op> static void make_pass(int *x, int n, int is_exclusive, int *aggregates) {
    int tiles = tiles_of(n);

    if (n == 0)
        return;
    scan_tiles<Op><<<tiles, THREADS>>>(x, n, is_exclusive, aggregates);
    CUDA_CHECK(cudaGetLastError());
    if (tiles > 1) { /* their scan may need three kernels itself */
        make_pass<Op>(aggregates, tiles, 1, aggregates + room_for(n));
        add_before<Op><<<tiles, THREADS>>>(x, n, aggregates);
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
    size_t aggregates = 4;

    for (int level = parameters->n; level > 1; level = tiles_of(level))
        aggregates += room_for(level);
    return create_scan(parameters, in, out, aggregates * sizeof(int));
}

#endif
