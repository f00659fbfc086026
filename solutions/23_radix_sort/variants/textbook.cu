/* Step 23 as it was done before a pass was one sweep: in three kernels, count, scan and move. Short
 * arrays are sorted in one block, by a partition for each bit (Nickolls and Kirk). Parts of a pass
 * repeat the step's code, since a header of the kit would give away what its learners write. */
#include "keys.h"

#ifndef LONGEST_IN_BLOCK
#define LONGEST_IN_BLOCK 0 /* keys that one block sorts, at most 1024 */
#endif

/* A pass, as its kernels get it. */
template <typename K> struct pass : pass_of_keys<K> {
    unsigned *histogram, *tiles; /* of all keys; a row of tiles' counts for each digit */
};

/* Changes a key's bits so that their order as unsigned numbers is that of the keys of this kind. */
template <typename K> __device__ K ordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == SIGNED_KEYS)
        return bits ^ sign;
    if (kind == FLOAT_KEYS)
        return bits & sign ? ~bits : bits ^ sign;
    return bits;
}

/* The lanes of the warp that have the caller's digit. */
__device__ unsigned lanes_with(unsigned digit) {
    unsigned lanes = ALL_LANES;

#pragma unroll
    for (int bit = 0; bit < BITS; bit++) {
        int is_set = digit >> bit & 1;
        unsigned set = __ballot_sync(ALL_LANES, is_set);
        lanes &= is_set ? set : ~set;
    }
    return lanes;
}

/* How many keys of the tile have each digit. */
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

/* A digit's row: each count becomes the sum of those before it; the row's total goes to the
 * histogram. */
static __global__ void scan_row(unsigned *tiles, int count, unsigned *histogram) {
    unsigned *row = tiles + (size_t)blockIdx.x * count;
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

/* Sorts the tile by the digit in shared memory, as the step does, and writes the keys of each digit
 * in one run behind those that the table counts before it. */
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
    int t = threadIdx.x, lane = t % WARP, warp = t / WARP, n = pass.n;
    int tile = blockIdx.x, first = tile * TILE + warp * WARP * ITEMS_PER_THREAD;
    const K none = unordered((K) ~(K)0, pass.from); /* the last in order */
    K key[ITEMS_PER_THREAD];
    unsigned value[ITEMS_PER_THREAD];

    for (int i = t; i < WARPS * DIGITS; i += THREADS)
        counts[i / DIGITS][i % DIGITS] = 0;
    __syncthreads();
    load_keys<K, HAS_VALUES>(pass, first, lane, none, key, value);
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
        atomicAdd(&counts[warp][digit_of(key[i], pass.shift)], 1u);
    __syncthreads();

    unsigned own = 0;
    if (t < DIGITS) {
        for (int w = 0; w < WARPS; w++) {
            unsigned of_warp = counts[w][t];
            counts[w][t] = own;
            own += of_warp;
        }
    }
    unsigned lower = sum_before(own), start = sum_before(t < DIGITS ? pass.histogram[t] : 0);
    for (int w = 0; w < WARPS && t < DIGITS; w++)
        counts[w][t] += lower;
    __syncthreads();

    if (first < n) { /* the same for all lanes */
#pragma unroll
        for (int i = 0; i < ITEMS_PER_THREAD; i++) {
            unsigned digit = digit_of(key[i], pass.shift), place = 0;
            unsigned same = lanes_with(digit);
            unsigned earlier = __popc(same & ((1u << lane) - 1));
            if (earlier == 0)
                place = atomicAdd(&counts[warp][digit], __popc(same));
            place = __shfl_sync(ALL_LANES, place, __ffs(same) - 1) + earlier;
            tile_keys[place] = key[i];
            if (HAS_VALUES)
                tile_values[place] = value[i];
        }
    }
    if (t < DIGITS)
        moved[t] = start + pass.tiles[t * gridDim.x + tile] - lower;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++) {
        int place = i * THREADS + t;
        if (tile * TILE + place < n) {
            K sorted = tile_keys[place];
            unsigned to = moved[digit_of(sorted, pass.shift)] + place;
            pass.sorted_keys[to] = pass.to == UNSIGNED_KEYS ? sorted : unordered(sorted, pass.to);
            if (HAS_VALUES)
                pass.sorted_values[to] = tile_values[place];
        }
    }
}

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
    enum { ROOM = LONGEST_IN_BLOCK ? LONGEST_IN_BLOCK : 1 };
    __shared__ K keys[ROOM];
    __shared__ unsigned values[ROOM], set[ROOM];
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

template <typename K, int HAS_VALUES> static void sort_once(struct radix_sort *sort) {
    typedef struct shape<K, HAS_VALUES> shape;
    int n = sort->parameters.n, tiles = sort->tiles;
    unsigned *histogram = (unsigned *)sort->scratch, *of_tiles = histogram + DIGITS;
    int passes = n <= LONGEST_IN_BLOCK ? 1 : shape::PASSES;
    K *keys = (K *)sort->keys;
    struct pass<K> pass;

    if (n == 0)
        return;
    sort->result = (passes - 1) % 2;
    if (sort->made++ > 0)
        change<<<1, 1>>>(keys, (const K *)sort->sorted_keys[sort->result], n);
    for (int p = 0; p < passes; p++) {
        set_pass(&pass, sort, p, passes);
        pass.histogram = histogram;
        pass.tiles = of_tiles;
        if (n <= LONGEST_IN_BLOCK) {
            sort_in_block<K, HAS_VALUES><<<1, n>>>(pass);
            break;
        }
        count_tile<K, HAS_VALUES><<<tiles, THREADS>>>(pass);
        scan_row<<<DIGITS, min(THREADS, divide_up(tiles, WARP) * WARP)>>>(of_tiles, tiles,
                                                                          histogram);
        move<K, HAS_VALUES><<<tiles, THREADS, shape::TILE * shape::BYTES>>>(pass);
    }
    CUDA_CHECK(cudaGetLastError());
}

template <typename K, int HAS_VALUES> static void prepare(struct radix_sort *sort) {
    typedef struct shape<K, HAS_VALUES> shape;

    sort->sort_once = sort_once<K, HAS_VALUES>;
    sort->tiles = divide_up(sort->parameters.n, shape::TILE);
    sort->scratch_bytes = sizeof(unsigned) * ((size_t)sort->tiles + 1) * DIGITS;
    CUDA_CHECK(cudaFuncSetAttribute(move<K, HAS_VALUES>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    shape::TILE * shape::BYTES));
}

/* radix_sort_run, radix_sort_passes and radix_sort_destroy are those of keys.h. */
struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    return sort_create(parameters, in, out, FOR_KEYS(prepare, parameters));
}
