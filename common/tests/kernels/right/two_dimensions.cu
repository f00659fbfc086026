/* Blocks of 16 x 16 threads: a row of threads a share of j, a column a body. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static __device__ void attract(float3 *force, float4 position, float4 other, float softening);
static __device__ void kick(float4 *velocity, float3 force, float dt);

#define SIDE 16

static __global__ void accelerate(const float4 *positions, float4 *velocities,
                                  struct parameters parameters) {
    __shared__ float sums[3][SIDE][SIDE + 1];
    int n = parameters.n, x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * SIDE + x;
    float3 force = {0, 0, 0};

    if (i < n)
        for (int j = y; j < n; j += SIDE)
            attract(&force, positions[i], positions[j], parameters.softening);
    sums[0][y][x] = force.x;
    sums[1][y][x] = force.y;
    sums[2][y][x] = force.z;
    for (int half = SIDE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (y < half)
            for (int k = 0; k < 3; k++)
                sums[k][y][x] += sums[k][y + half][x];
    }
    if (y == 0 && i < n)
        kick(&velocities[i], make_float3(sums[0][0][x], sums[1][0][x], sums[2][0][x]),
             parameters.dt);
}

static int update_velocities(const float4 *positions, float4 *velocities,
                             struct parameters parameters) {
    accelerate<<<(parameters.n + SIDE - 1) / SIDE, dim3(SIDE, SIDE)>>>(positions, velocities,
                                                                       parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
