/* Step 21: the sum of an array, read once: each thread adds up many elements in a register, the
 * lanes of a warp exchange theirs, and the aggregate of a block goes to memory. */
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

/* values of TREE */
#define NEIGHBOURS 1
#define HALVES     2
#ifndef JOIN
#define JOIN ATOMIC /* how the aggregates of blocks come together */
#endif
#define ATOMIC   0 /* each block adds to the result */
#define RELAUNCH 1 /* they are an array, which is added up in the same way */
#define IN_ORDER 2 /* one more block adds them up, in their order: the same bits every time */

enum { WARP = 32, WARPS = THREADS / WARP, VECTOR = 4 };

struct reduction {
    struct reduce_parameters parameters;
    const void *in;
    void *out;
    void *elements;   /* n */
    void *sums;       /* two: of the last pass, and of this one */
    void *aggregates; /* of blocks, 2 x blocks; unless JOIN is ATOMIC */
    int most_blocks;  /* that the device holds at a time */
    int pass;         /* passes so far; its parity says which of the sums is the last pass's */
};

/* The differences between the types: how the last sum changes an element, and the vector of four
 * elements for one load. */
template <typename T> struct kind;
template <> struct kind<unsigned> {
    typedef uint4 vector;
    __device__ static unsigned after(unsigned last) {
        return last;
    }
    __device__ static unsigned changed(unsigned element, unsigned last) {
        return change_integer(element, last);
    }
};
template <> struct kind<float> {
    typedef float4 vector;
    __device__ static float after(float last) {
        return factor_after(last);
    }
    __device__ static float changed(float element, float factor) {
        return change_float(element, factor);
    }
};

/* The aggregate of a block: the sum of its threads' `mine`. Thread 0 gets it. */
template <typename T> __device__ T aggregate_of_block(T mine) {
#ifdef TREE
    __shared__ T x[THREADS];
    int t = threadIdx.x;

    x[t] = mine;
#if TREE == NEIGHBOURS /* interleaved addressing: elements lie ever further apart */
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        if (2 * distance * t < THREADS)
            x[2 * distance * t] += x[2 * distance * t + distance];
    }
#else /* sequential addressing: active lanes stay beside each other, and so do their banks */
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            x[t] += x[t + half];
    }
#endif
    __syncthreads();
    return x[0];
#else
    __shared__ T warp_aggregates[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    /* part 1, 2 lines: The sum over the warp's lanes, without shared memory. */
    for (int half = WARP / 2; half > 0; half /= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, half);
    /* end of part 1 */
    /* part 2, 5 lines: The sum over the warps: one aggregate each through shared memory. */
    if (lane == 0)
        warp_aggregates[warp] = mine;
    __syncthreads();
    for (int w = 1; w < WARPS && threadIdx.x == 0; w++)
        mine += warp_aggregates[w];
    /* until solved:
    (void)warp_aggregates, (void)lane, (void)warp;
    */
    /* end of part 2 */
    return mine;
#endif
}

/* The sum of in[0] to in[n - 1], each changed by the sum `last`, or unchanged if `last` is NULL. If
 * `is_atomic`, it is added to *sums; else block b writes its aggregate to sums[b]. */
template <typename T>
__global__ void add_up(const T *in, int n, const T *last, T *sums, int is_atomic) {
    int first = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    T change = kind<T>::after(last ? *last : 0), mine = 0;

#ifdef ONE_ELEMENT
    (void)threads;
    mine = first < n ? kind<T>::changed(in[first], change) : 0; /* padded with zeros */
#elif defined(SCALARS)
    for (int i = first; i < n; i += threads)
        mine += kind<T>::changed(in[i], change);
#else
    /* part 3, 8 lines: All threads add up the whole vectors, in a grid-stride loop. */
    typedef typename kind<T>::vector vector; /* of four elements */
    const vector *vectors = (const vector *)in;
#pragma unroll 4
    for (int i = first; i < n / VECTOR; i += threads) {
        vector four = vectors[i];
        mine += kind<T>::changed(four.x, change) + kind<T>::changed(four.y, change) +
                kind<T>::changed(four.z, change) + kind<T>::changed(four.w, change);
    }
    /* until solved:
    (void)in, (void)n, (void)threads, (void)change;
    */
    /* end of part 3 */
    /* part 4, 2 lines: Add the last elements, which fill no vector, one per thread. */
    int rest = n / VECTOR * VECTOR + first;
    mine += rest < n ? kind<T>::changed(in[rest], change) : 0;
    /* until solved:
    (void)first;
    */
    /* end of part 4 */
#endif
    mine = aggregate_of_block(mine);
    if (threadIdx.x == 0 && is_atomic)
        atomicAdd(sums, mine);
    else if (threadIdx.x == 0)
        sums[blockIdx.x] = mine;
}

static int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* With ONE_ELEMENT a thread for each element; otherwise at most as many blocks as fill the
 * device. */
static int blocks_for(const struct reduction *reduction, int n) {
#ifdef ONE_ELEMENT
    (void)reduction;
    int blocks = divide_up(n, THREADS);
#else
    int blocks = min(divide_up(n, THREADS * VECTOR), reduction->most_blocks);
#endif

    return max(blocks, 1);
}

struct reduction *reduction_create(const struct reduce_parameters *parameters, const void *in,
                                   void *out) {
    struct reduction *reduction = (struct reduction *)calloc(1, sizeof *reduction);
    int multiprocessors, blocks;
    size_t n = parameters->n;

    if (!reduction)
        return NULL;
    reduction->parameters = *parameters;
    reduction->in = in;
    reduction->out = out;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_up<float>, THREADS, 0));
    reduction->most_blocks = blocks * multiprocessors;
    CUDA_CHECK(cudaMalloc(&reduction->elements, max(n, (size_t)1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&reduction->sums, 2 * sizeof(int)));
    if (JOIN != ATOMIC)
        CUDA_CHECK(cudaMalloc(&reduction->aggregates,
                              2 * sizeof(int) * blocks_for(reduction, parameters->n)));
    return reduction;
}

/* One pass: from sums[1 - side] to sums[side]. */
template <typename T> static void make_pass(struct reduction *reduction) {
    const T *elements = (const T *)reduction->elements;
    int n = reduction->parameters.n, blocks = blocks_for(reduction, n);
    int side = reduction->pass++ % 2;
    T *sum = (T *)reduction->sums + side, *last = (T *)reduction->sums + (1 - side);
    T *aggregates = (T *)reduction->aggregates;

    if (JOIN == ATOMIC) {
        /* part 5, 2 lines: Set the sum to 0; then every block adds to it. */
        CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof *sum));
        add_up<<<blocks, THREADS>>>(elements, n, last, sum, 1);
        /* until solved:
        (void)elements, (void)last, (void)sum;
        */
        /* end of part 5 */
    } else {
        add_up<<<blocks, THREADS>>>(elements, n, last, aggregates, 0);
        while (JOIN == RELAUNCH && blocks > 1) { /* from one half of the aggregates to the other */
            T *next = aggregates == reduction->aggregates ? aggregates + blocks_for(reduction, n)
                                                          : (T *)reduction->aggregates;
            int fewer = blocks_for(reduction, blocks);

            add_up<<<fewer, THREADS>>>(aggregates, blocks, (const T *)NULL, next, 0);
            aggregates = next;
            blocks = fewer;
        }
        if (JOIN == IN_ORDER)
            add_up<<<1, THREADS>>>(aggregates, blocks, (const T *)NULL, sum, 0);
        else
            CUDA_CHECK(cudaMemcpyAsync(sum, aggregates, sizeof *sum, cudaMemcpyDeviceToDevice));
    }
    CUDA_CHECK(cudaGetLastError());
}

void reduction_passes(struct reduction *reduction, int passes) {
    for (int pass = 0; pass < passes; pass++)
        if (reduction->parameters.of_floats)
            make_pass<float>(reduction);
        else
            make_pass<unsigned>(reduction);
}

int reduction_run(struct reduction *reduction, int passes) {
    size_t bytes = reduction->parameters.n * sizeof(int);

    CUDA_CHECK(cudaMemcpy(reduction->elements, reduction->in, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset((int *)reduction->sums + 1, 0, sizeof(int))); /* before the first pass */
    reduction->pass = 0;
    reduction_passes(reduction, passes);
    CUDA_CHECK(cudaMemcpy(reduction->out, (int *)reduction->sums + (passes - 1) % 2, sizeof(int),
                          cudaMemcpyDeviceToHost));
    return 0;
}

void reduction_destroy(struct reduction *reduction) {
    CUDA_CHECK(cudaFree(reduction->elements));
    CUDA_CHECK(cudaFree(reduction->sums));
    CUDA_CHECK(cudaFree(reduction->aggregates));
    free(reduction);
}
