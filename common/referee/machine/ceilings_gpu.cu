/* What this machine's GPU can do at most: build/ceilings_gpu, a program of its own, since it alone
 * needs nvcc. It prints a line `resource value unit` for each of the resources that ceilings.h
 * lists. Kernels of a few milliseconds, timed by the device's events; a measurement is the best of
 * several after a warm-up, because a ceiling is what is possible at best. Copies by size are timed
 * by the host's clock.
 *
 * To be built with -ftz=true: only then is rsqrtf() one instruction. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_check.h"

enum {
    THREADS = 256,
    SUMS = 16,         /* independent chains of a thread */
    ROUNDS = 128,      /* of a kernel's loop; each has SUMS operations a thread, UNROLL times */
    UNROLL = 32,       /* a quarter of it, and the loop's own instructions took 2% of the slots */
    REPEATS = 12,      /* the first one warms up */
    COPIED = 64 << 20, /* bytes */
    LEAST_COPIED = 4096,
    WORDS = 2048 /* of shared memory per block */
};

/* Multiply-adds. Factor and addend are one register: no bank of the register file is asked for
 * three operands at once. Each chain tends to factor / (1 - factor) and stays finite. */
__global__ void fma(float *sink, float factor) {
    float sums[SUMS];

    for (int i = 0; i < SUMS; i++)
        sums[i] = threadIdx.x + i;
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int again = 0; again < UNROLL; again++)
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                sums[i] = sums[i] * factor + factor;
    float sum = 0;
    for (int i = 0; i < SUMS; i++)
        sum += sums[i];
    if (sum == 1.5f) /* never; the compiler cannot know */
        *sink = sum;
}

/* Multiply-adds and logic in turns: GPUs whose pipe for multiply-adds takes a warp every other
 * cycle (compute capability 7.5 and 8.0) issue to the other pipe between. */
__global__ void fma_and_logic(float *sink, float factor) {
    float sums[SUMS / 2];
    unsigned words[SUMS / 2], mask = __float_as_uint(factor);

    for (int i = 0; i < SUMS / 2; i++) {
        sums[i] = threadIdx.x + i;
        words[i] = threadIdx.x + 77 * i;
    }
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int again = 0; again < UNROLL; again++)
#pragma unroll
            for (int i = 0; i < SUMS / 2; i++) {
                sums[i] = sums[i] * factor + factor;
                words[i] = (words[i] & words[(i + 1) % (SUMS / 2)]) ^ mask;
            }
    float sum = 0;
    for (int i = 0; i < SUMS / 2; i++)
        sum += sums[i] + words[i];
    if (sum == 1.5f)
        *sink = sum;
}

/* Roots of roots: each chain tends to 1. */
__global__ void mufu(float *sink, float factor) {
    float roots[SUMS];

    for (int i = 0; i < SUMS; i++)
        roots[i] = factor + threadIdx.x + i;
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int again = 0; again < UNROLL; again++)
#pragma unroll
            for (int i = 0; i < SUMS; i++)
                roots[i] = rsqrtf(roots[i]);
    float sum = 0;
    for (int i = 0; i < SUMS; i++)
        sum += roots[i];
    if (sum == 1.5f)
        *sink = sum;
}

/* Loads of 4 bytes per lane, without bank conflicts: one pass each. Addresses depend on nothing but
 * the round; loads are volatile, so that each is made, and only every round's last one is used. */
__global__ void lds(float *sink, float factor) {
    __shared__ float words[WORDS];

    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = factor;
    __syncthreads();
    const volatile float *own = words + threadIdx.x;
    float sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        float last = 0;
#pragma unroll
        for (int again = 0; again < UNROLL * SUMS; again++)
            last = own[again * 32 % (WORDS - THREADS)];
        sum += last;
    }
    if (sum == 1.5f)
        *sink = sum;
}

/* Products of matrices by mma.sync, 16 x 8 x 16 of halves with float sums, as step programs make
 * them: SUMS / 4 independent sums of a warp, SUMS * 512 / 32 multiply-adds a lane. Compute
 * capability 7.5 has half of that product, so it makes two. */
__global__ void tensor(float *sink, float factor) {
    float sums[SUMS / 4][4] = {};
    unsigned a = __float_as_uint(factor), b = a + threadIdx.x;

    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int again = 0; again < UNROLL; again++)
#pragma unroll
            for (int i = 0; i < SUMS / 4; i++) {
#if __CUDA_ARCH__ >= 800
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                             "{%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                             : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]),
                               "+f"(sums[i][3])
                             : "r"(a), "r"(b));
#else
                for (int half = 0; half < 2; half++)
                    asm volatile(
                        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                        "{%4, %4}, {%5}, {%0, %1, %2, %3};"
                        : "+f"(sums[i][0]), "+f"(sums[i][1]), "+f"(sums[i][2]), "+f"(sums[i][3])
                        : "r"(a), "r"(b));
#endif
            }
    float sum = 0;
    for (int i = 0; i < SUMS / 4; i++)
        sum += sums[i][0] + sums[i][3];
    if (sum == 1.5f)
        *sink = sum;
}

static float milliseconds(cudaEvent_t start, cudaEvent_t stop) {
    float elapsed;

    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&elapsed, start, stop));
    return elapsed;
}

/* The best of several runs of `work`, which does `units` units of it: units per second. */
template <typename Work> static double measure(double units, Work work) {
    cudaEvent_t start, stop;
    float best = 0;

    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        CUDA_CHECK(cudaEventRecord(start));
        work();
        CUDA_CHECK(cudaEventRecord(stop));
        float elapsed = milliseconds(start, stop);
        if (repeat == 1 || (repeat > 1 && elapsed < best)) /* the first one warms up */
            best = elapsed;
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return 1e3 * units / best;
}

/* Lanes a second of a kernel; its grid fills every multiprocessor eight times over. */
static double lanes(void (*kernel)(float *, float), int blocks, float *sink) {
    return measure((double)blocks * THREADS * ROUNDS * UNROLL * SUMS, [=] {
        kernel<<<blocks, THREADS>>>(sink, 0.5f);
        CUDA_CHECK(cudaGetLastError());
    });
}

static double seconds_now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Bytes a second of a copy as a program sees it, the median of several after a warm-up. From
 * pageable memory cudaMemcpy() may return once the bytes are staged, so they are waited for. */
static double copy_rate(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    double seconds[REPEATS];

    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = seconds_now();
        CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));
        CUDA_CHECK(cudaDeviceSynchronize());
        seconds[repeat] = seconds_now() - begin;
    }
    qsort(seconds + 1, REPEATS - 1, sizeof *seconds, by_size);
    return bytes / seconds[1 + (REPEATS - 1) / 2];
}

static void measure_copies(const char *kind, char *device, char *host) {
    memset(host, 1, COPIED); /* its pages exist */
    double in = measure(
        COPIED, [=] { CUDA_CHECK(cudaMemcpy(device, host, COPIED, cudaMemcpyHostToDevice)); });
    double out = measure(
        COPIED, [=] { CUDA_CHECK(cudaMemcpy(host, device, COPIED, cudaMemcpyDeviceToHost)); });
    printf("gpu_copy_in_%s %.6g B/s\ngpu_copy_out_%s %.6g B/s\n", kind, in, kind, out);
    for (size_t bytes = LEAST_COPIED; bytes <= COPIED; bytes *= 2) {
        printf("copy_in_%s_%zu %.6g B/s\n", kind, bytes,
               copy_rate(device, host, bytes, cudaMemcpyHostToDevice));
        printf("copy_out_%s_%zu %.6g B/s\n", kind, bytes,
               copy_rate(host, device, bytes, cudaMemcpyDeviceToHost));
    }
}

int main(void) {
    enum { DEVICE_COPY = 1 << 30 }; /* bytes: far more than any second-level cache */
    cudaDeviceProp properties;
    float *sink;
    char *device, *pinned, *pageable = (char *)malloc(COPIED);

    if (!pageable) {
        fprintf(stderr, "ceilings_gpu: no memory\n");
        return 1;
    }
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    int blocks =
        8 * properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor / THREADS;
    CUDA_CHECK(cudaMalloc(&sink, sizeof *sink));
    double multiply_adds = lanes(fma, blocks, sink), mixed = lanes(fma_and_logic, blocks, sink);
    printf("gpu_issue %.6g lanes/s\n", mixed > multiply_adds ? mixed : multiply_adds);
    printf("gpu_fma %.6g lanes/s\n", multiply_adds);
    printf("gpu_mufu %.6g lanes/s\n", lanes(mufu, blocks, sink));
    printf("gpu_lds %.6g lanes/s\n", lanes(lds, blocks, sink));
    /* 16 * 8 * 16 multiply-adds of 32 lanes for every fourth of the operations that lanes() counts
     */
    printf("gpu_tensor %.6g multiply-adds/s\n", 16 * lanes(tensor, blocks, sink));
    printf("l2_bytes %d B\n", properties.l2CacheSize);

    CUDA_CHECK(cudaMalloc(&device, DEVICE_COPY));
    CUDA_CHECK(cudaMallocHost(&pinned, COPIED));
    measure_copies("pageable", device, pageable);
    measure_copies("pinned", device, pinned);
    printf("gpu_memory %.6g B/s\n", measure(DEVICE_COPY, [=] {
               CUDA_CHECK(cudaMemcpyAsync(device, device + DEVICE_COPY / 2, DEVICE_COPY / 2,
                                          cudaMemcpyDeviceToDevice));
           }));
    return 0;
}
