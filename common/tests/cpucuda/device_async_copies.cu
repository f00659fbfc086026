/* Asynchronous copies into shared memory: right, or with the fault that the argument names. */
#include <string.h>

#include <cuda_pipeline.h>

#include "device.h"

enum { THREADS = 64, TILES = 5 };

static const char *fault = "";

static bool is(const char *name) {
    return !strcmp(fault, name);
}

struct faults {
    bool no_wait, too_few, no_barrier, barrier_first, too_early, uncommitted;
};

/* Adds up all numbers, tile by tile: the next tile is on its way while one is added up. */
__global__ void add_up(const float4 *numbers, float *sums, struct faults faults) {
    __shared__ float4 tiles[2][THREADS];
    int t = threadIdx.x;
    float sum = 0;

    for (int k = -1; k < TILES; k++) {
        if (k + 1 < TILES)
            __pipeline_memcpy_async(&tiles[(k + 1) % 2][t], &numbers[(k + 1) * THREADS + t], 16);
        if (!faults.uncommitted)
            __pipeline_commit(); /* the last group is empty */
        if (k < 0)
            continue;
        if (faults.barrier_first)
            __syncthreads();
        if (!faults.no_wait)
            __pipeline_wait_prior(faults.too_few ? 2 : 1);
        if (!faults.no_barrier && !faults.barrier_first)
            __syncthreads();
        for (int j = 0; j < THREADS; j++) {
            float4 number = tiles[k % 2][j];

            sum += number.x + number.y + number.z + number.w;
        }
        if (!faults.too_early)
            __syncthreads();
    }
    sums[blockIdx.x * THREADS + t] = sum;
}

/* Three sizes, a group each. */
__global__ void sizes(const float4 *numbers) {
    __shared__ float one[THREADS];
    __shared__ float2 two[THREADS];
    __shared__ float4 four[THREADS];
    int t = threadIdx.x;

    __pipeline_memcpy_async(&four[t], &numbers[t], 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&two[t], &numbers[t].z, 8);
    __pipeline_commit();
    __pipeline_memcpy_async(&one[t], &numbers[t].y, 4);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    EXPECT(four[t].x == t && four[t].w == -t, "%g %g", four[t].x, four[t].w);
    __pipeline_wait_prior(0);
    EXPECT(two[t].x == 2 * t && two[t].y == -t, "%g %g", two[t].x, two[t].y);
    EXPECT(one[t] == 1, "%g", one[t]);
}

__global__ void copies(const float *from, float *global, int to_shared, int at, size_t bytes) {
    __shared__ __align__(16) float shared[8];

    __pipeline_memcpy_async(to_shared ? &shared[at] : global, from, bytes);
}

int main(int argc, char **argv) {
    float4 *numbers, host[TILES * THREADS];
    float *sums, all[2 * THREADS];

    fault = argc > 1 ? argv[1] : "";
    for (int i = 0; i < TILES * THREADS; i++)
        host[i] = make_float4(i, 1, 2 * i, -i);
    cudaMalloc(&numbers, sizeof host);
    cudaMalloc(&sums, sizeof all);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    if (is("size"))
        copies<<<1, 1>>>(sums, sums, 1, 0, 12);
    if (is("destination"))
        copies<<<1, 1>>>(sums, sums, 1, 2, 16);
    if (is("source"))
        copies<<<1, 1>>>(sums + 1, sums, 1, 4, 8);
    if (is("to global"))
        copies<<<1, 1>>>(sums, sums, 0, 0, 4);
    if (is("behind"))
        copies<<<1, 1>>>(sums, sums, 1, 8, 4);
    if (is("host"))
        __pipeline_commit();
    sizes<<<1, THREADS>>>(numbers);
    add_up<<<2, THREADS>>>(numbers, sums,
                           {is("no wait"), is("too few"), is("no barrier"), is("barrier first"),
                            is("too early"), is("uncommitted")});
    wait_for_kernels();
    cudaMemcpy(all, sums, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * THREADS; i++)
        EXPECT(all[i] == 320 + 2 * 319 * 160, "%d: %g", i, all[i]);
    cudaFree(sums);
    cudaFree(numbers);
    return wrong != 0;
}
