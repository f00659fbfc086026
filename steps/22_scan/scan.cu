/* Step 22: the scan of an array in one pass: each block scans a tile in registers and learns from
 * the tiles before it what they come to ("decoupled look-back", Merrill and Garland 2016). */
#include "items.h"

/* What is known of a tile, as one word, so that a load sees all of it or nothing: a value in the
 * low half and its status in the high half, which is 2 x pass if the value is the tile's aggregate,
 * of its own elements, and 1 more if it is its inclusive prefix, of all elements up to its end. The
 * words of earlier passes count as not written, so that none has to clear them. */
typedef unsigned long long word;

__device__ word packed(unsigned status, int value) {
    return (word)status << 32 | (unsigned)value;
}

__device__ unsigned status_of(word w) {
    return (unsigned)(w >> 32);
}

struct tiles {
    volatile word *words; /* see word_of */
    unsigned *taken;      /* how many blocks have a number */
    unsigned pass;        /* from 1 */
};

/* The tile's word. In one line of memory the stores of 16 tiles and the loads of all that wait for
 * them get into each other's way (false sharing). */
__device__ volatile word *word_of(struct tiles tiles, int tile) {
    return tiles.words + (size_t)tile * APART;
}

/* What the threads' vectors come to, in order of lanes within vector k of a warp, then of k, then
 * of warps: each becomes what lies before it in the tile. Returns the total of the tile. */
template <typename Op> __device__ int scan_totals(int totals[VECTORS]) {
    __shared__ int of_warps[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int of_warp = Op::nothing(), before = Op::nothing(), total = Op::nothing();

    /* part 1, 7 lines: Vectors k of all lanes are scanned by shuffles, all k at once. */
    /* end of part 1 */
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int left = __shfl_up_sync(ALL_LANES, totals[k], 1);
        int last = __shfl_sync(ALL_LANES, totals[k], WARP - 1);
        totals[k] = Op::of(of_warp, lane > 0 ? left : Op::nothing());
        of_warp = Op::of(of_warp, last);
    }
    /* part 2, 9 lines: What lies before the warp, and the total of all warps. */
    /* until solved */
    (void)of_warps, (void)warp, (void)before;
    /* end of until solved */
    /* end of part 2 */
    return total;
}

/* A number for the block: whoever has one below it has begun, so that nobody waits for a block that
 * waits for a place on the device. CUDA promises nothing of the kind of blockIdx. */
__device__ int take_number(unsigned *taken) {
    __shared__ int number;

    /* part 3, 2 lines: The first thread of the block takes it; the last block sets `taken` to 0. */
    /* until solved */
    if (threadIdx.x == 0)
        number = blockIdx.x, (void)taken;
    /* end of until solved */
    /* end of part 3 */
    __syncthreads();
    return number;
}

template <typename Op> __device__ int look_back(struct tiles tiles, int tile);

/* What lies before the tile, whose own total is `total`, for all threads of its block. */
template <typename Op>
__device__ int find_exclusive_prefix(struct tiles tiles, int tile, int total) {
    __shared__ int found;

    if (threadIdx.x < WARP) {
        /* part 4, 6 lines: Publish the aggregate, look back, publish the inclusive prefix. */
        /* until solved */
        if (threadIdx.x == 0)
            found = Op::nothing(), (void)tiles, (void)tile, (void)total;
        /* end of until solved */
        /* end of part 4 */
    }
    __syncthreads();
    return found;
}

/* What lies before the tile, for lane 0 of the warp that calls: it looks at 32 words at a time,
 * from the tile before backwards to the nearest inclusive prefix. */
template <typename Op> __device__ int look_back(struct tiles tiles, int tile) {
    unsigned aggregate = 2 * tiles.pass, inclusive_prefix = aggregate + 1, prefixes = 0;
    int lane = threadIdx.x % WARP, before = Op::nothing();

    for (int nearest = tile - 1; !prefixes; nearest -= WARP) {
        int other = nearest - lane; /* before the first tile: the prefix of nothing */
        word w = packed(inclusive_prefix, Op::nothing());

        /* part 5, 4 lines: Wait until no lane's tile lacks its word. */
        /* until solved */
        (void)other, (void)aggregate;
        /* end of until solved */
        /* end of part 5 */
        prefixes = __ballot_sync(ALL_LANES, status_of(w) == inclusive_prefix);
        /* part 6, 4 lines: Add the values up to the nearest inclusive prefix; others are in it. */
        /* end of part 6 */
    }
    return before;
}

/* Scans x[0] to x[n - 1] in place. */
template <typename Op>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_tiles(int *x, int n, int is_exclusive, struct tiles tiles) {
    int own[VECTORS][VECTOR], before[VECTORS], tile = take_number(tiles.taken);

    load_tile(x, n, tile, Op::nothing(), own);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        before[k] = own[k][0];
        for (int j = 1; j < VECTOR; j++)
            before[k] = Op::of(before[k], own[k][j]);
    }
    int total = scan_totals<Op>(before),
        exclusive_prefix = find_exclusive_prefix<Op>(tiles, tile, total);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int *of = own[k];
        /* part 7, 6 lines: The elements of a vector one after the other, from what lies before. */
        /* until solved */
        (void)is_exclusive, (void)exclusive_prefix, (void)of;
        /* end of until solved */
        /* end of part 7 */
    }
    store_tile(x, n, tile, own);
}

template <typename Op> static void make_pass(const struct scan *scan, struct tiles tiles) {
    int n = scan->parameters.n;

    if (n == 0)
        return;
    scan_tiles<Op>
        <<<tiles_of(n), THREADS>>>(scan->elements, n, scan->parameters.is_exclusive, tiles);
    CUDA_CHECK(cudaGetLastError());
}

void scan_passes(struct scan *scan, int passes) {
    struct tiles tiles;

    tiles.words = (volatile word *)scan->scratch;
    tiles.taken = (unsigned *)(tiles.words + (size_t)tiles_of(scan->parameters.n) * APART);
    for (int pass = 0; pass < passes; pass++) {
        tiles.pass = ++scan->made;
        if (scan->parameters.of_maxima)
            make_pass<maximum>(scan, tiles);
        else
            make_pass<sum>(scan, tiles);
    }
}

/* scan_run and scan_destroy are those of items.h. */
struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out) {
    size_t words = (size_t)tiles_of(parameters->n) * APART;

    return create_scan(parameters, in, out, words * sizeof(word) + sizeof(unsigned));
}
