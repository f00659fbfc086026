/* What a warp holds of bodies for products on tensor cores (mma.h), and where each of these numbers
 * lies in the fragments. The rows and columns of distances are the step's own. As in mma.h, group =
 * lane / 4 and third = lane % 4. */
#ifndef FRAGMENTS_H
#define FRAGMENTS_H

#include "mma.h"

enum {
    WARPS = 4,                  /* per block */
    THREADS = 32 * WARPS,       /* per block; a tile has as many bodies j */
    STRIPS = 4,                 /* of 16 bodies i, per warp */
    GROUP = 16 * STRIPS * WARPS /* bodies i per block */
};

/* From the units of bodies to those of a kernel, and back. */
struct scales {
    float length, softening, mass, force;
};

/* The tile in shared memory, as fragments: element [q][lane] is what a lane needs of bodies 16 q to
 * 16 q + 15. */
struct tile {
    uint4 columns[THREADS / 16][32];   /* B of two products, for bodies 16 q + 0..7 and + 8..15 */
    uint2 weights[THREADS / 16][32];   /* B of one product */
    float sums[WARPS][4][THREADS + 8]; /* what each warp adds to the bodies of the tile */
};

/* What a lane holds of a strip of 16 bodies i. */
struct strip {
    unsigned rows[4];    /* A: their coordinates */
    unsigned weights[4]; /* A: m x, m y, m z, m, transposed */
    float squares[4];    /* C: |x|^2 + softening */
    float sums[4];       /* D: of this tile */
    float totals[4];     /* of all tiles */
};

/* A body relative to a centre, in the kernel's units. Its coordinates are rounded to the 22 bits
 * that two halves hold, so that all numbers made of them are of the same place. */
__device__ static inline float4 scaled(float4 body, float4 centre, struct scales scales) {
    return make_float4(whole(in_two_halves((body.x - centre.x) * scales.length)),
                       whole(in_two_halves((body.y - centre.y) * scales.length)),
                       whole(in_two_halves((body.z - centre.z) * scales.length)),
                       body.w * scales.mass);
}

/* Number `which` of m x, m y, m z and m; 0 above 3. */
__device__ static inline float weight_of(float4 body, int which) {
    return body.w * (which == 0 ? body.x : which == 1 ? body.y : which == 2 ? body.z : which == 3);
}

/* The force on i is the sum of m_j s_ij (x_j - x_i), s = (r^2 + softening)^(-3/2), and that is
 *
 *     sum of s_ij (m_j x_j)  -  x_i sum of s_ij m_j:
 *
 * the products of S, 16 x 16, with m x, m y, m z and m of bodies j, in two halves each. */
__device__ static inline void set_weights(struct tile *tile, int j, float4 body) {
    unsigned short *row = (unsigned short *)tile->weights[j / 16];

#pragma unroll
    for (int f = 0; f < 4; f++) { /* column f, and f + 4 for what is left */
        unsigned halves = in_two_halves(weight_of(body, f));

        row[place_in_b(j, f)] = (unsigned short)halves;
        row[place_in_b(j, f + 4)] = (unsigned short)(halves >> 16);
    }
}

/* The same of bodies i, as rows of A: the force on j is a product with S transposed. */
__device__ static inline void set_own_weights(struct strip *strip, int group, int right,
                                              float4 first, float4 second) {
    float2 a = unpack_halves(in_two_halves(weight_of(first, group)));
    float2 b = unpack_halves(in_two_halves(weight_of(second, group)));

    strip->weights[2 * right] = pack_halves(a.x, b.x);
    strip->weights[2 * right + 1] = pack_halves(a.y, b.y);
}

/* The step's own: adds scale * (x, y, z) to the force on body i. */
__device__ static void add_force(unsigned long long *sums, int room, int i, float scale, float x,
                                 float y, float z);

/* Adds the totals of a strip, bodies `first` and the next. Of a body's eight columns, lanes with
 * third 0 hold x and y, third 1 z and m, and third 2 and 3 the same for the second halves. */
__device__ static inline void add_strip(unsigned long long *sums, int room, const float4 *bodies,
                                        int first, const struct strip *strip, float4 box,
                                        struct scales scales) {
    int lane = threadIdx.x % 32, group = lane / 4, third = lane % 4;

#pragma unroll
    for (int half = 0; half < 2; half++) {
        int i = first + group + 8 * half;
        float x = strip->totals[2 * half], y = strip->totals[2 * half + 1];

        x += __shfl_xor_sync(0xffffffff, x, 2);
        y += __shfl_xor_sync(0xffffffff, y, 2);
        float z = __shfl_sync(0xffffffff, x, lane | 1);
        float m = __shfl_sync(0xffffffff, y, lane | 1);

        if (third == 0) {
            float4 body = scaled(bodies[i], box, scales);

            add_force(sums, room, i, scales.force, x - body.x * m, y - body.y * m, z - body.z * m);
        }
    }
}

#endif
