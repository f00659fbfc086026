/* Step 10, variant pure_half: everything in half, without a conversion in the source. */
#include <cuda_fp16.h>

#define NUMBER __half
#include "arrays.h" /* has all but update_velocities */

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

/* v += dt F for every body, F = sum of r_ij / r_ij^3 over all other bodies: the softening, 1e-9, is
 * zero in half, so a body's own term would be zero times infinity. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __half tile_x[THREADS], tile_y[THREADS], tile_z[THREADS];
    int n = parameters.n;
    __half dt = parameters.dt, softening = parameters.softening;
    __half fx = 0, fy = 0, fz = 0;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int i = thread < n ? thread : n - 1; /* all threads meet at the barriers */
    __half x = bodies.x[i], y = bodies.y[i], z = bodies.z[i];

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            tile_x[slot] = bodies.x[from];
            tile_y[slot] = bodies.y[from];
            tile_z[slot] = bodies.z[from];
        }
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            __half dx = tile_x[j] - x;
            __half dy = tile_y[j] - y;
            __half dz = tile_z[j] - z;
            __half distance_squared = dx * dx + dy * dy + dz * dz + softening;

            if (__heq(distance_squared, 0))
                continue;
            __half inverse_distance = hrsqrt(distance_squared);
            __half inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        __syncthreads();
    }
    if (thread >= n)
        return;
    bodies.vx[i] += dt * fx;
    bodies.vy[i] += dt * fy;
    bodies.vz[i] += dt * fz;
}
