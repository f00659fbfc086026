/* Measures parameters of a GPU's file (gpus/NAME) on the GPU itself, each with a kernel that does
 * little else, and prints them as that file has them:
 *
 *     mkdir -p build
 *     nvcc -O3 -arch=native -Icommon/kit -o build/measure common/referee/estimate/measure.cu
 *     build/measure
 *
 * The last two are of the host, so they depend on its CPU. Takes some seconds and 4 GiB. */
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <vector>

#include "cuda_check.h"

enum { TIMES = 5, STEPS = 4000, BLOCKS = 1 << 20, WAIT = 4000, ROUNDS = 8 };

static const size_t memory_bytes = (size_t)4 << 30;
static int multiprocessors;
static double hz; /* of the clock that clock64() counts, under load */
static char *memory;
static long *cycles; /* what kernels measured themselves, and where results go */

/* Seconds of what is queued, the lowest of TIMES; a first time is not counted. */
template <typename Queue> static double seconds_of(Queue queue) {
    cudaEvent_t begin, end;
    float lowest = 0, milliseconds;

    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    for (int k = 0; k <= TIMES; k++) {
        CUDA_CHECK(cudaEventRecord(begin));
        queue();
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (k == 1 || (k && milliseconds < lowest))
            lowest = milliseconds;
    }
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return 1e-3 * lowest;
}

static void print(const char *name, double value, const char *how) {
    printf("%s = %.4g  # measured: %s\n", name, value, how);
}

static double noted(int k) {
    long value;

    CUDA_CHECK(cudaMemcpy(&value, cycles + k, sizeof value, cudaMemcpyDeviceToHost));
    return (double)value;
}

static __global__ void wait_for(long time) {
    long begin = clock64();

    while (clock64() - begin < time)
        ;
}

/* 1. Latencies: each access needs the result of the one before. */
enum access { LOAD, ADD };
template <access ACCESS> static __global__ void chase(unsigned *next, long *result) {
    unsigned at = 0;
    long begin = clock64();

    for (int k = 0; k < STEPS; k++)
        at = ACCESS == ADD ? atomicAdd(next + at, 0) : __ldcg(next + at);
    result[0] = clock64() - begin;
    result[1] = at;
}

/* Makes a chain of words `stride` bytes apart, which goes on from the front after `bytes`. */
static void make_chain(size_t bytes, size_t stride) {
    for (size_t k = 0; k < STEPS; k++) {
        unsigned next = (unsigned)((k + 1) * stride % bytes / sizeof(unsigned));

        CUDA_CHECK(cudaMemcpy(memory + k * stride % bytes, &next, sizeof next, cudaMemcpyDefault));
    }
}

static void measure_latencies() {
    char *other;

    make_chain(1 << 20, 4128);
    for (int k = 0; k < 2; k++)
        chase<LOAD><<<1, 1>>>((unsigned *)memory, cycles);
    print("l2_latency", noted(0) / STEPS, "chase over 1 MiB");
    chase<ADD><<<1, 1>>>((unsigned *)memory, cycles);
    print("atomic_latency", noted(0) / STEPS, "the same by atomicAdd");
    make_chain(memory_bytes, 1048608);
    CUDA_CHECK(cudaMalloc(&other, 1 << 28)); /* more than L2 holds comes in between */
    CUDA_CHECK(cudaMemset(other, 1, 1 << 28));
    CUDA_CHECK(cudaFree(other));
    chase<LOAD><<<1, 1>>>((unsigned *)memory, cycles);
    print("dram_latency", noted(0) / STEPS, "chase over 4 GiB, with misses of the TLB");
}

/* 2. Bandwidths. A thread has four loads under way. */
enum kind { READ, COPY };
template <kind KIND> static __global__ void stream(const uint4 *from, uint4 *to, size_t n) {
    size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned all = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * step) {
        uint4 items[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            items[k] = i + k * step < n ? from[i + k * step] : make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            all ^= items[k].x ^ items[k].y ^ items[k].z ^ items[k].w;
            if (KIND == COPY && i + k * step < n)
                to[i + k * step] = items[k];
        }
    }
    if (KIND == READ && all == 1) /* never: memory is filled with equal bytes */
        to[0].x = all;
}

/* One multiprocessor from and to L2, by vectors of 16 bytes. */
template <kind KIND> static __global__ void one_multiprocessor(uint4 *data, int n, long *result) {
    unsigned all = 0;
    long begin = clock64();

    for (int k = 0; k < ROUNDS; k++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            if (KIND == COPY)
                data[i] = make_uint4(k, i, k, i);
            else
                all ^= __ldcg(&data[i]).x;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        result[0] = clock64() - begin;
    result[1 + threadIdx.x] = all;
}

static __global__ void add_apart(unsigned *sums) {
    atomicAdd(sums + (blockIdx.x * blockDim.x + threadIdx.x) * 8 % (1 << 17), 1);
}

static void measure_bandwidths() {
    const size_t n = (size_t)1 << 26; /* vectors: 1 GiB */
    const int blocks = 32 * multiprocessors, threads = 256, vectors = 1 << 15;
    uint4 *from = (uint4 *)memory, *to = from + 2 * n;
    double read =
        1e-9 * n * 16 / seconds_of([&] { stream<READ><<<blocks, threads>>>(from, to, n); });
    double copy =
        2e-9 * n * 16 / seconds_of([&] { stream<COPY><<<blocks, threads>>>(from, to, n); });

    print("dram_gbps", read, "1 GiB read");
    print("written_gbps", 1 / (2 / copy - 1 / read), "1 GiB copied, less the time of reading it");
    for (int k = 0; k < 2; k++)
        one_multiprocessor<READ><<<1, 1024>>>(from, vectors, cycles);
    print("loaded_sectors", ROUNDS * vectors * 16 / noted(0) / 32, "one block of 1024 threads");
    one_multiprocessor<COPY><<<1, 1024>>>(from, vectors, cycles);
    print("stored_sectors", ROUNDS * vectors * 16 / noted(0) / 32, "the same");
    print("atomics",
          256 * 65536 / hz / seconds_of([&] { add_apart<<<65536, 256>>>((unsigned *)memory); }),
          "atomicAdd to 16384 sectors");
}

/* 3. The comparison of lanes with each other: 32 different values, and one. */
template <int SAME> static __global__ void match(int steps, long *result) {
    unsigned found = 0;
    long begin = clock64();

    for (int k = 0; k < steps; k++)
        found += __match_any_sync(~0u, SAME ? k : k + threadIdx.x);
    result[1 + blockIdx.x * blockDim.x + threadIdx.x] = found;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        result[0] = clock64() - begin;
}

static void measure_match() {
    double many, one;

    match<0><<<multiprocessors, 1024>>>(STEPS, cycles);
    many = noted(0);
    match<1><<<multiprocessors, 1024>>>(STEPS, cycles);
    one = noted(0);
    print("match_cycles", (many - one) / STEPS / 8 / 31, "8 warps per scheduler, 32 values and 1");
}

/* 4. Blocks and launches. */
static __global__ void do_nothing() {
}

static void measure_launches() {
    enum { LAUNCHES = 500 };
    const int at_once = multiprocessors * 8, waves = 100;
    double one_wave, all, blocks = (double)at_once * waves;
    double empty = seconds_of([&] { do_nothing<<<BLOCKS, 256>>>(); });
    double alone = seconds_of([&] {
        for (int k = 0; k < LAUNCHES; k++)
            wait_for<<<multiprocessors, 256>>>(20000);
    });
    double host = seconds_of([&] {
        for (int k = 0; k < LAUNCHES; k++)
            do_nothing<<<multiprocessors, 256>>>();
    });
    double with_fills = seconds_of([&] {
        for (int k = 0; k < LAUNCHES; k++) {
            CUDA_CHECK(cudaMemsetAsync(memory, 0, 4));
            do_nothing<<<multiprocessors, 256>>>();
        }
    });

    one_wave = seconds_of([&] { wait_for<<<at_once, 256>>>(WAIT); });
    all = seconds_of([&] { wait_for<<<(int)blocks, 256>>>(WAIT); });
    print("dispatch_cycles", empty * hz / BLOCKS, "2^20 blocks that do nothing");
    print("block_cycles", (all - one_wave) * hz / (waves - 1) - WAIT,
          "100 waves of blocks that wait 4000 cycles");
    print("kernel_us", 1e6 * alone / LAUNCHES - 1e6 * 20000 / hz,
          "kernels in a row that wait 20000 cycles");
    print("launch_us", 1e6 * host / LAUNCHES, "kernels in a row that do nothing");
    print("fill_us", 1e6 * (with_fills - host) / LAUNCHES, "the same with fills of 4 bytes");
}

int main() {
    cudaDeviceProp properties;

    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    multiprocessors = properties.multiProcessorCount;
    CUDA_CHECK(cudaMalloc(&memory, memory_bytes));
    CUDA_CHECK(cudaMemset(memory, 0, memory_bytes));
    CUDA_CHECK(cudaMalloc(&cycles, 1 << 24));
    wait_for<<<multiprocessors, 32>>>(2000000000); /* the clock rises */
    hz = 1e8 / seconds_of([&] { wait_for<<<1, 32>>>(100000000); });
    printf("# %s, %d multiprocessors, %.0f MHz\n", properties.name, multiprocessors, 1e-6 * hz);
    measure_latencies();
    measure_bandwidths();
    measure_match();
    measure_launches();
    CUDA_CHECK(cudaFree(memory));
    CUDA_CHECK(cudaFree(cycles));
    return 0;
}
