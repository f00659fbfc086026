/* Step 22: the scan of an array in one pass: each block scans a tile in registers, and looks back
 * at the statuses of earlier tiles for their total ("decoupled look-back", Merrill and Garland
 * 2016). */
#include "items.h"

/* The tile status, which later tiles read: one word, so that a load sees all of it or nothing. The
 * low half is a value, the high half its kind: 2 x pass plus AGGREGATE, of the tile's own elements,
 * or INCLUSIVE_PREFIX, of all elements up to its end. A status of an earlier pass counts as not
 * written, so no thread has to clear it. */
typedef unsigned long long tile_status;
enum { AGGREGATE, INCLUSIVE_PREFIX };

__device__ tile_status packed(unsigned kind, int value) {
    return (tile_status)kind << 32 | (unsigned)value;
}

__device__ unsigned kind_of(tile_status status) {
    return (unsigned)(status >> 32);
}

struct tiles {
    volatile tile_status *statuses; /* see status_of */
    unsigned *tickets;              /* how many blocks have one */
    unsigned pass;                  /* from 1 */
};

/* The tile's status. If 16 statuses share a line of memory, the stores of their tiles and the loads
 * of waiting blocks slow each other down (false sharing). */
__device__ volatile tile_status *status_of(struct tiles tiles, int tile) {
    return tiles.statuses + (size_t)tile * APART;
}

/* Replaces each aggregate of a vector by the total of the tile's elements before that vector. The
 * order is that of lanes within vectors k of a warp, then of k, then of warps. Returns the tile's
 * aggregate. */
template <typename Op> __device__ int scan_aggregates(int aggregates[VECTORS]) {
    __shared__ int warp_aggregates[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int warp_aggregate = Op::nothing(), before = Op::nothing(), aggregate = Op::nothing();

    /* part 1, 7 lines: Scan vectors k of all lanes by shuffles, for all k at the same time. */
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        for (int k = 0; k < VECTORS; k++) {
            int left = __shfl_up_sync(ALL_LANES, aggregates[k], d);
            aggregates[k] = lane >= d ? Op::of(left, aggregates[k]) : aggregates[k];
        }
    }
    /* end of part 1 */
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int left = __shfl_up_sync(ALL_LANES, aggregates[k], 1);
        int last = __shfl_sync(ALL_LANES, aggregates[k], WARP - 1);
        aggregates[k] = Op::of(warp_aggregate, lane > 0 ? left : Op::nothing());
        warp_aggregate = Op::of(warp_aggregate, last);
    }
    /* part 2, 9 lines: The total before the warp in its tile, and the aggregate of the tile. */
    if (lane == 0)
        warp_aggregates[warp] = warp_aggregate;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
        before = w == warp ? aggregate : before;
        aggregate = Op::of(aggregate, warp_aggregates[w]);
    }
    for (int k = 0; k < VECTORS; k++)
        aggregates[k] = Op::of(before, aggregates[k]);
    /* until solved:
    (void)warp_aggregates, (void)warp, (void)before;
    */
    /* end of part 2 */
    return aggregate;
}

/* The block's ticket, which is its tile. Blocks with lower tickets have begun, so no block waits
 * for one that has no place on the device yet. CUDA does not promise this for lower blockIdx. */
__device__ int take_ticket(unsigned *tickets) {
    __shared__ int ticket;

    /* part 3, 2 lines: Thread 0 takes the ticket; the last ticket sets the counter back to 0. */
    if (threadIdx.x == 0)
        ticket = (int)atomicInc(tickets, gridDim.x - 1);
    /* until solved:
    if (threadIdx.x == 0)
        ticket = blockIdx.x, (void)tickets;
    */
    /* end of part 3 */
    __syncthreads();
    return ticket;
}

template <typename Op> __device__ int look_back(struct tiles tiles, int tile);

/* The total of all elements before the tile, for all threads of its block. With CHAINED the tile
 * publishes no aggregate, so each tile waits for the inclusive prefix of the tile before. */
template <typename Op>
__device__ int find_exclusive_prefix(struct tiles tiles, int tile, int aggregate) {
    __shared__ int found;

    if (threadIdx.x < WARP) {
        /* part 4, 7 lines: Publish the aggregate, look back, publish the inclusive prefix. */
        if (threadIdx.x == 0 && !CHAINED)
            *status_of(tiles, tile) = packed(2 * tiles.pass + AGGREGATE, aggregate);
        int before = look_back<Op>(tiles, tile);
        if (threadIdx.x == 0) {
            *status_of(tiles, tile) =
                packed(2 * tiles.pass + INCLUSIVE_PREFIX, Op::of(before, aggregate));
            found = before;
        }
        /* until solved:
        if (threadIdx.x == 0)
            found = Op::nothing(), (void)tiles, (void)tile, (void)aggregate;
        */
        /* end of part 4 */
    }
    __syncthreads();
    return found;
}

/* The total of all elements before the tile, for lane 0 of the calling warp. The warp looks at 32
 * tiles at a time, from the tile before backwards to the nearest inclusive prefix. */
template <typename Op> __device__ int look_back(struct tiles tiles, int tile) {
    unsigned this_pass = 2 * tiles.pass, prefixes = 0;
    int lane = threadIdx.x % WARP, before = Op::nothing();

    for (int nearest = tile - 1; !prefixes; nearest -= WARP) {
        int other = nearest - lane; /* before the first tile: the prefix of nothing */
        tile_status status = packed(this_pass + INCLUSIVE_PREFIX, Op::nothing());

        /* part 5, 4 lines: Wait until every lane sees a status of this pass. */
        do {
            if (other >= 0)
                status = *status_of(tiles, other);
        } while (__any_sync(ALL_LANES, kind_of(status) < this_pass));
        /* until solved:
        (void)other;
        */
        /* end of part 5 */
        prefixes = __ballot_sync(ALL_LANES, kind_of(status) == this_pass + INCLUSIVE_PREFIX);
        /* part 6, 4 lines: Add values up to the nearest inclusive prefix, which holds the rest. */
        int value = lane < __ffs((int)prefixes) || !prefixes ? (int)status : Op::nothing();
        for (int d = 1; d < WARP; d *= 2) /* lane 0 has the nearest tile */
            value = Op::of(__shfl_down_sync(ALL_LANES, value, d), value);
        before = Op::of(value, before);
        /* end of part 6 */
    }
    return before;
}

/* Scans x[0] to x[n - 1] in place. */
template <typename Op>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_tiles(int *x, int n, int is_exclusive, struct tiles tiles) {
    int own[VECTORS][VECTOR], before[VECTORS], tile = take_ticket(tiles.tickets);

    load_tile(x, n, tile, Op::nothing(), own);
    aggregate_vectors<Op>(own, before);
    int aggregate = scan_aggregates<Op>(before),
        exclusive_prefix = find_exclusive_prefix<Op>(tiles, tile, aggregate);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int *of = own[k];
        int sum = Op::of(exclusive_prefix, before[k]);
        for (int j = 0; j < VECTOR; j++) {
            int with = Op::of(sum, of[j]);
            of[j] = is_exclusive ? sum : with;
            sum = with;
        }
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

    tiles.statuses = (volatile tile_status *)scan->scratch;
    tiles.tickets = (unsigned *)(tiles.statuses + (size_t)tiles_of(scan->parameters.n) * APART);
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
    size_t statuses = (size_t)tiles_of(parameters->n) * APART;

    return create_scan(parameters, in, out, statuses * sizeof(tile_status) + sizeof(unsigned));
}
