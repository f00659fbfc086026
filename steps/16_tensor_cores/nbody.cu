/* Step 16: distances and sums of force as products of matrices on tensor cores, and one root for
 * both bodies of a pair. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "mma.h"
#include "nbody_masses.h"
#include "sort.h"

enum {
    WARPS = 4,                   /* a block */
    THREADS = 32 * WARPS,        /* a block; a tile has as many bodies j */
    STRIPS = 4,                  /* a warp has so many strips of 16 bodies i */
    GROUP = 16 * STRIPS * WARPS, /* bodies i of a block */
    IN_FLOATS = 8,               /* bodies i a thread, where the forces are summed in floats */
    FLOAT_GROUP = THREADS * IN_FLOATS,
    WAVES = 16,      /* as many blocks as fill the GPU so many times */
    SORT_EVERY = 16, /* iterations */
    CODE_BITS = 21,  /* of a coordinate in a Morton code */
    BOUNDS_THREADS = 256
};

/* Lengths on tensor cores are in units of 32 sqrt(softening): no r^-3 is then above 32^3 = 32768,
 * and halves go to 65504. r^2 is a difference of squares of coordinates relative to a group's
 * centre: with groups of at most this half side it keeps half of the softening. With all bodies in
 * a box of that half side, the smallest r^-3 is a half with all its bits. Few bodies gain nothing.
 */
static const float unit = 32, largest_group = 128, largest_box = 230;
enum { LEAST_BODIES = 1024 };

/* From the units of bodies to those of a kernel, and back. */
struct scales {
    float length, softening, mass, force;
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    int room; /* n, up to whole groups of either size */
    int multiprocessors, has_tensor_cores;
    int on_tensor_cores; /* whether the bodies, when they were sorted, were a case for them */
    struct scales scales, float_scales;
    float4 *host, *boxes_on_host;
    /* On the device: */
    float4 *positions, *velocities; /* n each, in the order of `in`, with the mass as w */
    float4 *sorted;                 /* room, along the Morton curve, filled up without mass */
    float4 *boxes, *box;            /* of each group, then of all: centre, half the longest side */
    unsigned long long *codes, *sorted_codes;
    int *numbers, *order; /* 0, 1, 2, ...; which body is at a place of `sorted` */
    void *memory;         /* for sorting, `bytes` bytes */
    size_t bytes;
    unsigned long long *sums; /* of force, 3 x room */
};

/* A force is summed in integers, which are the same in whichever order blocks add. */
__device__ static void add_force(unsigned long long *sums, int room, int i, float scale, float x,
                                 float y, float z) {
#ifdef FLOAT_SUMS
    (void)room;
    add_vector((float4 *)sums + i, make_float4(scale * x, scale * y, scale * z, 0));
#else
    /* part 1, 3 lines: x, y and z, scaled and rounded, are added as integers. */
    /* until solved */
    (void)sums, (void)room, (void)i, (void)scale, (void)x, (void)y, (void)z;
    /* end of until solved */
    /* end of part 1 */
#endif
}

__device__ static float3 force_on(const unsigned long long *sums, int room, int i, float scale) {
#ifdef FLOAT_SUMS
    float4 sum = ((const float4 *)sums)[i];

    (void)room;
    return make_float3(sum.x / scale, sum.y / scale, sum.z / scale);
#else
    return make_float3((float)(long long)sums[i] / scale, (float)(long long)sums[i + room] / scale,
                       (float)(long long)sums[i + 2 * room] / scale);
#endif
}

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

/* One register: v rounded to a half, and what is left of it as another; together 22 bits. */
__device__ static unsigned in_two_halves(float v) {
    float high = unpack_halves(pack_halves(v, 0)).x;

    return pack_halves(high, v - high);
}

__device__ static float whole(unsigned halves) {
    return unpack_halves(halves).x + unpack_halves(halves).y;
}

/* A body relative to a centre, in the kernel's units; of its coordinates those 22 bits that two
 * halves hold, so that all that is made of them is of the same body. */
__device__ static float4 scaled(float4 body, float4 centre, struct scales scales) {
    return make_float4(whole(in_two_halves((body.x - centre.x) * scales.length)),
                       whole(in_two_halves((body.y - centre.y) * scales.length)),
                       whole(in_two_halves((body.z - centre.z) * scales.length)),
                       body.w * scales.mass);
}

/* Which of the four is at this index; an array would lie in memory. */
__device__ static unsigned one_of(unsigned a, unsigned b, unsigned c, unsigned d, int index) {
    return index < 2 ? index ? b : a : index == 2 ? c : d;
}

/* r^2 + softening of 16 bodies i and 8 bodies j is |x_i|^2 + softening + |x_j|^2 - 2 x_i x_j: the
 * product of rows and columns
 *
 *     body i   xh xh  xl xl  yh yh  yl yl   zh zh  zl zl  1  1   1  0     x = xh + xl
 *     body j  -2 (xh xl  xh xl  yh yl  yh yl   zh zl  zh zl) s1 s2  s3 0   |x|^2 = s1 + s2 + s3
 *
 * and what C begins with. */
__device__ static void set_rows(struct strip *strip, int third, int lower, float4 body,
                                float softening) {
    unsigned x = in_two_halves(body.x), y = in_two_halves(body.y), z = in_two_halves(body.z);
    float2 xs = unpack_halves(x), ys = unpack_halves(y), zs = unpack_halves(z);

    /* part 2, 4 lines: Columns 2 third and the next of body i's row; then those 8 further on. */
    /* until solved */
    (void)xs, (void)ys, (void)zs, (void)third;
    strip->rows[lower] = strip->rows[lower + 2] = one_of(0, 0, 0, 0, 0);
    /* end of until solved */
    /* end of part 2 */
    strip->squares[2 * lower] = strip->squares[2 * lower + 1] =
        body.x * body.x + body.y * body.y + body.z * body.z + softening;
}

__device__ static void set_column(struct tile *tile, int j, float4 body) {
    float square = body.x * body.x + body.y * body.y + body.z * body.z;
    unsigned s1_s2 = in_two_halves(square), two_x = in_two_halves(-2 * body.x),
             two_y = in_two_halves(-2 * body.y), two_z = in_two_halves(-2 * body.z);
    float s3 = square - unpack_halves(s1_s2).x - unpack_halves(s1_s2).y;
    uint2 *column = (uint2 *)&tile->columns[j / 16][j % 8 * 4] + j / 8 % 2;

    /* part 3, 4 lines: What third 0, 1, 2 and 3 hold of body j's column: b[0] and b[1]. */
    /* until solved */
    (void)two_x, (void)two_y, (void)two_z, (void)s3;
    column[0] = column[2] = column[4] = column[6] = make_uint2(0, 0);
    /* end of until solved */
    /* end of part 3 */
}

/* Of m x, m y, m z and m this one; above them 0. */
__device__ static float weight_of(float4 body, int which) {
    return body.w * (which == 0   ? body.x
                     : which == 1 ? body.y
                     : which == 2 ? body.z
                     : which == 3 ? 1
                                  : 0);
}

/* The force on i is the sum of m_j s_ij (x_j - x_i), s = (r^2 + softening)^(-3/2), and that is
 *
 *     sum of s_ij (m_j x_j)  -  x_i sum of s_ij m_j:
 *
 * the products of S, 16 x 16, with m x, m y, m z and m of bodies j, in two halves each. */
__device__ static void set_weights(struct tile *tile, int j, float4 body) {
    unsigned short *row = (unsigned short *)tile->weights[j / 16];

#pragma unroll
    for (int f = 0; f < 4; f++) { /* column f, and f + 4 for what is left */
        unsigned halves = in_two_halves(weight_of(body, f));

        row[(4 * f + j % 8 / 2) * 4 + j / 8 % 2 * 2 + j % 2] = (unsigned short)halves;
        row[(4 * f + 16 + j % 8 / 2) * 4 + j / 8 % 2 * 2 + j % 2] = (unsigned short)(halves >> 16);
    }
}

/* The same of bodies i, as rows of A: the force on j is a product with S transposed. */
__device__ static void set_own_weights(struct strip *strip, int group, int right, float4 first,
                                       float4 second) {
    float2 a = unpack_halves(in_two_halves(weight_of(first, group)));
    float2 b = unpack_halves(in_two_halves(weight_of(second, group)));

    strip->weights[2 * right] = pack_halves(a.x, b.x);
    strip->weights[2 * right + 1] = pack_halves(a.y, b.y);
}

/* s of 16 bodies i and 8 bodies j. */
__device__ static void forces_of_tile(float s[4], const struct strip *strip, unsigned low,
                                      unsigned high) {
    /* part 4, 7 lines: r^2 + softening of the tile as one product, and s of each. */
    /* until solved */
    (void)strip, (void)low, (void)high;
    s[0] = s[1] = s[2] = s[3] = 0;
    /* end of until solved */
    /* end of part 4 */
}

/* A warp's strips against the tile. S as it comes out of one product is what the next one takes as
 * A, in halves; with HALVES = 2 what the rounding to halves leaves is added as a second product.
 * DIAGONAL: the strips are bodies of the tile, from `own` on. A body's own r^-3, the largest there
 * is, pulls nothing, but sums that are cut off lose the others beside it: it is left out. */
template <int HALVES, int DIAGONAL>
__device__ static void sum_tile(struct strip strips[STRIPS], struct tile *tile, int warp, int lane,
                                int own) {
    int group = lane / 4, third = lane % 4;

#pragma unroll 1
    for (int q = 0; q < THREADS / 16; q++) {
        uint4 columns = tile->columns[q][lane];
        uint2 pairs = tile->weights[q][lane];
        unsigned weights[2] = {pairs.x, pairs.y};
        float left[4] = {}, right[4] = {}; /* forces on bodies 0 to 7, and 8 to 15 */

#pragma unroll
        for (int k = 0; k < STRIPS; k++) {
            struct strip *strip = &strips[k];
            float s[2][4];
            unsigned rounded[4];

            forces_of_tile(s[0], strip, columns.x, columns.y);
            forces_of_tile(s[1], strip, columns.z, columns.w);
            if (DIAGONAL)
#pragma unroll
                for (int e = 0; e < 8; e++)
                    if (16 * q + e / 4 * 8 + 2 * third + e % 2 ==
                        own + 16 * k + group + e / 2 % 2 * 8)
                        s[e / 4][e % 4] = 0;
#pragma unroll
            for (int half = 0; half < HALVES; half++) {
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    float *pair = &s[r / 2][r % 2 * 2];

                    if (half) {
                        float2 before = unpack_halves(rounded[r]);

                        pair[0] -= before.x, pair[1] -= before.y;
                    }
                    rounded[r] = pack_halves(pair[0], pair[1]);
                }
                /* part 5, 1 line: What the 16 bodies j add to the strip's sums. */
                /* until solved */
                (void)weights;
                /* end of until solved */
                /* end of part 5 */
                if (THIRD_LAW) {
                    unsigned transposed[4];

                    /* part 6, 3 lines: What the strip adds to bodies j: 0 to 7, and 8 to 15. */
                    /* until solved */
                    (void)transposed;
                    /* end of until solved */
                    /* end of part 6 */
                }
            }
        }
        if (THIRD_LAW && group < 4) {
            float *sums = &tile->sums[warp][group][16 * q + 2 * third];

            *(float2 *)sums = make_float2(left[0] + left[2], left[1] + left[3]);
            *(float2 *)(sums + 8) = make_float2(right[0] + right[2], right[1] + right[3]);
        }
    }
}

/* How many groups after its own a block goes through, round the ring of all: half of them, so that
 * each pair of groups meets once. */
__device__ static int groups_after(int group, int groups) {
    if (!THIRD_LAW)
        return groups - 1;
    /* part 7, 1 line: Half of the other groups; of an even number one half has one more. */
    /* until solved */
    (void)group;
    return 0;
    /* end of until solved */
    /* end of part 7 */
}

/* Whether two boxes touch. */
__device__ static int touch(float4 a, float4 b) {
    float reach = a.w + b.w;

    return fabsf(a.x - b.x) <= reach && fabsf(a.y - b.y) <= reach && fabsf(a.z - b.z) <= reach;
}

/* Forces on and by group blockIdx.x: part blockIdx.y of the tiles it goes through. */
__global__ void __launch_bounds__(THREADS, 4)
    sum_on_tensor_cores(const float4 *bodies, const float4 *boxes, struct scales scales, int room,
                        unsigned long long *sums) {
    __shared__ struct tile tile;
    enum { TILES = GROUP / THREADS }; /* a group */
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, third = lane % 4;
    int groups = gridDim.x, own = blockIdx.x;
    int first = own * GROUP + warp * 16 * STRIPS;
    long tiles = TILES * (1 + groups_after(own, groups));
    int from = (int)(tiles * blockIdx.y / gridDim.y),
        to = (int)(tiles * (blockIdx.y + 1) / gridDim.y);
    float4 box = boxes[own];
    struct strip strips[STRIPS];

#pragma unroll
    for (int k = 0; k < STRIPS; k++) {
        const float4 *of_strip = bodies + first + 16 * k;

#pragma unroll
        for (int half = 0; half < 2; half++) {
            const float4 *pair = of_strip + 2 * third + 8 * half;

            set_rows(&strips[k], third, half, scaled(of_strip[group + 8 * half], box, scales),
                     scales.softening);
            set_own_weights(&strips[k], group, half, scaled(pair[0], box, scales),
                            scaled(pair[1], box, scales));
        }
        for (int e = 0; e < 4; e++)
            strips[k].totals[e] = strips[k].sums[e] = 0;
    }
    for (int step = from; step < to; step++) {
        int distance = step / TILES, other = (own + distance) % groups;
        int j = other * GROUP + step % TILES * THREADS + threadIdx.x;
        float4 body = scaled(bodies[j], box, scales);

        __syncthreads(); /* the tile before is done */
        set_column(&tile, threadIdx.x, body);
        set_weights(&tile, threadIdx.x, body);
        __syncthreads();
        if (!distance)
            sum_tile<HALVES_NEARBY, 1>(strips, &tile, warp, lane,
                                       16 * STRIPS * warp - step % TILES * THREADS);
        else if (HALVES_NEARBY == 2 && touch(box, boxes[other]))
            sum_tile<2, 0>(strips, &tile, warp, lane, 0);
        else
            sum_tile<1, 0>(strips, &tile, warp, lane, 0);
        /* Sums on tensor cores are cut off, not rounded, so only one tile is added there. */
        for (int k = 0; k < STRIPS; k++)
            for (int e = 0; e < 4; e++) {
                /* part 8, 2 lines: The tile's sum goes to the total; the next one begins anew. */
                /* end of part 8 */
            }
        if (!THIRD_LAW || !distance) /* the own group has all pairs in both orders */
            continue;
        __syncthreads();
        float f[4] = {};

#pragma unroll
        for (int e = 0; e < 4; e++)
            for (int w = 0; w < WARPS; w++)
                f[e] += tile.sums[w][e][threadIdx.x];
        body = scaled(bodies[j], box, scales); /* again: registers are scarce in between */
        add_force(sums, room, j, scales.force, f[0] - body.x * f[3], f[1] - body.y * f[3],
                  f[2] - body.z * f[3]);
    }
    /* Of a body's eight columns third 0 has x y, 1 z m, 2 and 3 the same of what was left. */
#pragma unroll
    for (int k = 0; k < STRIPS; k++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int i = first + 16 * k + group + 8 * half;
            float x = strips[k].totals[2 * half], y = strips[k].totals[2 * half + 1];

            x += __shfl_xor_sync(0xffffffff, x, 2);
            y += __shfl_xor_sync(0xffffffff, y, 2);
            float z = __shfl_sync(0xffffffff, x, lane | 1);
            float m = __shfl_sync(0xffffffff, y, lane | 1);

            if (third == 0) {
                float4 body = scaled(bodies[i], box, scales);

                add_force(sums, room, i, scales.force, x - body.x * m, y - body.y * m,
                          z - body.z * m);
            }
        }
}

/* The same in floats, for whatever halves cannot hold: bodies j go round the lanes of a warp, and
 * with them goes the sum of force on each. A thread has IN_FLOATS bodies i. */
__global__ void sum_in_floats(const float4 *bodies, struct scales scales, int room,
                              unsigned long long *sums) {
    __shared__ float4
        tile[2 * THREADS]; /* 32 bodies twice, the next 32 twice: no end to go round */
    __shared__ float fx[THREADS], fy[THREADS], fz[THREADS];
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
        const float *body = &bodies[first + b * THREADS].x; /* one by one: step 14 */

        x[b] = body[0], y[b] = body[1], z[b] = body[2], m[b] = body[3];
    }
    for (int step = from; step < to; step++) {
        int distance = step / IN_FLOATS, other = (own + distance) % groups;
        int j = other * FLOAT_GROUP + step % IN_FLOATS * THREADS + threadIdx.x;
        float tx[IN_FLOATS] = {}, ty[IN_FLOATS] = {}, tz[IN_FLOATS] = {}; /* of this tile */

        __syncthreads();
        tile[64 * warp + lane] = tile[64 * warp + lane + 32] = bodies[j];
        fx[threadIdx.x] = fy[threadIdx.x] = fz[threadIdx.x] = 0;
        __syncthreads();
        for (int turn = 0; turn < WARPS; turn++) {
            int part = (warp + turn) % WARPS; /* no two warps add to the same bodies */
            float3 on_body = {};              /* the force on the body j that this lane is at */

#pragma unroll 1
            for (int k = 0; k < 32; k++) {
                float4 body = tile[64 * part + lane + k];

#pragma unroll
                for (int b = 0; b < IN_FLOATS; b++) {
                    float dx = body.x - x[b], dy = body.y - y[b], dz = body.z - z[b];
                    float inverse = rsqrtf(scales.softening + dx * dx + dy * dy + dz * dz);
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
            add_force(sums, room, j, scales.force, fx[threadIdx.x], fy[threadIdx.x],
                      fz[threadIdx.x]);
    }
    for (int b = 0; b < IN_FLOATS; b++)
        add_force(sums, room, first + b * THREADS, scales.force, own_x[b], own_y[b], own_z[b]);
}

/* The box of bodies `each` * blockIdx.x and the next: its centre and half of its longest side. */
__global__ void bound(const float4 *bodies, int each, float4 *boxes) {
    __shared__ float ends[6][BOUNDS_THREADS];
    float end[6] = {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX};

    for (int i = threadIdx.x; i < each; i += BOUNDS_THREADS) {
        float4 body = bodies[blockIdx.x * each + i];
        float both[6] = {body.x, body.y, body.z, -body.x, -body.y, -body.z};

        for (int e = 0; e < 6; e++)
            end[e] = fminf(end[e], both[e]);
    }
    for (int e = 0; e < 6; e++)
        ends[e][threadIdx.x] = end[e];
    for (int half = BOUNDS_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            for (int e = 0; e < 6; e++)
                ends[e][threadIdx.x] = fminf(ends[e][threadIdx.x], ends[e][threadIdx.x + half]);
    }
    if (threadIdx.x)
        return;
    boxes[blockIdx.x] = make_float4(
        (ends[0][0] - ends[3][0]) / 2, (ends[1][0] - ends[4][0]) / 2, (ends[2][0] - ends[5][0]) / 2,
        fmaxf(-ends[0][0] - ends[3][0], fmaxf(-ends[1][0] - ends[4][0], -ends[2][0] - ends[5][0])) /
            2);
}

/* The bits of a coordinate, three places apart: 0 <= place < 1. */
__device__ static unsigned long long spread(float place) {
    unsigned long long bits = 0;
    unsigned cell = (unsigned)(place * (1 << CODE_BITS));

    for (int b = 0; b < CODE_BITS; b++)
        bits |= (unsigned long long)(cell >> b & 1) << 3 * b;
    return bits;
}

/* Bodies with neighbouring Morton codes are neighbours in space. */
__global__ void encode(const float4 *bodies, const float4 *box, int n, unsigned long long *codes,
                       int *numbers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 body, in = box[0];

    if (i >= n)
        return;
    body = bodies[i];
    float scale = 0.4999f / fmaxf(in.w, FLT_MIN);

    numbers[i] = i;
    codes[i] = spread(0.5f + (body.x - in.x) * scale) |
               spread(0.5f + (body.y - in.y) * scale) << 1 |
               spread(0.5f + (body.z - in.z) * scale) << 2;
}

/* Places from n on take the last body's position, without a mass. */
__global__ void arrange(const float4 *bodies, const int *order, int n, int room, float4 *sorted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= room)
        return;
    sorted[i] = bodies[order[i < n ? i : n - 1]];
    if (i >= n)
        sorted[i].w = 0;
}

/* v += dt F, x += dt v. */
__global__ void move(float4 *positions, float4 *velocities, const int *order, int n, int room,
                     const unsigned long long *sums, float scale, float dt) {
    int place = blockIdx.x * blockDim.x + threadIdx.x;

    if (place >= n)
        return;
    int i = order[place];
    float3 force = force_on(sums, room, place, scale);
    float4 position = positions[i], velocity = velocities[i];

    velocity.x += dt * force.x;
    velocity.y += dt * force.y;
    velocity.z += dt * force.z;
    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    velocities[i] = velocity;
    positions[i] = position;
}

static int blocks_of(int n, int threads) {
    return (n + threads - 1) / threads;
}

/* The bodies in their order, and the groups' boxes. */
static void arrange_all(struct simulation *simulation) {
    int n = simulation->parameters.n, room = simulation->room;

    arrange<<<blocks_of(room, THREADS), THREADS>>>(simulation->positions, simulation->order, n,
                                                   room, simulation->sorted);
    CUDA_CHECK(cudaGetLastError());
    bound<<<room / GROUP, BOUNDS_THREADS>>>(simulation->sorted, GROUP, simulation->boxes);
    CUDA_CHECK(cudaGetLastError());
}

/* Along the Morton curve, so that a group is a small box; and whether they suit tensor cores: not
 * if distances go from the softening to more than halves can hold. */
static void sort(struct simulation *simulation) {
    int n = simulation->parameters.n, groups = simulation->room / GROUP;
    float softening_length = sqrtf(simulation->parameters.softening), largest = 0;
    float4 *boxes = simulation->boxes_on_host;

    bound<<<1, BOUNDS_THREADS>>>(simulation->positions, n, simulation->box);
    CUDA_CHECK(cudaGetLastError());
    encode<<<blocks_of(n, THREADS), THREADS>>>(simulation->positions, simulation->box, n,
                                               simulation->codes, simulation->numbers);
    CUDA_CHECK(cudaGetLastError());
    sort_pairs(simulation->memory, &simulation->bytes, simulation->codes, simulation->sorted_codes,
               simulation->numbers, simulation->order, n);
    arrange_all(simulation);
    CUDA_CHECK(
        cudaMemcpy(boxes, simulation->boxes, (groups + 1) * sizeof *boxes, cudaMemcpyDeviceToHost));
    for (int group = 0; group < groups; group++)
        largest = fmaxf(largest, boxes[group].w);
    simulation->on_tensor_cores = simulation->has_tensor_cores && n >= LEAST_BODIES &&
                                  largest <= largest_group * softening_length &&
                                  boxes[groups].w <= largest_box * softening_length;
}

/* Blocks of a group: so many that the GPU is full WAVES times. */
static dim3 grid_of(const struct simulation *simulation, int group) {
    int groups = blocks_of(simulation->parameters.n, group);
    int parts = blocks_of(WAVES * 4 * simulation->multiprocessors, groups);

    return dim3(groups, parts > groups ? groups : parts);
}

static void sum_forces(struct simulation *simulation) {
    int room = simulation->room;

    arrange_all(simulation);
    CUDA_CHECK(cudaMemsetAsync(simulation->sums, 0, 3 * (size_t)room * sizeof *simulation->sums));
    if (simulation->on_tensor_cores)
        sum_on_tensor_cores<<<grid_of(simulation, GROUP), THREADS>>>(
            simulation->sorted, simulation->boxes, simulation->scales, room, simulation->sums);
    else
        sum_in_floats<<<grid_of(simulation, FLOAT_GROUP), THREADS>>>(
            simulation->sorted, simulation->float_scales, room, simulation->sums);
    CUDA_CHECK(cudaGetLastError());
}

/* A force is at most 0.385 / softening times all mass, and is to use 62 bits then. */
static void set_scales(struct simulation *simulation, double largest, double all) {
    float softening = simulation->parameters.softening;
    float length = 1 / (unit * sqrtf(softening)), mass = largest > 0 ? 1 / (float)largest : 1;
    double force = ldexp(1, 62) * softening / (0.385 * (all > 0 ? all : 1));

    simulation->float_scales = {1, softening, 1, (float)force};
    simulation->scales = {length, softening * length * length, mass,
                          (float)(force * length * length / mass)};
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n, room = blocks_of(parameters->n, FLOAT_GROUP) * (size_t)FLOAT_GROUP;
    int capability;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    simulation->room = (int)room;
    CUDA_CHECK(
        cudaDeviceGetAttribute(&simulation->multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, 0));
    simulation->has_tensor_cores = TENSOR_CORES && capability >= 8;
    if (TENSOR_CORES && capability < 8)
        fprintf(stderr, "compute capability %d.x is below 8.0: forces are summed in floats\n",
                capability);
    CUDA_CHECK(cudaMallocHost(&simulation->host, 2 * n * sizeof(float4)));
    CUDA_CHECK(cudaMallocHost(&simulation->boxes_on_host, (room / GROUP + 1) * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->positions, 2 * n * sizeof(float4)));
    simulation->velocities = simulation->positions + n;
    CUDA_CHECK(cudaMalloc(&simulation->sorted, room * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->boxes, (room / GROUP + 1) * sizeof(float4)));
    simulation->box = simulation->boxes + room / GROUP;
    CUDA_CHECK(cudaMalloc(&simulation->codes, 2 * n * sizeof *simulation->codes));
    simulation->sorted_codes = simulation->codes + n;
    CUDA_CHECK(cudaMalloc(&simulation->numbers, 2 * n * sizeof(int)));
    simulation->order = simulation->numbers + n;
    sort_pairs(NULL, &simulation->bytes, simulation->codes, simulation->sorted_codes,
               simulation->numbers, simulation->order, (int)n);
    CUDA_CHECK(cudaMalloc(&simulation->memory, simulation->bytes));
    CUDA_CHECK(cudaMalloc(&simulation->sums, 3 * room * sizeof *simulation->sums));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    const struct body *in = simulation->in;
    struct body *out = simulation->out;
    const float *masses = simulation->masses;
    int n = simulation->parameters.n;
    size_t bytes = 2 * (size_t)n * sizeof(float4);
    float4 *host = simulation->host;
    double largest = 0, all = 0;

    for (int i = 0; i < n; i++) {
        float mass = masses ? masses[i] : 1;

        host[i] = make_float4(in[i].x, in[i].y, in[i].z, mass);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
        largest = fmax(largest, mass);
        all += mass;
    }
    set_scales(simulation, largest, all);
    CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration % SORT_EVERY == 0)
            sort(simulation);
        sum_forces(simulation);
        move<<<blocks_of(n, THREADS), THREADS>>>(
            simulation->positions, simulation->velocities, simulation->order, n, simulation->room,
            simulation->sums, simulation->float_scales.force, simulation->parameters.dt);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, simulation->positions, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        out[i] = {host[i].x, host[i].y, host[i].z, host[n + i].x, host[n + i].y, host[n + i].z};
    return 0;
}

void simulation_forces(struct simulation *simulation, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++)
        sum_forces(simulation);
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->sums));
    CUDA_CHECK(cudaFree(simulation->memory));
    CUDA_CHECK(cudaFree(simulation->numbers));
    CUDA_CHECK(cudaFree(simulation->codes));
    CUDA_CHECK(cudaFree(simulation->boxes));
    CUDA_CHECK(cudaFree(simulation->sorted));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFreeHost(simulation->boxes_on_host));
    CUDA_CHECK(cudaFreeHost(simulation->host));
    free(simulation);
}
