/* As mini-nbody computes forces (Harris, nbody-block.cu): tiles of float3 made of float4, and the
 * own body loaded in the loop. Its tail is mended. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

enum { BLOCK_SIZE = 256 };

static __global__ void body_force(float4 *p, float4 *v, struct parameters parameters) {
    int i = blockDim.x * blockIdx.x + threadIdx.x, n = parameters.n, own = i < n ? i : n - 1;
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;

    for (int tile = 0; tile < (int)gridDim.x; tile++) {
        __shared__ float3 positions[BLOCK_SIZE];
        int from = tile * blockDim.x + threadIdx.x;

        if (from < n) {
            float4 position = p[from];

            positions[threadIdx.x] = make_float3(position.x, position.y, position.z);
        }
        __syncthreads();
        for (int j = 0; j < min(BLOCK_SIZE, n - tile * BLOCK_SIZE); j++) {
            float dx = positions[j].x - p[own].x;
            float dy = positions[j].y - p[own].y;
            float dz = positions[j].z - p[own].z;
            float distance_squared = dx * dx + dy * dy + dz * dz + parameters.softening;
            float inverse_distance = 1.0f / sqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        __syncthreads();
    }
    if (i >= n)
        return;
    v[i].x += parameters.dt * fx;
    v[i].y += parameters.dt * fy;
    v[i].z += parameters.dt * fz;
}

static int update_velocities(float4 *positions, float4 *velocities, struct parameters parameters) {
    body_force<<<(parameters.n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(positions, velocities,
                                                                             parameters);
    CUDA_CHECK(cudaGetLastError());
    return 0;
}
