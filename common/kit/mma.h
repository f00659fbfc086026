/* Products of small matrices by a warp, on tensor cores; on a CPU they are played by cpucuda. All
 * 32 lanes call a function together, and each holds its share of every matrix, a fragment. With
 * group = lane / 4 (0 to 7) and third = lane % 4 (0 to 3):
 *
 *     A, 16 x 16 halves  a[0]: row group,     columns 2 third, 2 third + 1
 *                        a[1]: row group + 8, the same columns
 *                        a[2]: row group,     columns 2 third + 8, 2 third + 9
 *                        a[3]: row group + 8, the same columns
 *     B, 16 x 8 halves   b[0]: column group, rows 2 third, 2 third + 1
 *                        b[1]: column group, rows 2 third + 8, 2 third + 9
 *     C, D, 16 x 8       c[0], c[1]: row group,     columns 2 third, 2 third + 1
 *     floats             c[2], c[3]: row group + 8, the same columns
 *
 * A register (unsigned) holds two halves; in its lower 16 bits is the one of the lower column, for
 * B of the lower row. The layout is that of mma.m16n8k16 in the PTX ISA. These instructions are
 * there from compute capability 8.0 on; on older GPUs a kernel that comes to one of them ends with
 * an error. */
#ifndef MMA_H
#define MMA_H

#include <cuda_fp16.h>

#ifndef __CUDACC__
#include "cpucuda/tensor.h"
#endif

#ifdef __CUDACC__

/* Two floats, rounded to the nearest halves; and back. */
__device__ static inline unsigned pack_halves(float lower, float upper) {
    __half2 pair = __floats2half2_rn(lower, upper);

    return *(unsigned *)&pair;
}
__device__ static inline float2 unpack_halves(unsigned pair) {
    return __half22float2(*(__half2 *)&pair);
}

/* D = A B + C; d may be c. Sums are kept in float and truncated, not rounded, so their magnitudes
 * are a little too small. */
__device__ static inline void multiply_tile(float d[4], const unsigned a[4], const unsigned b[2],
                                            const float c[4]) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]));
#else
    (void)d, (void)a, (void)b, (void)c;
    __trap();
#endif
}

/* Transposes four 8 x 8 matrices of halves. Of each matrix and of each transpose a lane holds row
 * group, columns 2 third and 2 third + 1. */
__device__ static inline void transpose_tiles(unsigned columns[4], const unsigned rows[4]) {
#if __CUDA_ARCH__ >= 800 /* movmatrix is there from 7.5 on, and no use alone */
    for (int tile = 0; tile < 4; tile++)
        asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
            : "=r"(columns[tile])
            : "r"(rows[tile]));
#else
    (void)columns, (void)rows;
    __trap();
#endif
}

/* The value of the next lane; lane 31 gets that of lane 0. It takes three shuffles, which cpucuda
 * does as one. */
__device__ static inline float3 of_next_lane(float3 value) {
    int next = threadIdx.x + 1;

    return make_float3(__shfl_sync(0xffffffff, value.x, next),
                       __shfl_sync(0xffffffff, value.y, next),
                       __shfl_sync(0xffffffff, value.z, next));
}

#else

inline unsigned pack_halves(float lower, float upper) {
    return cpucuda::nearest_half(lower) | (unsigned)cpucuda::nearest_half(upper) << 16;
}
inline float2 unpack_halves(unsigned pair) {
    return make_float2(cpucuda::half_to_float((unsigned short)pair),
                       cpucuda::half_to_float((unsigned short)(pair >> 16)));
}

inline void multiply_tile(float d[4], const unsigned a[4], const unsigned b[2], const float c[4],
                          CPUCUDA_CALLER) {
    cpucuda::product_fragments own = {
        {a[0], a[1], a[2], a[3]}, {b[0], b[1]}, {c[0], c[1], c[2], c[3]}, {}};

    cpucuda::multiply_tile(&own, file, line);
    for (int r = 0; r < 4; r++)
        d[r] = own.d[r];
}
inline void transpose_tiles(unsigned columns[4], const unsigned rows[4], CPUCUDA_CALLER) {
    unsigned own[4] = {rows[0], rows[1], rows[2], rows[3]};

    cpucuda::transpose_tiles(own, file, line);
    for (int tile = 0; tile < 4; tile++)
        columns[tile] = own[tile];
}
inline float3 of_next_lane(float3 value, CPUCUDA_CALLER) {
    float own[3] = {value.x, value.y, value.z};

    cpucuda::rotate(own, file, line);
    return make_float3(own[0], own[1], own[2]);
}

#endif

/* *sum += term, atomic for each component. The order of the additions is any, so rounding differs
 * from run to run. From compute capability 9.0 on it is one instruction. */
__device__ static inline void add_vector(float4 *sum, float4 term) {
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sum), "f"(term.x),
                 "f"(term.y), "f"(term.z), "f"(term.w)
                 : "memory");
#else
    atomicAdd(&sum->x, term.x);
    atomicAdd(&sum->y, term.y);
    atomicAdd(&sum->z, term.z);
    atomicAdd(&sum->w, term.w);
#endif
}

/* One register: v rounded to a half, and what is left of it as another; together 22 bits. */
__device__ static inline unsigned in_two_halves(float v) {
    float high = unpack_halves(pack_halves(v, 0)).x;

    return pack_halves(high, v - high);
}
__device__ static inline float whole(unsigned halves) {
    return unpack_halves(halves).x + unpack_halves(halves).y;
}

/* Where a half of B lies in memory, counted in halves, if each lane has b[0] and b[1] there; of its
 * row only the last four bits count. */
__device__ static inline int place_in_b(int row, int column) {
    return (4 * column + row % 8 / 2) * 4 + row / 8 % 2 * 2 + row % 2;
}

/* The one of the four with this index; an array would lie in local memory. */
__device__ static inline unsigned one_of(unsigned a, unsigned b, unsigned c, unsigned d,
                                         int index) {
    return index < 2 ? index ? b : a : index == 2 ? c : d;
}

#endif
