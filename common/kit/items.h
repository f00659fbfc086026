/* What all programs that scan an array tile by tile share: the two operations, loading and storing
 * a tile's elements, arrays on the device, and the functions of the contract except scan_create and
 * scan_passes. Macros: THREADS per block, VECTORS per thread, VECTOR elements in each, 4 or 1. */
#ifndef ITEMS_H
#define ITEMS_H

#include <limits.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "scan.h"

enum { WARP = 32, WARPS = THREADS / WARP };
enum { ITEMS_PER_THREAD = VECTORS * VECTOR, TILE = THREADS * ITEMS_PER_THREAD };
#define BLOCKS    (1024 / THREADS) /* per multiprocessor: registers must leave room for so many */
#define ALL_LANES 0xffffffffu

/* How two elements are combined, `of(earlier, later)`, and the neutral element. */
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

/* Where vector k of this thread begins in the array. */
static __device__ inline int place_of(int tile, int k) {
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    return tile * TILE + ((warp * VECTORS + k) * WARP + lane) * VECTOR;
}

/* A vector in one access. */
static __device__ inline void load(const int *from, int to[VECTOR]) {
    if (VECTOR == 4) {
        int4 v = *(const int4 *)from;
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    } else {
        to[0] = *from;
    }
}

static __device__ inline void store(int *to, const int from[VECTOR]) {
    if (VECTOR == 4)
        *(int4 *)to = make_int4(from[0], from[1], from[2], from[3]);
    else
        *to = from[0];
}

/* The tile's elements. The last tile may be longer than the rest of the array. */
static __device__ inline void load_tile(const int *x, int n, int tile, int nothing,
                                        int to[VECTORS][VECTOR]) {
    if ((tile + 1) * TILE <= n) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            load(x + place_of(tile, k), to[k]);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS_PER_THREAD; i++) {
            int k = i / VECTOR, j = i % VECTOR, at = place_of(tile, k) + j;
            to[k][j] = at < n ? x[at] : nothing;
        }
    }
}

static __device__ inline void store_tile(int *x, int n, int tile, const int from[VECTORS][VECTOR]) {
    if ((tile + 1) * TILE <= n) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            store(x + place_of(tile, k), from[k]);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS_PER_THREAD; i++) {
            int k = i / VECTOR, j = i % VECTOR, at = place_of(tile, k) + j;
            if (at < n)
                x[at] = from[k][j];
        }
    }
}

/* The aggregate of each of the thread's vectors. */
template <typename Op>
static __device__ inline void aggregate_vectors(const int of[VECTORS][VECTOR],
                                                int aggregates[VECTORS]) {
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        aggregates[k] = of[k][0];
        for (int j = 1; j < VECTOR; j++)
            aggregates[k] = Op::of(aggregates[k], of[k][j]);
    }
}

static inline int tiles_of(int n) {
    return n / TILE + (n % TILE > 0);
}

struct scan {
    struct scan_parameters parameters;
    const int *in;
    int *out;
    int *elements; /* n; scanned in place */
    void *scratch; /* zero when it was created */
    unsigned made; /* passes */
};

static inline struct scan *create_scan(const struct scan_parameters *parameters, const int *in,
                                       int *out, size_t scratch_bytes) {
    struct scan *scan = (struct scan *)calloc(1, sizeof *scan);
    size_t room = parameters->n ? parameters->n : 1; /* so that no allocation is empty */

    if (!scan)
        return NULL;
    scan->parameters = *parameters;
    scan->in = in;
    scan->out = out;
    CUDA_CHECK(cudaMalloc(&scan->elements, room * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&scan->scratch, scratch_bytes));
    CUDA_CHECK(cudaMemset(scan->scratch, 0, scratch_bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    return scan;
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
    CUDA_CHECK(cudaFree(scan->scratch));
    free(scan);
}

#endif
