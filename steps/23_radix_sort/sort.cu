/* Step 23: an array sorted by its digits, from the lowest to the highest. Each pass moves every key
 * once, to where the keys with its digit lie, and keeps the order of equal digits. */
#include "keys.h"

enum { AHEAD = 8 }; /* keys that a thread loads before it counts the first */

/* The tile status: what a tile publishes about one digit for later tiles, in one word, a count and
 * one of these bits. The aggregate counts its own keys. The inclusive prefix counts those of all
 * earlier tiles, too, and all keys with lower digits. */
typedef unsigned tile_status;
enum : unsigned { AGGREGATE = 1u << 30, INCLUSIVE_PREFIX = 1u << 31, COUNT = AGGREGATE - 1 };

/* A pass, as its kernels get it. */
template <typename K> struct pass : pass_of_keys<K> {
    unsigned *histogram, *tickets;  /* of all keys; how many blocks have one */
    volatile tile_status *statuses; /* per tile and digit */
};

/* Changes a key's bits so that their order as unsigned numbers is that of the keys of this kind. */
template <typename K> __device__ K ordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == SIGNED_KEYS)
        return bits ^ sign;
    if (kind == FLOAT_KEYS) /* a greater magnitude makes a negative one less */
        return bits & sign ? ~bits : bits ^ sign;
    return bits;
}

/* The lanes of the warp that have the caller's digit. */
__device__ unsigned lanes_with(unsigned digit) {
    if (MATCH)
        return __match_any_sync(ALL_LANES, digit);
    unsigned lanes = ALL_LANES;

    /* part 1, 6 lines: Find the lanes with the caller's digit, by one vote per bit. */
    /* until solved */
    (void)digit;
    /* end of until solved */
    /* end of part 1 */
    return lanes;
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
        /* part 2, 4 lines: Count each digit of each key, in shared memory. */
        /* until solved */
        (void)key, (void)kind;
        /* end of until solved */
        /* end of part 2 */
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS)
        atomicAdd(&histograms[i], counts[i]);
}

/* How many keys come before this tile's keys with digit d: those with d in earlier tiles, and all
 * keys with lower digits. In tile 0 these are `start`; a later tile finds them in an inclusive
 * prefix. This tile has `aggregate` keys with digit d. */
__device__ unsigned find_exclusive_prefix(volatile tile_status *statuses, int tile, int d,
                                          unsigned aggregate, unsigned start) {
    unsigned before = start;

    /* part 3, 8 lines: Add up counts of earlier tiles, to the nearest inclusive prefix; publish. */
    /* until solved */
    (void)statuses, (void)tile, (void)d, (void)aggregate;
    /* end of until solved */
    /* end of part 3 */
    return before;
}

/* A pass: every block takes a tile, sorts it by the digit in shared memory, and writes the keys of
 * each digit in one run behind those of earlier tiles. */
template <typename K, int HAS_VALUES>
__global__ void __launch_bounds__(THREADS, BLOCKS) move(struct pass<K> pass) {
    enum {
        ITEMS_PER_THREAD = shape<K, HAS_VALUES>::ITEMS_PER_THREAD,
        TILE = shape<K, HAS_VALUES>::TILE
    };
    extern __shared__ unsigned long long memory[];
    K *tile_keys = (K *)memory;
    unsigned *tile_values = (unsigned *)(tile_keys + TILE);
    __shared__ unsigned counts[WARPS][DIGITS], moved[DIGITS];
    __shared__ int ticket;
    int t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    K key[ITEMS_PER_THREAD];
    unsigned value[ITEMS_PER_THREAD];

    for (int i = t; i < WARPS * DIGITS; i += THREADS)
        counts[i / DIGITS][i % DIGITS] = 0;
    if (t == 0) /* blocks may start in any order; a block may wait only for tiles that have begun */
        ticket = atomicAdd(pass.tickets, 1u);
    __syncthreads();
    int tile = ticket, first = tile * TILE + warp * WARP * ITEMS_PER_THREAD, n = pass.n;

    const K none = unordered((K) ~(K)0, pass.from); /* the last in order */
    load_keys<K, HAS_VALUES>(pass, first, lane, none, key, value);
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
        atomicAdd(&counts[warp][digit_of(key[i], pass.shift)], 1u);
    __syncthreads();

    unsigned aggregate = 0;
    if (t < DIGITS) {
        /* part 4, 5 lines: Replace each warp's count by the sum of the counts of earlier warps. */
        /* end of part 4 */
        if (tile > 0)
            pass.statuses[tile * DIGITS + t] = AGGREGATE | aggregate;
    }
    unsigned lower = sum_before(aggregate), start = 0; /* of lower digits: the tile's; all */
    if (tile == 0)
        start = sum_before(t < DIGITS ? pass.histogram[t] : 0);
    for (int w = 0; w < WARPS && t < DIGITS; w++)
        counts[w][t] += lower;
    __syncthreads();

    /* Where the key comes to lie in the tile: behind lower digits, earlier warps, what the warp had
     * before, and earlier lanes. */
    if (first < n) { /* the same for all lanes */
#pragma unroll
        for (int i = 0; i < ITEMS_PER_THREAD; i++) {
            unsigned digit = digit_of(key[i], pass.shift), place = 0;
            /* part 5, 6 lines: The first lane with a digit takes places for all lanes with it. */
            /* until solved */
            tile_keys[warp * WARP * ITEMS_PER_THREAD + i * WARP + lane] = key[i], (void)digit;
            /* end of until solved */
            /* end of part 5 */
            if (HAS_VALUES)
                tile_values[place] = value[i];
        }
    }
    if (t < DIGITS) {
        unsigned before = find_exclusive_prefix(pass.statuses, tile, t, aggregate, start);
        moved[t] = before - lower; /* from the place in the tile to that among all keys */
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++) {
        /* part 6, 8 lines: Neighbouring threads write neighbouring keys of a digit. */
        /* end of part 6 */
    }
}

template <typename K, int HAS_VALUES> static void sort_once(struct radix_sort *sort) {
    typedef struct shape<K, HAS_VALUES> shape;
    int n = sort->parameters.n, kind = sort->parameters.key_kind, tiles = sort->tiles;
    unsigned *histograms = (unsigned *)sort->scratch; /* then tickets, then tiles' statuses */
    unsigned *tickets = histograms + shape::PASSES * DIGITS, *statuses = tickets + shape::PASSES;
    K *keys = (K *)sort->keys;
    struct pass<K> pass;

    if (n == 0)
        return;
    if (sort->made++ > 0)
        change<<<1, 1>>>(keys, (const K *)sort->sorted_keys[sort->result], n);
    int blocks = min(divide_up(n, THREADS * AHEAD), sort->most_blocks);

    CUDA_CHECK(cudaMemsetAsync(histograms, 0, sort->scratch_bytes));
    count_all<<<blocks, THREADS>>>(keys, n, kind, histograms);
    for (int p = 0; p < shape::PASSES; p++) {
        set_pass(&pass, sort, p, shape::PASSES);
        pass.histogram = histograms + p * DIGITS;
        pass.tickets = tickets + p;
        pass.statuses = statuses + (size_t)p * tiles * DIGITS;
        move<K, HAS_VALUES><<<tiles, THREADS, shape::TILE * shape::BYTES>>>(pass);
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
    sort->scratch_bytes =
        sizeof(unsigned) * shape::PASSES * ((size_t)sort->tiles * DIGITS + DIGITS + 1);
    CUDA_CHECK(cudaFuncSetAttribute(move<K, HAS_VALUES>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    shape::TILE * shape::BYTES));
}

/* radix_sort_run, radix_sort_passes and radix_sort_destroy are those of keys.h. */
struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    return sort_create(parameters, in, out, FOR_KEYS(prepare, parameters));
}
