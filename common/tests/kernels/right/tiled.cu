/* Tiles in shared memory, the first loaded before the loop; the bodies that were moved are
 * counted. Most wrong kernels are this one, spoiled in one place. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define BLOCK 128

static __device__ int moved;

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ float4 tile[BLOCK];
    __shared__ int moved_here;
    int n = parameters.n, thread = threadIdx.x, i = blockIdx.x * BLOCK + thread;
    float4 position = make_float4(0, 0, 0, 0);
    float3 force = {0, 0, 0};

    if (i < n)
        position = positions[i];
    if (thread == 0)
        moved_here = 0;
    if (thread < n)
        tile[thread] = positions[thread];
    for (int first = 0; first < n; first += BLOCK) {
        int next = first + BLOCK + thread, count = min(BLOCK, n - first);

        __syncthreads(); /* the tile is there */
        for (int j = 0; j < count; j++)
            attract(&force, position, tile[j], parameters.softening);
        __syncthreads(); /* nobody needs it any more */
        if (next < n)
            tile[thread] = positions[next];
    }
    if (i < n) {
        kick(&velocities[i], force, parameters.dt);
        atomicAdd(&moved_here, 1);
    }
    __syncthreads(); /* all have counted */
    if (thread == 0)
        atomicAdd(&moved, moved_here);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    int count = 0;

    CUDA_CHECK(cudaMemcpyToSymbol(moved, &count, sizeof count));
    accelerate<<<(parameters.n + BLOCK - 1) / BLOCK, BLOCK>>>(positions, velocities, parameters);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyFromSymbol(&count, moved, sizeof count));
    if (count != parameters.n)
        return 1;
    return 0;
}
