/* Step 22: the scan of an array in one pass: each block scans a tile in registers and learns from
 * the tiles before it what they come to ("decoupled look-back", Merrill and Garland 2016). */
#include <limits.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "scan.h"

#ifndef JOIN
#define JOIN ONE_PASS /* how the tiles come together */
#endif
#define ONE_PASS      1 /* each block looks back at the tiles before its own */
#define CHAINED       2 /* the same, but each tile is told only of the one before it */
#define THREE_KERNELS 3 /* scan of the tiles, scan of their totals, addition */

/* TEXTBOOK: the scan of a block in shared memory, with VECTOR = VECTORS = 1 */
#define HILLIS_STEELE  1
#define WORK_EFFICIENT 2

#ifndef VECTOR
#define VECTOR 4 /* elements a load; VECTORS: loads a thread */
#endif
#ifndef APART
#define APART 16 /* words from one tile's to the next one's: a line of 128 bytes */
#endif
enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * VECTOR * VECTORS };
#define BLOCKS    (1024 / THREADS) /* that registers shall leave room for on a multiprocessor */
#define ALL_LANES 0xffffffffu

/* How two elements are combined, and what changes nothing. */
struct sum {
    __device__ static int nothing() {
        return 0;
    }
    __device__ static int of(int a, int b) {
        return (int)((unsigned)a + (unsigned)b);
    }
};
struct maximum {
    __device__ static int nothing() {
        return INT_MIN;
    }
    __device__ static int of(int a, int b) {
        return max(a, b);
    }
};

/* What is known of a tile, as one word, so that a load sees all of it or nothing: a value in the
 * low half; in the high half 2 x pass if it is that of the tile alone, its aggregate, and 1 more if
 * it is that of all elements up to the tile's end, its prefix. Words of earlier passes count as not
 * written, so that none has to clear them. */
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

struct scan {
    struct scan_parameters parameters;
    const int *in;
    int *out;
    int *elements;      /* n; scanned in place */
    struct tiles tiles; /* unless JOIN is THREE_KERNELS */
    int *totals;        /* of the tiles, of their tiles, and so on; if it is */
};

/* What the threads' vectors come to, in order of lanes within vector k of a warp, then of k, then
 * of warps: each becomes what lies before it in the tile. Returns the total of the tile. */
template <typename Op> __device__ int scan_totals(int totals[VECTORS]) {
#if !defined(TEXTBOOK)
    __shared__ int of_warps[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int of_warp = Op::nothing(), before = Op::nothing(), total = Op::nothing();

    /* part 1, 7 lines: Vectors k of all lanes are scanned by shuffles, all k at once. */
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        for (int k = 0; k < VECTORS; k++) {
            int left = __shfl_up_sync(ALL_LANES, totals[k], d);
            totals[k] = lane >= d ? Op::of(left, totals[k]) : totals[k];
        }
    }
    /* end of part 1 */
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int left = __shfl_up_sync(ALL_LANES, totals[k], 1);
        int last = __shfl_sync(ALL_LANES, totals[k], WARP - 1);
        totals[k] = Op::of(of_warp, lane > 0 ? left : Op::nothing());
        of_warp = Op::of(of_warp, last);
    }
    /* part 2, 9 lines: What lies before the warp, and the total of all warps. */
    if (lane == 0)
        of_warps[warp] = of_warp;
    __syncthreads();
    for (int w = 0; w < WARPS; w++) {
        before = w == warp ? total : before;
        total = Op::of(total, of_warps[w]);
    }
    for (int k = 0; k < VECTORS; k++)
        totals[k] = Op::of(before, totals[k]);
    /* until solved:
    (void)of_warps, (void)warp, (void)before;
    */
    /* end of part 2 */
    return total;
#elif TEXTBOOK == HILLIS_STEELE /* log2 THREADS turns, in each of which all threads work */
    __shared__ int x[THREADS];
    int t = threadIdx.x;

    x[t] = totals[0];
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        int left = t >= offset ? x[t - offset] : Op::nothing();
        __syncthreads(); /* all have read */
        x[t] = Op::of(left, x[t]);
        __syncthreads(); /* all have written */
    }
    totals[0] = t > 0 ? x[t - 1] : Op::nothing();
    return x[THREADS - 1];
#else /* up a tree of totals, and down again with what lies before each of its nodes */
#ifdef CONFLICTS
#define AT(i) (i)
#else
#define AT(i) ((i) + (i) / WARP) /* a word of padding in 32 keeps strides of 2^d off one bank */
#endif
    __shared__ int x[AT(THREADS)];
    int t = threadIdx.x, total;

    x[AT(t)] = totals[0];
    for (int d = 1; d < THREADS; d *= 2) {
        int right = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (right < THREADS)
            x[AT(right)] = Op::of(x[AT(right - d)], x[AT(right)]);
    }
    __syncthreads();
    total = x[AT(THREADS - 1)];
    __syncthreads();
    if (t == 0)
        x[AT(THREADS - 1)] = Op::nothing();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        int right = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (right < THREADS) {
            int left = x[AT(right - d)];
            x[AT(right - d)] = x[AT(right)];
            x[AT(right)] = Op::of(x[AT(right)], left);
        }
    }
    __syncthreads();
    totals[0] = x[AT(t)];
    return total;
#endif
}

/* A number for the block: whoever has one below it has begun, so that nobody waits for a block that
 * waits for a place on the device. CUDA promises nothing of the kind of blockIdx. */
__device__ int take_number(unsigned *taken) {
    __shared__ int number;

    /* part 3, 2 lines: The first thread of the block takes it; the last block sets `taken` to 0. */
    if (threadIdx.x == 0)
        number = (int)atomicInc(taken, gridDim.x - 1);
    /* until solved:
    if (threadIdx.x == 0)
        number = blockIdx.x, (void)taken;
    */
    /* end of part 3 */
    __syncthreads();
    return number;
}

template <typename Op> __device__ int look_back(struct tiles tiles, int tile);

/* What lies before the tile, whose own total is `total`, for all threads of its block. */
template <typename Op> __device__ int find_prefix(struct tiles tiles, int tile, int total) {
    __shared__ int found;

    if (threadIdx.x < WARP) {
        /* part 4, 6 lines: Publish the aggregate, look back, publish the prefix. */
        if (threadIdx.x == 0 && JOIN != CHAINED)
            *word_of(tiles, tile) = packed(2 * tiles.pass, total);
        int before = look_back<Op>(tiles, tile);
        if (threadIdx.x == 0) {
            *word_of(tiles, tile) = packed(2 * tiles.pass + 1, Op::of(before, total));
            found = before;
        }
        /* until solved:
        if (threadIdx.x == 0)
            found = Op::nothing(), (void)tiles, (void)tile, (void)total;
        */
        /* end of part 4 */
    }
    __syncthreads();
    return found;
}

/* What lies before the tile, for lane 0 of the warp that calls: it looks at 32 words at a time,
 * from the tile before backwards to the nearest prefix. */
template <typename Op> __device__ int look_back(struct tiles tiles, int tile) {
    unsigned aggregate = 2 * tiles.pass, prefix = 2 * tiles.pass + 1, prefixes = 0;
    int lane = threadIdx.x % WARP, before = Op::nothing();

    for (int nearest = tile - 1; !prefixes; nearest -= WARP) {
        int other = nearest - lane; /* before the first tile: a prefix of nothing */
        word w = packed(prefix, Op::nothing());

        /* part 5, 4 lines: Wait until no lane's tile lacks its word. */
        do {
            if (other >= 0)
                w = *word_of(tiles, other);
        } while (__any_sync(ALL_LANES, status_of(w) < aggregate));
        /* until solved:
        (void)other, (void)aggregate;
        */
        /* end of part 5 */
        prefixes = __ballot_sync(ALL_LANES, status_of(w) == prefix);
        /* part 6, 4 lines: Add the values up to the nearest prefix; farther ones are in it. */
        int value = lane < __ffs((int)prefixes) || !prefixes ? (int)w : Op::nothing();
        for (int d = 1; d < WARP; d *= 2) /* lane 0 has the last of them */
            value = Op::of(__shfl_down_sync(ALL_LANES, value, d), value);
        before = Op::of(value, before);
        /* end of part 6 */
    }
    return before;
}

/* Where vector k of this thread begins in the array. */
__device__ int place_of(int tile, int k) {
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    return tile * TILE + ((warp * VECTORS + k) * WARP + lane) * VECTOR;
}

/* A vector in one access. */
__device__ void load(const int *from, int to[VECTOR]) {
    if (VECTOR == 4) {
        int4 v = *(const int4 *)from;
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    } else {
        to[0] = *from;
    }
}

__device__ void store(int *to, const int from[VECTOR]) {
    if (VECTOR == 4)
        *(int4 *)to = make_int4(from[0], from[1], from[2], from[3]);
    else
        *to = from[0];
}

/* The tile's elements; of the last tile some may not be there. */
__device__ void load_tile(const int *x, int n, int tile, int nothing, int to[VECTORS][VECTOR]) {
    if ((tile + 1) * TILE <= n) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            load(x + place_of(tile, k), to[k]);
    } else {
#pragma unroll
        for (int i = 0; i < VECTORS * VECTOR; i++) {
            int k = i / VECTOR, j = i % VECTOR, at = place_of(tile, k) + j;
            to[k][j] = at < n ? x[at] : nothing;
        }
    }
}

__device__ void store_tile(int *x, int n, int tile, const int from[VECTORS][VECTOR]) {
    if ((tile + 1) * TILE <= n) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            store(x + place_of(tile, k), from[k]);
    } else {
#pragma unroll
        for (int i = 0; i < VECTORS * VECTOR; i++) {
            int k = i / VECTOR, j = i % VECTOR, at = place_of(tile, k) + j;
            if (at < n)
                x[at] = from[k][j];
        }
    }
}

/* Scans x[0] to x[n - 1] in place; with THREE_KERNELS each tile for itself, with its total in
 * totals[tile]. */
template <typename Op>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_tiles(int *x, int n, int is_exclusive, struct tiles tiles, int *totals) {
    int tile = JOIN == THREE_KERNELS ? (int)blockIdx.x : take_number(tiles.taken);
    int own[VECTORS][VECTOR], before[VECTORS], total, prefix = Op::nothing();

    load_tile(x, n, tile, Op::nothing(), own);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        before[k] = own[k][0];
        for (int j = 1; j < VECTOR; j++)
            before[k] = Op::of(before[k], own[k][j]);
    }
    total = scan_totals<Op>(before);
    if (JOIN != THREE_KERNELS)
        prefix = find_prefix<Op>(tiles, tile, total);
    else if (threadIdx.x == 0)
        totals[tile] = total;
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        int *of = own[k];
        /* part 7, 6 lines: The elements of a vector one after the other, from what lies before. */
        int sum = Op::of(prefix, before[k]);
        for (int j = 0; j < VECTOR; j++) {
            int with = Op::of(sum, of[j]);
            of[j] = is_exclusive ? sum : with;
            sum = with;
        }
        /* until solved:
        (void)is_exclusive, (void)prefix, (void)of;
        */
        /* end of part 7 */
    }
    store_tile(x, n, tile, own);
}

#if JOIN == THREE_KERNELS
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
#endif

static int tiles_of(int n) {
    return n / TILE + (n % TILE > 0);
}

/* Where the totals of a level of n elements end, and the next level's begin: at a vector. */
static int room_for(int n) {
    return (tiles_of(n) + 3) / 4 * 4;
}

struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out) {
    struct scan *scan = (struct scan *)calloc(1, sizeof *scan);
    size_t n = parameters->n, words = tiles_of(parameters->n) * APART * sizeof(word);

    if (!scan)
        return NULL;
    scan->parameters = *parameters;
    scan->in = in;
    scan->out = out;
    CUDA_CHECK(cudaMalloc(&scan->elements, max(n, (size_t)1) * sizeof(int)));
    if (JOIN == THREE_KERNELS) {
        size_t totals = 4;

        for (int level = parameters->n; level > 1; level = tiles_of(level))
            totals += room_for(level);
        CUDA_CHECK(cudaMalloc(&scan->totals, totals * sizeof(int)));
    } else {
        CUDA_CHECK(cudaMalloc((void **)&scan->tiles.words, words + sizeof *scan->tiles.taken));
        CUDA_CHECK(cudaMemset((void *)scan->tiles.words, 0, words + sizeof *scan->tiles.taken));
        scan->tiles.taken = (unsigned *)((char *)scan->tiles.words + words);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    return scan;
}

/* n elements from x on; `totals` has room for those of their tiles. */
template <typename Op>
static void make_pass(const struct scan *scan, int *x, int n, int is_exclusive, int *totals) {
    int tiles = tiles_of(n);

    if (n == 0)
        return;
    scan_tiles<Op><<<tiles, THREADS>>>(x, n, is_exclusive, scan->tiles, totals);
    CUDA_CHECK(cudaGetLastError());
#if JOIN == THREE_KERNELS
    if (tiles > 1) { /* their scan may need three kernels itself */
        make_pass<Op>(scan, totals, tiles, 1, totals + room_for(n));
        add_before<Op><<<tiles, THREADS>>>(x, n, totals);
        CUDA_CHECK(cudaGetLastError());
    }
#endif
}

void scan_passes(struct scan *scan, int passes) {
    const struct scan_parameters *own = &scan->parameters;

    for (int pass = 0; pass < passes; pass++) {
        scan->tiles.pass++;
        if (own->of_maxima)
            make_pass<maximum>(scan, scan->elements, own->n, own->is_exclusive, scan->totals);
        else
            make_pass<sum>(scan, scan->elements, own->n, own->is_exclusive, scan->totals);
    }
}

int scan_run(struct scan *scan, int passes) {
    size_t bytes = scan->parameters.n * sizeof(int);

    CUDA_CHECK(cudaMemcpy(scan->elements, scan->in, bytes, cudaMemcpyHostToDevice));
    scan_passes(scan, passes);
    CUDA_CHECK(cudaMemcpy(scan->out, scan->elements, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void scan_destroy(struct scan *scan) {
    CUDA_CHECK(cudaFree(scan->elements));
    CUDA_CHECK(cudaFree(scan->totals));
    CUDA_CHECK(cudaFree((void *)scan->tiles.words));
    free(scan);
}
