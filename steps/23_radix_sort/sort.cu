/* Step 23: an array sorted by its digits, from the lowest to the highest. Each pass moves every key
 * once, to where the keys with its digit lie, and keeps the order of equal digits. */
#include <stdlib.h>

#include "cuda_check.h"
#include "radix_sort.h"

#ifndef BITS
#define BITS 8 /* of a digit */
#endif
/* Blocks that registers shall leave room for on a multiprocessor, which has 1024 threads, or more.
 */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define BLOCKS (1024 / THREADS)
#else
#define BLOCKS 3
#endif

enum {
    WARP = 32,
    WARPS = THREADS / WARP,
    DIGITS = 1 << BITS,
    AHEAD = 8,           /* keys that a thread loads before it counts the first */
    MOST_IN_BLOCK = 1024 /* keys that one block sorts */
};

static const unsigned ALL_LANES = 0xffffffff;

/* Of a thread: keys, and words of 4 bytes of its keys and values. */
static const int MOST_KEYS = 20, MOST_WORDS = 32;

/* What a tile tells of a digit is a count and one of these bits: of its own keys alone; of those of
 * all earlier tiles too. */
enum : unsigned { OF_TILE = 1u << 30, UP_TO_TILE = 1u << 31, COUNT = OF_TILE - 1 };

/* How keys of a type are cut into digits, and an array into tiles. */
template <typename K, int HAS_VALUES> struct shape {
    enum {
        PASSES = (8 * sizeof(K) + BITS - 1) / BITS,
        BYTES = sizeof(K) + HAS_VALUES * sizeof(unsigned),
        IN_WORDS = 4 * MOST_WORDS / BYTES,
        OF_THREAD = MOST_KEYS < IN_WORDS ? MOST_KEYS : IN_WORDS,
        TILE = THREADS * OF_THREAD
    };
};

struct radix_sort {
    struct radix_sort_parameters parameters;
    const void *in;
    void *out;
    void *keys, *sorted_keys[2];         /* the input; passes write to the two by turns */
    unsigned *values, *sorted_values[2]; /* NULL if there are none */
    unsigned *counts; /* for each pass: a histogram, tiles taken, tiles' counts */
    size_t counts_bytes;
    int most_blocks;   /* that count keys at a time */
    int tiles, result; /* which of the two has what was sorted */
    int made;          /* sorts */
    void (*sort_once)(struct radix_sort *);
};

/* A pass, as its kernels get it. */
template <typename K> struct pass {
    const K *keys;
    K *sorted_keys;
    const unsigned *values;
    unsigned *sorted_values;
    int n, shift; /* of the digit: its lowest bit */
    int from, to; /* the kinds of keys read and written; between passes they are unsigned */
    unsigned *histogram, *taken; /* of all keys; tiles that have a block */
    volatile unsigned *tiles;    /* counts of tile and digit */
};

/* Bits that are ordered as unsigned ones as the keys are by their kind. */
template <typename K> __device__ K ordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    /* part 1, 4 lines: Signed keys and floats, so that unsigned order is theirs. */
    /* until solved */
    (void)sign, (void)kind;
    /* end of until solved */
    /* end of part 1 */
    return bits;
}

/* And back. */
template <typename K> __device__ K unordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == SIGNED_KEYS)
        return bits ^ sign;
    if (kind == FLOAT_KEYS)
        return bits & sign ? bits ^ sign : ~bits;
    return bits;
}

template <typename K> __device__ unsigned digit_of(K key, int shift) {
    return (unsigned)(key >> shift) & (DIGITS - 1);
}

/* The lanes of the warp that have the caller's digit. */
__device__ unsigned lanes_with(unsigned digit) {
#ifdef MATCH
    return __match_any_sync(ALL_LANES, digit);
#else
    unsigned lanes = ALL_LANES;

    /* part 2, 6 lines: A vote for each bit leaves the lanes that have it as the caller has. */
    /* until solved */
    (void)digit;
    /* end of until solved */
    /* end of part 2 */
    return lanes;
#endif
}

/* The sum of what the threads before the caller bring. All threads of the block come here. */
__device__ unsigned sum_before(unsigned mine) {
    __shared__ unsigned of_warps[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned sum = mine;

    for (int distance = 1; distance < WARP; distance *= 2) {
        unsigned other = __shfl_up_sync(ALL_LANES, sum, distance);
        sum += lane >= distance ? other : 0;
    }
    if (lane == WARP - 1)
        of_warps[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += of_warps[w];
    __syncthreads(); /* the next caller writes there */
    return sum - mine;
}

/* The histograms of all digits, from one reading of the keys. */
template <typename K>
__global__ void count_all(const K *keys, int n, int kind, unsigned *histograms) {
    enum { PASSES = shape<K, 0>::PASSES };
    __shared__ unsigned counts[PASSES * DIGITS];

    for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS)
        counts[i] = 0;
    __syncthreads();
    for (int first = blockIdx.x * THREADS * AHEAD + threadIdx.x; first < n;
         first += gridDim.x * THREADS * AHEAD) {
        K key[AHEAD];

#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            int at = first + i * THREADS;
            key[i] = at < n ? keys[at] : 0;
        }
        /* part 3, 4 lines: Each key counts once for each of its digits, in shared memory. */
        /* until solved */
        (void)key, (void)kind;
        /* end of until solved */
        /* end of part 3 */
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS)
        atomicAdd(&histograms[i], counts[i]);
}

#ifdef TABLE
/* In a kernel of its own: how many keys of the tile have each digit, as a row of tiles a digit. */
template <typename K, int HAS_VALUES> __global__ void count_tile(struct pass<K> pass) {
    enum { TILE = shape<K, HAS_VALUES>::TILE };
    __shared__ unsigned counts[DIGITS];
    int first = blockIdx.x * TILE;

    for (int d = threadIdx.x; d < DIGITS; d += THREADS)
        counts[d] = 0;
    __syncthreads();
    for (int i = first + threadIdx.x; i < min(first + TILE, pass.n); i += THREADS)
        atomicAdd(&counts[digit_of(ordered(pass.keys[i], pass.from), pass.shift)], 1u);
    __syncthreads();
    for (int d = threadIdx.x; d < DIGITS; d += THREADS)
        pass.tiles[d * gridDim.x + blockIdx.x] = counts[d];
}

/* A digit's row: each count becomes the sum of those before it; that of all goes to the histogram.
 */
static __global__ void scan_row(volatile unsigned *tiles, int count, unsigned *histogram) {
    volatile unsigned *row = tiles + (size_t)blockIdx.x * count;
    __shared__ unsigned all;
    unsigned before = 0;

    for (int first = 0; first < count; first += blockDim.x) {
        int tile = first + threadIdx.x;
        unsigned mine = tile < count ? row[tile] : 0, sum = sum_before(mine);

        if (tile < count)
            row[tile] = before + sum;
        if (threadIdx.x == blockDim.x - 1)
            all = sum + mine;
        __syncthreads();
        before += all;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        histogram[blockIdx.x] = before;
}
#endif

/* How many keys with digit d there are in earlier tiles and, as `start` says, with lower digits in
 * all of them. This tile has `own`. */
__device__ unsigned keys_before(volatile unsigned *tiles, int tile, int d, unsigned own,
                                unsigned start) {
    unsigned before = start;

    /* part 4, 8 lines: What earlier tiles tell, up to the one that knows of all before it. */
    /* until solved */
    (void)tiles, (void)tile, (void)d, (void)own;
    /* end of until solved */
    /* end of part 4 */
    return before;
}

/* A pass: every block takes a tile, sorts it by the digit in shared memory, and writes the keys of
 * each digit in one run behind those of earlier tiles. */
template <typename K, int HAS_VALUES>
__global__ void __launch_bounds__(THREADS, BLOCKS) move(struct pass<K> pass) {
    enum { OF_THREAD = shape<K, HAS_VALUES>::OF_THREAD, TILE = shape<K, HAS_VALUES>::TILE };
    extern __shared__ unsigned long long memory[];
    K *tile_keys = (K *)memory;
    unsigned *tile_values = (unsigned *)(tile_keys + TILE);
    __shared__ unsigned counts[WARPS][DIGITS], moved[DIGITS];
    __shared__ int taken;
    int t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    K key[OF_THREAD];
    unsigned value[OF_THREAD];

    for (int i = t; i < WARPS * DIGITS; i += THREADS)
        counts[i / DIGITS][i % DIGITS] = 0;
#ifdef TABLE
    if (t == 0)
        taken = blockIdx.x;
#else
    if (t == 0) /* blocks may start in any order; who waits for a tile must know that it has one */
        taken = atomicAdd(pass.taken, 1u);
#endif
    __syncthreads();
    int tile = taken, first = tile * TILE + warp * WARP * OF_THREAD, n = pass.n;

    /* A warp has consecutive keys. Behind the last one come keys that stay behind all others. */
    const K none = unordered((K) ~(K)0, pass.from);
#pragma unroll
    for (int i = 0; i < OF_THREAD; i++) {
        int at = first + i * WARP + lane;
        key[i] = at < n ? pass.keys[at] : none;
        value[i] = HAS_VALUES && at < n ? pass.values[at] : 0;
    }
    if (pass.from != UNSIGNED_KEYS) {
#pragma unroll
        for (int i = 0; i < OF_THREAD; i++)
            key[i] = ordered(key[i], pass.from);
    }

    /* part 5, 3 lines: How often each digit occurs among the warp's keys. */
    /* end of part 5 */
    __syncthreads();

    unsigned own = 0;
    if (t < DIGITS) {
        /* part 6, 5 lines: Each warp's count becomes the sum of those of the warps before it. */
        /* end of part 6 */
#ifndef TABLE
        if (tile > 0)
            pass.tiles[tile * DIGITS + t] = OF_TILE | own;
#endif
    }
    unsigned lower = sum_before(own), start = 0; /* keys with lower digits: here; in all tiles */
#ifdef TABLE
    start = sum_before(t < DIGITS ? pass.histogram[t] : 0);
#else
    if (tile == 0)
        start = sum_before(t < DIGITS ? pass.histogram[t] : 0);
#endif
    for (int w = 0; w < WARPS && t < DIGITS; w++)
        counts[w][t] += lower;
    __syncthreads();

    /* Where the key comes to lie in the tile: behind lower digits, earlier warps, what the warp had
     * before, and earlier lanes. */
    if (first < n) { /* the same for all lanes */
#pragma unroll
        for (int i = 0; i < OF_THREAD; i++) {
            unsigned digit = digit_of(key[i], pass.shift), place = 0;
            /* part 7, 6 lines: The first lane with a digit counts for all that have it. */
            /* until solved */
            tile_keys[warp * WARP * OF_THREAD + i * WARP + lane] = key[i], (void)digit;
            /* end of until solved */
            /* end of part 7 */
            if (HAS_VALUES)
                tile_values[place] = value[i];
        }
    }
    if (t < DIGITS) {
#ifdef TABLE
        unsigned before = start + pass.tiles[t * gridDim.x + tile];
#else
        unsigned before = keys_before(pass.tiles, tile, t, own, start);
#endif
        moved[t] = before - lower; /* from the place in the tile to that among all keys */
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < OF_THREAD; i++) {
        /* part 8, 8 lines: Neighbouring threads write neighbouring keys of a digit. */
        /* end of part 8 */
    }
}

#ifdef ONE_BLOCK
/* x[t] becomes x[0] + ... + x[t]: Hillis and Steele (1986). */
__device__ void scan_in_block(unsigned *x) {
    unsigned t = threadIdx.x;

    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        unsigned other = t >= distance ? x[t - distance] : 0;
        __syncthreads();
        x[t] += other;
        __syncthreads();
    }
}

/* As many threads as keys; for each bit, those that have it clear come before those that have it
 * set. */
template <typename K, int HAS_VALUES> __global__ void sort_in_block(struct pass<K> pass) {
    __shared__ K keys[MOST_IN_BLOCK];
    __shared__ unsigned values[MOST_IN_BLOCK], set[MOST_IN_BLOCK];
    unsigned t = threadIdx.x;

    keys[t] = ordered(pass.keys[t], pass.from);
    values[t] = HAS_VALUES ? pass.values[t] : 0;
    for (int bit = 0; bit < 8 * (int)sizeof(K); bit++) {
        K key = keys[t];
        unsigned value = values[t], is_set = (unsigned)(key >> bit) & 1;

        set[t] = is_set;
        __syncthreads();
        scan_in_block(set);
        unsigned clear = blockDim.x - set[blockDim.x - 1];
        unsigned place = is_set ? clear + set[t] - 1 : t - set[t];
        __syncthreads();
        keys[place] = key;
        values[place] = value;
        __syncthreads();
    }
    pass.sorted_keys[t] = unordered(keys[t], pass.to);
    if (HAS_VALUES)
        pass.sorted_values[t] = values[t];
}
#endif

/* The input of the next sort. */
template <typename K> __global__ void change(K *keys, const K *sorted, int n) {
    keys[0] += sorted[n / 2];
}

static int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

template <typename K, int HAS_VALUES> static void sort_once(struct radix_sort *sort) {
    typedef struct shape<K, HAS_VALUES> shape;
    int n = sort->parameters.n, kind = sort->parameters.key_kind, tiles = sort->tiles;
    unsigned *taken = sort->counts + shape::PASSES * DIGITS, *of_tiles = taken + shape::PASSES;
    K *keys = (K *)sort->keys;
    struct pass<K> pass = {
        keys, NULL, sort->values, NULL, n, 0, kind, kind, NULL, NULL, NULL
    };

    if (n == 0)
        return;
    if (sort->made++ > 0)
        change<<<1, 1>>>(keys, (const K *)sort->sorted_keys[sort->result], n);
#ifdef ONE_BLOCK
    if (n <= MOST_IN_BLOCK) {
        pass.sorted_keys = (K *)sort->sorted_keys[sort->result];
        pass.sorted_values = sort->sorted_values[sort->result];
        sort_in_block<K, HAS_VALUES><<<1, n>>>(pass);
        CUDA_CHECK(cudaGetLastError());
        return;
    }
#endif
#ifndef TABLE
    int blocks = min(divide_up(n, THREADS * AHEAD), sort->most_blocks);

    CUDA_CHECK(cudaMemsetAsync(sort->counts, 0, sort->counts_bytes));
    count_all<<<blocks, THREADS>>>(keys, n, kind, sort->counts);
#endif
    for (int p = 0; p < shape::PASSES; p++) {
        pass.sorted_keys = (K *)sort->sorted_keys[p % 2];
        pass.sorted_values = sort->sorted_values[p % 2];
        pass.shift = p * BITS;
        pass.from = p == 0 ? kind : UNSIGNED_KEYS;
        pass.to = p == shape::PASSES - 1 ? kind : UNSIGNED_KEYS;
        pass.histogram = sort->counts + p * DIGITS;
        pass.taken = taken + p;
        pass.tiles = of_tiles + (size_t)p * tiles * DIGITS;
#ifdef TABLE
        count_tile<K, HAS_VALUES><<<tiles, THREADS>>>(pass);
        scan_row<<<DIGITS, min(THREADS, divide_up(tiles, WARP) * WARP)>>>(pass.tiles, tiles,
                                                                          pass.histogram);
#endif
        move<K, HAS_VALUES><<<tiles, THREADS, shape::TILE * shape::BYTES>>>(pass);
        pass.keys = pass.sorted_keys;
        pass.values = pass.sorted_values;
    }
    CUDA_CHECK(cudaGetLastError());
}

template <typename K, int HAS_VALUES> static void prepare(struct radix_sort *sort) {
    typedef struct shape<K, HAS_VALUES> shape;
    int multiprocessors, blocks;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_all<K>, THREADS, 0));
    sort->most_blocks = blocks * multiprocessors;
    sort->sort_once = sort_once<K, HAS_VALUES>;
    sort->tiles = divide_up(sort->parameters.n, shape::TILE);
    sort->result = (shape::PASSES - 1) % 2;
    sort->counts_bytes =
        sizeof(unsigned) * shape::PASSES * ((size_t)sort->tiles * DIGITS + DIGITS + 1);
    CUDA_CHECK(cudaFuncSetAttribute(move<K, HAS_VALUES>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    shape::TILE * shape::BYTES));
}

struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    struct radix_sort *sort = (struct radix_sort *)calloc(1, sizeof *sort);
    int wide = parameters->key_bytes == 8;
    size_t room = parameters->n ? parameters->n : 1; /* nothing cannot be allocated */

    if (!sort)
        return NULL;
    sort->parameters = *parameters;
    sort->in = in;
    sort->out = out;
    if (parameters->has_values)
        wide ? prepare<unsigned long long, 1>(sort) : prepare<unsigned, 1>(sort);
    else
        wide ? prepare<unsigned long long, 0>(sort) : prepare<unsigned, 0>(sort);
    CUDA_CHECK(cudaMalloc(&sort->counts, sort->counts_bytes));
    CUDA_CHECK(cudaMalloc(&sort->keys, room * parameters->key_bytes));
    if (parameters->has_values)
        CUDA_CHECK(cudaMalloc(&sort->values, room * sizeof(unsigned)));
    for (int side = 0; side < 2; side++) {
        CUDA_CHECK(cudaMalloc(&sort->sorted_keys[side], room * parameters->key_bytes));
        if (parameters->has_values)
            CUDA_CHECK(cudaMalloc(&sort->sorted_values[side], room * sizeof(unsigned)));
    }
    return sort;
}

void radix_sort_passes(struct radix_sort *sort, int sorts) {
    for (int s = 0; s < sorts; s++)
        sort->sort_once(sort);
}

int radix_sort_run(struct radix_sort *sort, int sorts) {
    size_t keys_bytes = (size_t)sort->parameters.n * sort->parameters.key_bytes;
    size_t values_bytes = sort->parameters.n * sizeof(unsigned) * sort->parameters.has_values;

    CUDA_CHECK(cudaMemcpy(sort->keys, sort->in, keys_bytes, cudaMemcpyHostToDevice));
    if (values_bytes)
        CUDA_CHECK(cudaMemcpy(sort->values, (const char *)sort->in + keys_bytes, values_bytes,
                              cudaMemcpyHostToDevice));
    sort->made = 0;
    radix_sort_passes(sort, sorts);
    CUDA_CHECK(
        cudaMemcpy(sort->out, sort->sorted_keys[sort->result], keys_bytes, cudaMemcpyDeviceToHost));
    if (values_bytes)
        CUDA_CHECK(cudaMemcpy((char *)sort->out + keys_bytes, sort->sorted_values[sort->result],
                              values_bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void radix_sort_destroy(struct radix_sort *sort) {
    for (int side = 0; side < 2; side++) {
        CUDA_CHECK(cudaFree(sort->sorted_keys[side]));
        CUDA_CHECK(cudaFree(sort->sorted_values[side]));
    }
    CUDA_CHECK(cudaFree(sort->values));
    CUDA_CHECK(cudaFree(sort->keys));
    CUDA_CHECK(cudaFree(sort->counts));
    free(sort);
}
