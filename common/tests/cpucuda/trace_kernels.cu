/* trace_kernels NAME: runs one kernel and writes its counters to stdout, as they are. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_pipeline.h>

#include "protocol/counters.h"
#include "cpucuda/inlined.h"

namespace cpucuda {
extern struct counters counters;
}

struct body {
    float x, y, z, vx, vy, vz;
};
struct padded_behind {
    float x, y, z, unused;
};
struct padded_before {
    float unused, x, y, z;
};

static inline int index() {
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void six_floats(const body *bodies, float *out) {
    out[index()] = bodies[index()].vx;
}
__global__ void whole_body(const body *bodies, body *out) {
    out[index()] = bodies[index()];
}
__global__ void one_array(const float *in, float *out) {
    out[index()] = in[index()]; // copies one array
}
__global__ void three_floats(const float3 *in, float *out) {
    const float3 p = in[index()];
    out[index()] = p.x + p.y + p.z;
}
__global__ void four_floats(const float4 *in, float *out) {
    const float4 p = in[index()];
    out[index()] = p.x + p.y + p.z + p.w;
}
__global__ void shifted(const float *in, float *out) {
    out[index()] = in[index() + 1];
}
__global__ void two_loads(const float *in, float *out) {
    out[index()] = in[index()] + in[index() + 1]; // loads twice
}
__global__ void calls(float *out) {
    add_one(&out[index()]); // calls a header
}
#define FIVE(stores)            stores stores stores stores stores
#define FIVE_TIMES_FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores)
/* 75 stores by one thread, and then one by all. */
__global__ void many_lines(volatile float *out) {
    if (threadIdx.x == 0) {
        FIVE_TIMES_FIVE(out[1] = 1; out[2] = 2;)
        FIVE_TIMES_FIVE(out[3] = 3;)
    }
    out[index()] = 4;
}
__global__ void adds(float *out) {
    out[index()] += 1;
}

/* Every thread goes over all elements. */
__global__ void broadcast(const float *in, int n, float *out) {
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += in[j];
    out[index()] = sum;
}
__global__ void partial_warp(const float *in, int n, float *out) {
    if (index() >= n)
        return;
    out[index()] = in[index()];
}
/* Lane l goes round l + 1 times. */
__global__ void divergent(const float *in, float *out) {
    float sum = 0;
    for (int j = 0; j <= index(); j++)
        sum += in[j * 32 + index()];
    out[index()] = sum;
}
/* Lanes go different ways: their strides differ. */
__global__ void fan(const float *in, int n, float *out) {
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += in[j * index()];
    out[index()] = sum;
}
/* No two accesses of a thread lie as the two before. */
__global__ void scattered(const int *in, int n, float *out) {
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += (float)in[(j * j + index()) % 64];
    out[index()] = sum;
}

/* A column of a tile of 32 rows. */
template <int ROW> __global__ void column(float *out) {
    __shared__ float tile[32 * ROW];
    for (int row = 0; row < 32; row++)
        tile[row * ROW + threadIdx.x] = 1;
    __syncthreads();
    out[index()] = tile[threadIdx.x * ROW + 5];
}
template <class T> __global__ void wide(float *out) {
    __shared__ T tile[64];
    tile[2 * threadIdx.x] = T();
    tile[threadIdx.x] = T();
    __syncthreads();
    const T seen = tile[3];
    memcpy(&out[index()], &seen, sizeof(float));
}
/* A tile that is filled and read again and again. */
__global__ void tiles(const float *in, int n, float *out) {
    __shared__ float tile[64];
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = in[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++)
            sum += tile[j];
        __syncthreads();
    }
    out[index()] = sum;
}
__global__ void asynchronous(const float4 *in, float *out) {
    __shared__ float4 tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof *in);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[index()] = tile[threadIdx.x].x;
}
/* Every thread writes an element that all read. */
__global__ void exchange(float *out) {
    __shared__ float4 tile[32];
    float sum = 0;
    tile[threadIdx.x] = {1, 2, 3, 4};
    __syncthreads();
    for (int j = 0; j < 32; j++)
        sum += tile[j].x;
    out[index()] = sum;
}
/* Untraced, since nobody knows how often a thread looks. */
CPUCUDA_UNTRACED static void meet(volatile int *here) {
    here[blockIdx.x] = 1;
    while (!here[1 - blockIdx.x])
        ;
}
/* Either of two blocks goes on when both have begun. */
__global__ void meeting(int *here, float *out) {
    __shared__ float tile[32];
    meet(here);
    __syncthreads(); /* a warp is whole again: its store is one request */
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[index()] = tile[31 - threadIdx.x];
}
__global__ void atomics(unsigned *out) {
    __atomic_fetch_add(out, 1u, __ATOMIC_RELAXED);
    unsigned expected = 1000;
    __atomic_compare_exchange_n(out + 1, &expected, 7u, false, 0, 0);
    __atomic_fetch_or(out + 2, 1u << threadIdx.x % 32, __ATOMIC_RELAXED);
    unsigned seen = __atomic_load_n(out + 3, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(out + 3, &seen, seen + 2, false, 0, 0);
    __atomic_store_n(out + 4, 9u, __ATOMIC_RELAXED);
    __atomic_exchange_n(out + 5, 8u, __ATOMIC_RELAXED);
    __atomic_fetch_sub(out + 6, 1u, __ATOMIC_RELAXED);
}
__device__ alignas(32) float factors[64]; /* not static: it would be a constant */
__global__ void program_variable(float *out) {
    out[index()] = factors[threadIdx.x];
}
__constant__ float common[64];
__constant__ const float fixed[64] = {1, 2};
/* Its own element and a parameter in a loop: a compiler keeps both in registers, up to a barrier.
 */
__global__ void own_in_loop(const float *in, int n, float *out) {
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        for (int j = 0; j < 64; j++)
            sum += in[index()] * common[3] + fixed[j];
        __syncthreads();
    }
    out[index()] = sum;
}
/* Two own elements in a loop; and 20 again and again, more than a compiler keeps. */
__global__ void two_own_in_loop(const float *in, int n, float *out) {
    float sum = 0;
    for (int j = 0; j < n; j++)
        for (int own = 0; own < 2; own++)
            sum += in[own * 128 + index()];
    for (int j = 0; j < n; j += 20)
        for (int k = 0; k < 20; k++)
            sum += in[8 * k + threadIdx.x];
    out[index()] = sum;
}
__global__ void set_and_copied(body *out) {
    __shared__ body tile[32];
    memset(&tile[threadIdx.x], 1, sizeof(body));
    __syncthreads();
    memcpy(&out[index()], &tile[31 - threadIdx.x], sizeof(body));
}
__global__ void unwritten(float *out, int written) {
    __shared__ float tile[64]; // a part is written
    if ((int)threadIdx.x < written)
        tile[threadIdx.x] = 1;
    __syncthreads();
    out[index()] = tile[63 - threadIdx.x]; // reads too much
}
__global__ void neighbours(float *out) {
    __shared__ float first;
    __shared__ float second;
    __shared__ float third;
    first = third = 1;
    __syncthreads();
    out[index()] = second; // nobody wrote it
}
__global__ void set_at_once(unsigned *out) {
    __shared__ unsigned tile[32];
    if (threadIdx.x == 0)
        memset(tile, 1, sizeof tile);
    __syncthreads();
    __atomic_fetch_add(out, tile[31 - threadIdx.x], __ATOMIC_RELAXED);
}
/* One instruction of shared and global memory. */
__global__ void either(const float *in, float *out) {
    __shared__ float tile[32];
    tile[threadIdx.x % 32] = 1;
    __syncthreads();
    const float *from = threadIdx.x < 32 ? tile : in;
    out[index()] = from[threadIdx.x % 32];
}
template <class T> __global__ void padding(T *out) {
    __shared__ T tile[32];
    tile[threadIdx.x].x = 1;
    tile[threadIdx.x].y = 2;
    tile[threadIdx.x].z = 3;
    __syncthreads();
    T p = tile[31 - threadIdx.x];
    p.x += 1;
    out[index()] = p;
}

/* Zeros. */
template <class T> static T *device(size_t count) {
    void *memory;

    if (cudaMalloc(&memory, count * sizeof(T)) || cudaMemset(memory, 0, count * sizeof(T)))
        exit(2);
    return static_cast<T *>(memory);
}

#define RUN(name, kernel, grid, block, ...)                                                        \
    if (!strcmp(argv[1], name))                                                                    \
    kernel<<<grid, block>>>(__VA_ARGS__)

int main(int argc, char **argv) {
    float *out = device<float>(65536);
    unsigned *words = device<unsigned>(256), seen[8];

    if (argc != 2)
        return 1;
    RUN("six-floats", six_floats, 2, 64, device<body>(128), out);
    RUN("whole-body", whole_body, 1, 32, device<body>(32), device<body>(32));
    RUN("one-array", one_array, 2, 64, device<float>(128), out);
    RUN("three-floats", three_floats, 2, 64, device<float3>(128), out);
    RUN("four-floats", four_floats, 2, 64, device<float4>(128), out);
    RUN("shifted", shifted, 2, 64, device<float>(129), out);
    RUN("two-loads", two_loads, 2, 64, device<float>(129), out);
    RUN("calls", calls, 1, 32, out);
    RUN("many-lines", many_lines, 1, 32, out);
    RUN("adds", adds, 2, 64, out);
    RUN("broadcast", broadcast, 2, 64, device<float>(100), 100, out);
    RUN("partial-warp", partial_warp, 1, 64, device<float>(41), 41, out);
    RUN("short-block", one_array, 1, 40, device<float>(40), out);
    RUN("divergent", divergent, 1, 32, device<float>(1024), out);
    RUN("fan", fan, 1, 32, device<float>(32 * 100), 100, out);
    RUN("scattered", scattered, 2, 32, device<int>(64), 100, out);
    RUN("column", column<32>, 1, 32, out);
    RUN("padded-column", column<33>, 1, 32, out);
    RUN("wide-8", wide<double>, 1, 32, out);
    RUN("wide-16", wide<float4>, 1, 32, out);
    RUN("tiles", tiles, 2, 64, device<float>(256), 256, out);
    RUN("asynchronous", asynchronous, 1, 32, device<float4>(32), out);
    /* Blocks take turns on one worker. With the trace's own memory in the heap, no other mapping
     * comes between shared memory and the stacks: one of them ends where it begins. */
    if (!strcmp(argv[1], "exchange") || !strcmp(argv[1], "meeting")) {
        setenv("CPUCUDA_WORKERS", "1", 1);
        mallopt(M_MMAP_THRESHOLD, 1 << 24);
    }
    RUN("exchange", exchange, 40, 32, out);
    /* Blocks wait for each other, as they may where it was asked that all have room. */
    int room;
    if (!strcmp(argv[1], "meeting") &&
        cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, 0))
        return 1;
    RUN("meeting", meeting, 2, 32, device<int>(2), out);
    RUN("atomics", atomics, 2, 64, words);
    RUN("program-variable", program_variable, 1, 64, out);
    RUN("own-in-loop", own_in_loop, 2, 64, device<float>(128), 256, out);
    RUN("two-own-in-loop", two_own_in_loop, 2, 64, device<float>(256), 100, out);
    RUN("set-and-copied", set_and_copied, 1, 32, reinterpret_cast<body *>(words));
    RUN("host-pointer", one_array, 1, 32, static_cast<float *>(malloc(4096)), out);
    float stack[64];
    RUN("host-stack", one_array, 1, 32, stack, out);
    RUN("unwritten", unwritten, 1, 64, out, 40);
    RUN("written", unwritten, 2, 64, out, 64);
    RUN("written-once", unwritten, 1, 64, out, 64);
    RUN("written-once", unwritten, 1, 64, out, 40);
    RUN("padding", padding<padded_behind>, 1, 32, device<padded_behind>(32));
    RUN("padding-before", padding<padded_before>, 1, 32, device<padded_before>(32));
    RUN("neighbours", neighbours, 1, 32, out);
    RUN("set-at-once", set_at_once, 1, 32, words);
    RUN("either", either, 1, 64, device<float>(32), out);
    for (int i = 0; i < 5; i++)
        RUN("floods", scattered, 1, 1024, device<int>(64), 10000, out);
    RUN("flood", scattered, 1, 1024, device<int>(64), 40000, out);
    for (int i = 0; i < 20; i++)
        RUN("workers", one_array, 40, 64, device<float>(40 * 64), out);
    if (cudaMemcpy(seen, words, sizeof seen, cudaMemcpyDeviceToHost))
        return 1;
    if (!strncmp(argv[1], "set-", 4))
        fprintf(stderr, "%x\n", seen[0]);
    if (!strcmp(argv[1], "atomics"))
        fprintf(stderr, "%u %u %x %u %u %u %d\n", seen[0], seen[1], seen[2], seen[3], seen[4],
                seen[5], (int)seen[6]);
    fwrite(&cpucuda::counters, sizeof cpucuda::counters, 1, stdout);
    return 0;
}
