/* Newton's third law in floats, for bodies that do not suit tensor cores. */
#ifndef THIRD_LAW_H
#define THIRD_LAW_H

#include "mma.h"

enum {
    FLOAT_WARPS = 4, /* per block */
    FLOAT_THREADS = 32 * FLOAT_WARPS,
    IN_FLOATS = 8, /* bodies i per thread */
    FLOAT_GROUP = FLOAT_THREADS * IN_FLOATS
};

/* The step's own: adds scale * (x, y, z) to the force on body i. */
__device__ static void add_force(unsigned long long *sums, int room, int i, float scale, float x,
                                 float y, float z);

/* Forces on and by group blockIdx.x of `bodies`, which has room for `room` bodies, in whole groups.
 * The group goes through part blockIdx.y of its tiles, round the ring of all groups as on tensor
 * cores. Bodies j go round the lanes of a warp, and with each goes the sum of the force on it. */
static __global__ void sum_in_floats(const float4 *bodies, float softening, float scale, int room,
                                     unsigned long long *sums) {
    __shared__ float4 tile[2 * FLOAT_THREADS]; /* each 32 twice: lane + k runs past 31 */
    __shared__ float fx[FLOAT_THREADS], fy[FLOAT_THREADS], fz[FLOAT_THREADS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, groups = gridDim.x, own = blockIdx.x;
    int first = own * FLOAT_GROUP + threadIdx.x;
    int after = (groups - 1) / 2 + (groups % 2 == 0 && own < groups / 2);
    long tiles = IN_FLOATS * (1 + after);
    int from = (int)(tiles * blockIdx.y / gridDim.y),
        to = (int)(tiles * (blockIdx.y + 1) / gridDim.y);
    float x[IN_FLOATS], y[IN_FLOATS], z[IN_FLOATS], m[IN_FLOATS];
    float own_x[IN_FLOATS] = {}, own_y[IN_FLOATS] = {}, own_z[IN_FLOATS] = {};

#pragma unroll
    for (int b = 0; b < IN_FLOATS; b++) {
        const float *body = &bodies[first + b * FLOAT_THREADS].x; /* one by one, like load_own() */

        x[b] = body[0], y[b] = body[1], z[b] = body[2], m[b] = body[3];
    }
    for (int step = from; step < to; step++) {
        int distance = step / IN_FLOATS, other = (own + distance) % groups;
        int j = other * FLOAT_GROUP + step % IN_FLOATS * FLOAT_THREADS + threadIdx.x;
        float tx[IN_FLOATS] = {}, ty[IN_FLOATS] = {}, tz[IN_FLOATS] = {}; /* of this tile */

        __syncthreads();
        tile[64 * warp + lane] = tile[64 * warp + lane + 32] = bodies[j];
        fx[threadIdx.x] = fy[threadIdx.x] = fz[threadIdx.x] = 0;
        __syncthreads();
        for (int turn = 0; turn < FLOAT_WARPS; turn++) {
            int part = (warp + turn) % FLOAT_WARPS; /* no two warps add to the same bodies */
            float3 on_body = {}; /* the force on the body j that this lane is at */

#pragma unroll 1
            for (int k = 0; k < 32; k++) {
                float4 body = tile[64 * part + lane + k];

#pragma unroll
                for (int b = 0; b < IN_FLOATS; b++) {
                    float dx = body.x - x[b], dy = body.y - y[b], dz = body.z - z[b];
                    float inverse = rsqrtf(softening + dx * dx + dy * dy + dz * dz);
                    float s = inverse * inverse * inverse, on_i = body.w * s, on_j = m[b] * s;

                    tx[b] += dx * on_i;
                    ty[b] += dy * on_i;
                    tz[b] += dz * on_i;
                    on_body.x -= dx * on_j;
                    on_body.y -= dy * on_j;
                    on_body.z -= dz * on_j;
                }
                on_body = of_next_lane(on_body);
            }
            fx[32 * part + lane] += on_body.x;
            fy[32 * part + lane] += on_body.y;
            fz[32 * part + lane] += on_body.z;
            __syncthreads();
        }
#pragma unroll
        for (int b = 0; b < IN_FLOATS; b++)
            own_x[b] += tx[b], own_y[b] += ty[b], own_z[b] += tz[b];
        if (distance)
            add_force(sums, room, j, scale, fx[threadIdx.x], fy[threadIdx.x], fz[threadIdx.x]);
    }
    for (int b = 0; b < IN_FLOATS; b++)
        add_force(sums, room, first + b * FLOAT_THREADS, scale, own_x[b], own_y[b], own_z[b]);
}

#endif
