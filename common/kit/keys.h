/* What all programs that sort keys digit by digit share, apart from their ideas: how keys are cut
 * into digits and tiles, a sum over the threads of a block, arrays on the device, and the functions
 * of the contract but for radix_sort_create. THREADS and BITS are macros: the threads per block,
 * the bits of a digit. */
#ifndef KEYS_H
#define KEYS_H

#include <stdlib.h>

#include "cuda_check.h"
#include "radix_sort.h"

/* Blocks per multiprocessor that registers must leave room for; it has room for 1024 threads below
 * compute capability 8.0, else for more. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define BLOCKS (1024 / THREADS)
#else
#define BLOCKS 3
#endif

enum { WARP = 32, WARPS = THREADS / WARP, DIGITS = 1 << BITS };

static const unsigned ALL_LANES = 0xffffffff;

/* Per thread, at most: keys, and words of 4 bytes for its keys and values. */
static const int MOST_KEYS = 20, MOST_WORDS = 32;

/* How keys of a type are cut into digits, and an array into tiles. */
template <typename K, int HAS_VALUES> struct shape {
    enum {
        PASSES = (8 * sizeof(K) + BITS - 1) / BITS,
        BYTES = sizeof(K) + HAS_VALUES * sizeof(unsigned),
        IN_WORDS = 4 * MOST_WORDS / BYTES,
        ITEMS_PER_THREAD = MOST_KEYS < IN_WORDS ? MOST_KEYS : IN_WORDS,
        TILE = THREADS * ITEMS_PER_THREAD
    };
};

template <typename K> __device__ unsigned digit_of(K key, int shift) {
    return (unsigned)(key >> shift) & (DIGITS - 1);
}

/* The reverse of ordered(): the bits of a key of this kind. */
template <typename K> __device__ K unordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == SIGNED_KEYS)
        return bits ^ sign;
    if (kind == FLOAT_KEYS)
        return bits & sign ? bits ^ sign : ~bits;
    return bits;
}

/* The file's own: changes a key's bits so that their order as unsigned numbers is that of the keys
 * of this kind. */
template <typename K> __device__ K ordered(K bits, int kind);

/* What kernels of a pass are told; a file adds what is its own. */
template <typename K> struct pass_of_keys {
    const K *keys;
    K *sorted_keys;
    const unsigned *values;
    unsigned *sorted_values;
    int n, shift; /* of the digit: its lowest bit */
    int from, to; /* the kinds of keys read and written; between passes they are unsigned */
};

/* A thread's keys, and values, of the tile: its warp has consecutive ones from `first` on. Behind
 * the last key comes `none`, which stays behind all keys. */
template <typename K, int HAS_VALUES>
__device__ void load_keys(const struct pass_of_keys<K> &pass, int first, int lane, K none, K *key,
                          unsigned *value) {
    enum { ITEMS_PER_THREAD = shape<K, HAS_VALUES>::ITEMS_PER_THREAD };

#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++) {
        int at = first + i * WARP + lane;
        key[i] = at < pass.n ? pass.keys[at] : none;
        value[i] = HAS_VALUES && at < pass.n ? pass.values[at] : 0;
    }
    if (pass.from != UNSIGNED_KEYS) {
#pragma unroll
        for (int i = 0; i < ITEMS_PER_THREAD; i++)
            key[i] = ordered(key[i], pass.from);
    }
}

/* The sum of what the threads before the caller bring. All threads of the block come here. */
static __device__ inline unsigned sum_before(unsigned mine) {
    __shared__ unsigned warp_aggregates[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned sum = mine;

    for (int distance = 1; distance < WARP; distance *= 2) {
        unsigned other = __shfl_up_sync(ALL_LANES, sum, distance);
        sum += lane >= distance ? other : 0;
    }
    if (lane == WARP - 1)
        warp_aggregates[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += warp_aggregates[w];
    __syncthreads(); /* the next caller writes there */
    return sum - mine;
}

/* The input of the next sort. */
template <typename K> __global__ void change(K *keys, const K *sorted, int n) {
    keys[0] += sorted[n / 2];
}

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* A program's sort. Its `prepare` sets the members after `made`. */
struct radix_sort {
    struct radix_sort_parameters parameters;
    const void *in;
    void *out;
    void *keys, *sorted_keys[2];         /* the input; passes write alternately to the two */
    unsigned *values, *sorted_values[2]; /* NULL if there are none */
    void *scratch;
    int made; /* sorts */
    void (*sort_once)(struct radix_sort *);
    size_t scratch_bytes;
    int most_blocks;   /* that count keys at a time */
    int tiles, result; /* `result`: which of the two holds the sorted keys */
};

/* Sets up pass p of `passes`: each reads what the previous one has written. */
template <typename K>
static void set_pass(struct pass_of_keys<K> *pass, const struct radix_sort *sort, int p,
                     int passes) {
    int kind = sort->parameters.key_kind, side = p % 2;

    pass->keys = (const K *)(p == 0 ? sort->keys : sort->sorted_keys[1 - side]);
    pass->sorted_keys = (K *)sort->sorted_keys[side];
    pass->values = p == 0 ? sort->values : sort->sorted_values[1 - side];
    pass->sorted_values = sort->sorted_values[side];
    pass->n = sort->parameters.n;
    pass->shift = p * BITS;
    pass->from = p == 0 ? kind : UNSIGNED_KEYS;
    pass->to = p == passes - 1 ? kind : UNSIGNED_KEYS;
}

/* Which of four instances of `prepare`: by the keys' size, with values or without. */
#define FOR_KEYS(prepare, parameters)                                                              \
    ((parameters)->key_bytes == 8 ? (parameters)->has_values ? prepare<unsigned long long, 1>      \
                                                             : prepare<unsigned long long, 0>      \
     : (parameters)->has_values ? prepare<unsigned, 1>                                             \
                                  : prepare<unsigned, 0>)

static inline struct radix_sort *sort_create(const struct radix_sort_parameters *parameters,
                                             const void *in, void *out,
                                             void (*prepare)(struct radix_sort *)) {
    struct radix_sort *sort = (struct radix_sort *)calloc(1, sizeof *sort);
    size_t room = parameters->n ? parameters->n : 1; /* so that no allocation is empty */

    if (!sort)
        return NULL;
    sort->parameters = *parameters;
    sort->in = in;
    sort->out = out;
    prepare(sort);
    CUDA_CHECK(cudaMalloc(&sort->scratch, sort->scratch_bytes));
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
    CUDA_CHECK(cudaFree(sort->scratch));
    free(sort);
}

#endif
