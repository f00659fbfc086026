/* Bodies in the order of a Morton curve through space, all on the device. Kernels in a header are
 * rewritten for a CPU as those of a step are (docs/cpucuda.md). */
#ifndef SORT_H
#define SORT_H

#include <float.h>
#include <stdlib.h>

#include "key_sort.h"

enum { SORT_THREADS = 256, CODE_BITS = 21 /* of a coordinate */ };

static inline int blocks_of(int n, int threads) {
    return (n + threads - 1) / threads;
}

struct sorter {
    int n;
    float4 *box; /* of all bodies */
    struct key_sort by_code;
};

/* The box of bodies `each` * blockIdx.x and the next: its centre and half of its longest side. */
static __global__ void bound(const float4 *bodies, int each, float4 *boxes) {
    __shared__ float ends[6][SORT_THREADS];
    float end[6] = {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX};

    for (int i = threadIdx.x; i < each; i += SORT_THREADS) {
        float4 body = bodies[blockIdx.x * each + i];
        float both[6] = {body.x, body.y, body.z, -body.x, -body.y, -body.z};

        for (int e = 0; e < 6; e++)
            end[e] = fminf(end[e], both[e]);
    }
    for (int e = 0; e < 6; e++)
        ends[e][threadIdx.x] = end[e];
    for (int half = SORT_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            for (int e = 0; e < 6; e++)
                ends[e][threadIdx.x] = fminf(ends[e][threadIdx.x], ends[e][threadIdx.x + half]);
    }
    if (threadIdx.x)
        return;
    boxes[blockIdx.x] = make_float4(
        (ends[0][0] - ends[3][0]) / 2, (ends[1][0] - ends[4][0]) / 2, (ends[2][0] - ends[5][0]) / 2,
        fmaxf(-ends[0][0] - ends[3][0], fmaxf(-ends[1][0] - ends[4][0], -ends[2][0] - ends[5][0])) /
            2);
}

/* Whether two boxes touch. */
__device__ static inline int touch(float4 a, float4 b) {
    float reach = a.w + b.w;

    return fabsf(a.x - b.x) <= reach && fabsf(a.y - b.y) <= reach && fabsf(a.z - b.z) <= reach;
}

/* The bits of a coordinate, three places apart: 0 <= place < 1. */
__device__ static inline unsigned long long spread(float place) {
    unsigned long long bits = 0;
    unsigned cell = (unsigned)(place * (1 << CODE_BITS));

    for (int b = 0; b < CODE_BITS; b++)
        bits |= (unsigned long long)(cell >> b & 1) << 3 * b;
    return bits;
}

/* Bodies with neighbouring Morton codes are neighbours in space. */
static __global__ void encode(const float4 *bodies, const float4 *box, int n,
                              unsigned long long *codes, int *numbers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 body, in = box[0];

    if (i >= n)
        return;
    body = bodies[i];
    float scale = 0.4999f / fmaxf(in.w, FLT_MIN);

    numbers[i] = i;
    codes[i] = spread(0.5f + (body.x - in.x) * scale) |
               spread(0.5f + (body.y - in.y) * scale) << 1 |
               spread(0.5f + (body.z - in.z) * scale) << 2;
}

static __global__ void arrange(const float4 *bodies, const int *order, int n, float4 *sorted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    sorted[i] = bodies[order[i < n ? i : n - 1]];
    if (i >= n)
        sorted[i].w = 0;
}

static inline void sorter_create(struct sorter *sorter, int n) {
    *sorter = {};
    sorter->n = n;
    CUDA_CHECK(cudaMalloc(&sorter->box, sizeof *sorter->box));
    key_sort_create(&sorter->by_code, n);
}

/* Finds the order of the n bodies. Returns half of the longest side of their box. */
static inline float sorter_sort(struct sorter *sorter, const float4 *bodies) {
    float4 box;

    bound<<<1, SORT_THREADS>>>(bodies, sorter->n, sorter->box);
    CUDA_CHECK(cudaGetLastError());
    encode<<<blocks_of(sorter->n, SORT_THREADS), SORT_THREADS>>>(
        bodies, sorter->box, sorter->n, sorter->by_code.keys, sorter->by_code.numbers);
    CUDA_CHECK(cudaGetLastError());
    key_sort_run(&sorter->by_code);
    CUDA_CHECK(cudaMemcpy(&box, sorter->box, sizeof box, cudaMemcpyDeviceToHost));
    return box.w;
}

/* The bodies in that order, and the box of each group of `group` of them: its centre, and as w half
 * of its longest side. Places from n to `room`, a multiple of `group` and of SORT_THREADS, take the
 * last body's position, without a mass. */
static inline void sorter_arrange(const struct sorter *sorter, const float4 *bodies, int room,
                                  int group, float4 *sorted, float4 *boxes) {
    arrange<<<room / SORT_THREADS, SORT_THREADS>>>(bodies, sorter->by_code.order, sorter->n,
                                                   sorted);
    CUDA_CHECK(cudaGetLastError());
    bound<<<room / group, SORT_THREADS>>>(sorted, group, boxes);
    CUDA_CHECK(cudaGetLastError());
}

static inline void sorter_destroy(struct sorter *sorter) {
    key_sort_destroy(&sorter->by_code);
    CUDA_CHECK(cudaFree(sorter->box));
}

#endif
