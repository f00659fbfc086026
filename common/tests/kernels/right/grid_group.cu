/* All blocks of a cooperative launch wait for each other between two halves of a kernel. Thread i
 * sums up the force on one body and moves another one. */
#include <cooperative_groups.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128

static __global__ void accelerate(const float4 *positions, float4 *velocities, float3 *pulls,
                                  struct parameters parameters) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int n = parameters.n, threads = grid.size(), first = grid.thread_rank();

    for (int i = first; i < n; i += threads) {
        float3 pull = {0, 0, 0};

        for (int j = 0; j < n; j++)
            attract(&pull, positions[i], positions[j], parameters.softening);
        pulls[n - 1 - i] = pull;
    }
    grid.sync(); /* all pulls are there */
    for (int i = first; i < n; i += threads)
        kick(&velocities[i], pulls[n - 1 - i], parameters.dt);
    cooperative_groups::sync(grid); /* all velocities are */
    for (int i = first; i < n; i += threads)
        kick(&velocities[n - 1 - i], pulls[i], 0);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int blocks, multiprocessors, most;
    float3 *pulls;
    void *arguments[] = {&positions, &velocities, &pulls, &parameters};

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, accelerate, BLOCK, 0));
    most = blocks * multiprocessors;
    blocks = (parameters.n + BLOCK - 1) / BLOCK;
    CUDA_CHECK(cudaMalloc(&pulls, parameters.n * sizeof *pulls));
    blocks = blocks < most ? blocks : most;
    CUDA_CHECK(cudaLaunchCooperativeKernel(accelerate, blocks, BLOCK, arguments));
    CUDA_CHECK(cudaFree(pulls));
    return 0;
}
