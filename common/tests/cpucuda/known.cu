/* Kernels whose requests anybody can count by hand. On a GPU ncu counts them; built as a trace, the
 * program prints what cpucuda counts: kernel, loads of global memory and sectors, loads of shared
 * memory and wavefronts. count_known.sh puts the two side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"

#ifndef __CUDACC__
#include "protocol/counters.h"
namespace cpucuda {
extern struct counters counters;
}
#endif

enum { BLOCKS = 4, THREADS = 256, COUNT = BLOCKS * THREADS };

struct six {
    float x, y, z, vx, vy, vz;
};

#define I (blockIdx.x * blockDim.x + threadIdx.x)

/* Array of structures of six floats: 32 lanes, 24 bytes apart, touch 24 sectors. */
__global__ void six_floats(const struct six *in, float *out) {
    out[I] = in[I].x;
}

/* Structure of arrays: 32 neighbouring floats are 4 sectors. */
__global__ void one_array(const float *in, float *out) {
    out[I] = in[I];
}

/* Three loads of 4 bytes, each 12 bytes apart: 12 sectors a load. */
__global__ void three_floats(const float3 *in, float *out) {
    out[I] = in[I].x + in[I].y + in[I].z;
}

/* One load of 16 bytes per lane: 16 sectors. */
__global__ void four_floats(const float4 *in, float *out) {
    float4 value = in[I];

    out[I] = value.x + value.y + value.z + value.w;
}

/* All lanes read one float: 1 sector. */
__global__ void broadcast(const float *in, float *out) {
    out[I] = in[blockIdx.x];
}

/* A column of a tile of 32 x 32 floats: all lanes in one bank, 32 wavefronts. */
__global__ void column(float *out) {
    __shared__ float tile[32][32];

    for (int row = threadIdx.x / 32; row < 32; row += THREADS / 32)
        tile[row][threadIdx.x % 32] = row;
    __syncthreads();
    out[I] = tile[threadIdx.x % 32][threadIdx.x / 32];
}

/* With a column more, which nobody uses: 1 wavefront. */
__global__ void padded_column(float *out) {
    __shared__ float tile[32][33];

    for (int row = threadIdx.x / 32; row < 32; row += THREADS / 32)
        tile[row][threadIdx.x % 32] = row;
    __syncthreads();
    out[I] = tile[threadIdx.x % 32][threadIdx.x / 32];
}

static void counted(const char *kernel) {
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
#ifdef __CUDACC__
    (void)kernel;
#else
    struct counters *counters = &cpucuda::counters;
    unsigned long long loads[2] = {0, 0}, sectors = 0, wavefronts = 0;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->stores)
            continue;
        loads[line->space] += line->requests;
        sectors += line->sectors;
        wavefronts += line->wavefronts;
    }
    printf("%s %llu %llu %llu %llu\n", kernel, loads[GLOBAL_MEMORY], sectors, loads[SHARED_MEMORY],
           wavefronts);
    *counters = {};
#endif
}

int main(void) {
    float *in, *out;

    CUDA_CHECK(cudaMalloc((void **)&in, COUNT * sizeof(struct six)));
    CUDA_CHECK(cudaMalloc((void **)&out, COUNT * sizeof(float)));
    CUDA_CHECK(cudaMemset(in, 0, COUNT * sizeof(struct six)));
    six_floats<<<BLOCKS, THREADS>>>((const struct six *)in, out);
    counted("six_floats");
    one_array<<<BLOCKS, THREADS>>>(in, out);
    counted("one_array");
    three_floats<<<BLOCKS, THREADS>>>((const float3 *)in, out);
    counted("three_floats");
    four_floats<<<BLOCKS, THREADS>>>((const float4 *)in, out);
    counted("four_floats");
    broadcast<<<BLOCKS, THREADS>>>(in, out);
    counted("broadcast");
    column<<<BLOCKS, THREADS>>>(out);
    counted("column");
    padded_column<<<BLOCKS, THREADS>>>(out);
    counted("padded_column");
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
    return 0;
}
