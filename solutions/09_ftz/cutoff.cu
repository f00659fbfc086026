/* Step 09's loop over a tile with a cutoff, for docs/concepts/divergence.md. On a GPU:
 *
 *     nvcc -O3 -arch=native -ftz=true -Icommon/kit -o build/cutoff solutions/09_ftz/cutoff.cu
 *     build/cutoff
 *
 * It prints a line `way,order,cutoff,pass,enter,ms` for each way to leave a pair out, each order
 * and each cutoff. The bodies are in any order, or sorted by cells whose side is the cutoff;
 * cutoffs are in sides of the cube. `pass` is the share of pairs that pass, `enter` the share of
 * warps that enter, and `ms` the median milliseconds of a launch. */
#include "cuda_check.h"

#include <math.h>

#include <algorithm>
#include <array>
#include <vector>

enum { N = 131072, THREADS = 256, TIMES = 9 };
enum way { NO_CUTOFF, PLAIN_IF, VOTE, SELECT };

template <way WAY, bool COUNTS = false>
static __global__ void sum_forces(const float *all_x, const float *all_y, const float *all_z,
                                  float cutoff2, float3 *forces, unsigned long long *counts) {
    __shared__ float tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    float x = all_x[i], y = all_y[i], z = all_z[i], fx = 0, fy = 0, fz = 0;
    unsigned long long pass = 0, enter = 0;

    for (int start = 0; start < N; start += THREADS) {
        tile_x[threadIdx.x] = all_x[start + threadIdx.x];
        tile_y[threadIdx.x] = all_y[start + threadIdx.x];
        tile_z[threadIdx.x] = all_z[start + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < THREADS; j++) {
            float dx = tile_x[j] - x, dy = tile_y[j] - y, d2 = dx * dx + dy * dy;
            bool near = d2 < cutoff2;

            if (COUNTS) {
                pass += near;
                enter += __any_sync(~0u, near);
            }
            if (WAY == NO_CUTOFF || WAY == SELECT || (WAY == PLAIN_IF && near) ||
                (WAY == VOTE && __any_sync(~0u, near))) {
                float dz = tile_z[j] - z, inverse = rsqrtf(d2 + dz * dz + 1e-3f);
                float scale = inverse * inverse * inverse;

                if (WAY == VOTE || WAY == SELECT)
                    scale = near ? scale : 0;
                fx += dx * scale;
                fy += dy * scale;
                fz += dz * scale;
            }
        }
        __syncthreads();
    }
    forces[i] = make_float3(fx, fy, fz);
    if (COUNTS) {
        atomicAdd(&counts[0], pass);
        atomicAdd(&counts[1], enter);
    }
}

typedef std::array<float, 3> place;

struct bodies {
    float *axes[3];
    float3 *forces;
    unsigned long long *counts;
};

template <way WAY> static double milliseconds(const bodies &b, float cutoff) {
    std::vector<float> times(TIMES);
    cudaEvent_t marks[2];

    for (cudaEvent_t &mark : marks)
        CUDA_CHECK(cudaEventCreate(&mark));
    for (float &time : times) {
        CUDA_CHECK(cudaEventRecord(marks[0]));
        sum_forces<WAY><<<N / THREADS, THREADS>>>(b.axes[0], b.axes[1], b.axes[2], cutoff * cutoff,
                                                  b.forces, NULL);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(marks[1]));
        CUDA_CHECK(cudaEventSynchronize(marks[1]));
        CUDA_CHECK(cudaEventElapsedTime(&time, marks[0], marks[1]));
    }
    std::sort(times.begin(), times.end());
    return times[TIMES / 2];
}

static void measure(const bodies &b, const char *order, float cutoff) {
    unsigned long long counts[2] = {};

    CUDA_CHECK(cudaMemset(b.counts, 0, sizeof counts));
    sum_forces<SELECT, true><<<N / THREADS, THREADS>>>(b.axes[0], b.axes[1], b.axes[2],
                                                       cutoff * cutoff, b.forces, b.counts);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(counts, b.counts, sizeof counts, cudaMemcpyDeviceToHost));

    const struct {
        const char *name;
        double ms;
    } ways[] = {{"no_cutoff", milliseconds<NO_CUTOFF>(b, cutoff)},
                {"plain_if", milliseconds<PLAIN_IF>(b, cutoff)},
                {"vote", milliseconds<VOTE>(b, cutoff)},
                {"select", milliseconds<SELECT>(b, cutoff)}};

    /* All 32 lanes count when their warp enters, so the sum over N^2 is the share of warps. */
    for (const auto &way : ways)
        printf("%s,%s,%g,%.4f,%.4f,%.4g\n", way.name, order, cutoff, (double)counts[0] / N / N,
               (double)counts[1] / N / N, way.ms);
    fflush(stdout);
}

int main() {
    static const float cutoffs[] = {1.0f / 16, 1.0f / 8, 1.0f / 4};
    std::vector<place> all(N);
    std::vector<float> axis(N);
    bodies b;

    srand48(1);
    for (place &body : all)
        for (float &coordinate : body)
            coordinate = (float)drand48();
    for (float *&on_device : b.axes)
        CUDA_CHECK(cudaMalloc(&on_device, N * sizeof *on_device));
    CUDA_CHECK(cudaMalloc(&b.forces, N * sizeof *b.forces));
    CUDA_CHECK(cudaMalloc(&b.counts, 2 * sizeof *b.counts));
    printf("way,order,cutoff,pass,enter,ms\n");
    for (float cutoff : cutoffs)
        for (bool sorted : {false, true}) {
            std::vector<place> placed = all;
            auto cell = [=](const place &body) {
                int cells = (int)ceilf(1 / cutoff);

                return ((int)(body[0] / cutoff) * cells + (int)(body[1] / cutoff)) * cells +
                       (int)(body[2] / cutoff);
            };

            if (sorted)
                std::sort(placed.begin(), placed.end(),
                          [=](const place &p, const place &q) { return cell(p) < cell(q); });
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < N; i++)
                    axis[i] = placed[i][k];
                CUDA_CHECK(
                    cudaMemcpy(b.axes[k], axis.data(), N * sizeof axis[0], cudaMemcpyHostToDevice));
            }
            measure(b, sorted ? "sorted" : "any", cutoff);
        }
    return 0;
}
