/* Step 10, variant half2: two bodies j at a time, their differences in half; all else in float. */
#include <cuda_fp16.h>

#include "arrays.h" /* has all but update_velocities */

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

/* F += r / (r^2 + softening)^(3/2). */
__device__ static void add_force(float dx, float dy, float dz, float softening, float *fx,
                                 float *fy, float *fz) {
    float distance_squared = dx * dx + dy * dy + dz * dz + softening;
    float inverse_distance = rsqrtf(distance_squared);
    float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

    *fx += dx * inverse_cube;
    *fy += dy * inverse_cube;
    *fz += dz * inverse_cube;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. A tile has as many bodies as a block has threads, as pairs
 * of halves; `halves` are the same memory, half by half. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __half2 tile_x[THREADS / 2], tile_y[THREADS / 2], tile_z[THREADS / 2];
    __half *halves_x = (__half *)tile_x, *halves_y = (__half *)tile_y, *halves_z = (__half *)tile_z;
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    __half2 x = __float2half2_rn(bodies.x[i]);
    __half2 y = __float2half2_rn(bodies.y[i]);
    __half2 z = __float2half2_rn(bodies.z[i]);

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            halves_x[slot] = bodies.x[from];
            halves_y[slot] = bodies.y[from];
            halves_z[slot] = bodies.z[from];
        } else if (from == n) { /* beside the last of an odd number: too far to pull */
            halves_x[slot] = halves_y[slot] = halves_z[slot] = 30000;
        }
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < (length + 1) / 2; j++) {
            float2 dx = __half22float2(__hsub2(tile_x[j], x));
            float2 dy = __half22float2(__hsub2(tile_y[j], y));
            float2 dz = __half22float2(__hsub2(tile_z[j], z));

            add_force(dx.x, dy.x, dz.x, softening, &fx, &fy, &fz);
            add_force(dx.y, dy.y, dz.y, softening, &fx, &fy, &fz);
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    bodies.vx[i] += dt * fx;
    bodies.vy[i] += dt * fy;
    bodies.vz[i] += dt * fz;
}
