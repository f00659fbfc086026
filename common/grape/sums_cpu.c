/* The pull of bodies j on eight bodies i at a time, in double: with AVX-512, or as the compiler
 * makes vectors of a loop over the eight. */
#include "sums_cpu.h"

#include <math.h>
#include <stddef.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* A lane that feels nothing of a body j has a root of 0 in it: the same body, or one at its place
 * without softening. The products in r^2 are rounded one by one, here and below: who is nearest
 * must not depend on the processor. */
INLINE void sum_plain(const struct target_lanes *i, const struct place *from,
                      const struct place *to, int wants_nearest, struct felt_lanes *felt) {
    struct felt_lanes f = *felt;

    for (const struct place *j = from; j < to; j++) {
#pragma omp simd
        for (int k = 0; k < LANES; k++) {
            double dx = j->x[0] - i->x[k], dy = j->x[1] - i->y[k], dz = j->x[2] - i->z[k];
            double ux = j->v[0] - i->vx[k], uy = j->v[1] - i->vy[k], uz = j->v[2] - i->vz[k];
            double r2 = dx * dx + dy * dy + dz * dz, s2 = r2 + i->eps2[k];
            int is_other = i->index[k] != j->index;
            double root = (is_other & (s2 > 0)) ? 1 / sqrt(s2) : 0, root2 = root * root;
            double mass_root = j->mass * root, pull = mass_root * root2;
            double beta = -3 * root2 * (dx * ux + dy * uy + dz * uz);

            f.pot[k] -= mass_root;
            f.ax[k] += pull * dx, f.jx[k] += pull * (ux + beta * dx);
            f.ay[k] += pull * dy, f.jy[k] += pull * (uy + beta * dy);
            f.az[k] += pull * dz, f.jz[k] += pull * (uz + beta * dz);
            if (wants_nearest) {
                int is_nearer = is_other & (r2 < f.nearest_r2[k]);

                f.nearest_r2[k] = is_nearer ? r2 : f.nearest_r2[k];
                f.nearest[k] = is_nearer ? j->index : f.nearest[k];
            }
        }
    }
    *felt = f;
}

INLINE void find_plain(const struct target_lanes *i, const struct place *from,
                       const struct place *to, unsigned char *near) {
    for (const struct place *j = from; j < to; j++) {
        long long bits = 0;

#pragma omp simd reduction(| : bits)
        for (int k = 0; k < LANES; k++) {
            double dx = j->x[0] - i->x[k], dy = j->x[1] - i->y[k], dz = j->x[2] - i->z[k];
            int is_near = (dx * dx + dy * dy + dz * dz < i->h2[k]) & (i->index[k] != j->index);

            bits |= is_near ? 1LL << k : 0;
        }
        *near++ = (unsigned char)bits;
    }
}

/* The loops as the compiler makes them for a kind of processor; the sum without what is not wanted.
 */
static void sum_any(const struct target_lanes *i, const struct place *from, const struct place *to,
                    int wants_nearest, struct felt_lanes *felt) {
    if (wants_nearest)
        sum_plain(i, from, to, 1, felt);
    else
        sum_plain(i, from, to, 0, felt);
}

static void find_any(const struct target_lanes *i, const struct place *from, const struct place *to,
                     unsigned char *near) {
    find_plain(i, from, to, near);
}

#ifdef __x86_64__
#define AVX2      __attribute__((target("avx2")))
#define AVX512    __attribute__((target("avx512f")))
#define V(number) _mm512_set1_pd(number)
#define FMA       _mm512_fmadd_pd

/* The processor's estimate y of 1 / s is good to 14 bits. With e = 1 - s^2 y^2, three terms of
 * (1 - e)^(-1/2) leave an error of 5/16 e^3, at most 2^-40. 35 operations in vectors per body j: at
 * two per cycle 17.5 cycles. The mask is applied late, for a short chain from load to sum. */
AVX512 INLINE void sum_512(const struct target_lanes *i, const struct place *from,
                           const struct place *to, int wants_nearest, struct felt_lanes *felt) {
    __m512d x = *(__m512d *)i->x, y = *(__m512d *)i->y, z = *(__m512d *)i->z;
    __m512d vx = *(__m512d *)i->vx, vy = *(__m512d *)i->vy, vz = *(__m512d *)i->vz;
    __m512d eps2 = *(__m512d *)i->eps2, pot = *(__m512d *)felt->pot;
    __m512d ax = *(__m512d *)felt->ax, ay = *(__m512d *)felt->ay, az = *(__m512d *)felt->az;
    __m512d jx = *(__m512d *)felt->jx, jy = *(__m512d *)felt->jy, jz = *(__m512d *)felt->jz;
    __m512d nearest_r2 = *(__m512d *)felt->nearest_r2;
    __m512i index = *(__m512i *)i->index, nearest = *(__m512i *)felt->nearest;

    for (const struct place *j = from; j < to; j++) {
        __m512d dx = V(j->x[0]) - x, dy = V(j->x[1]) - y, dz = V(j->x[2]) - z;
        __m512d ux = V(j->v[0]) - vx, uy = V(j->v[1]) - vy, uz = V(j->v[2]) - vz, s2;
        __mmask8 is_other = _mm512_cmpneq_epi64_mask(index, _mm512_set1_epi64(j->index));

        if (wants_nearest) {
            __m512d r2 = dx * dx + dy * dy + dz * dz;
            __mmask8 is_nearer = _mm512_mask_cmp_pd_mask(is_other, r2, nearest_r2, _CMP_LT_OQ);

            nearest_r2 = _mm512_mask_mov_pd(nearest_r2, is_nearer, r2);
            nearest = _mm512_mask_set1_epi64(nearest, is_nearer, j->index);
            s2 = r2 + eps2;
        } else {
            s2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, eps2)));
        }
        __mmask8 pulls = _mm512_mask_cmp_pd_mask(is_other, s2, V(0), _CMP_GT_OQ);
        __m512d estimate = _mm512_rsqrt14_pd(s2);
        __m512d e = _mm512_fnmadd_pd(s2, estimate * estimate, V(1));
        __m512d root =
            _mm512_maskz_fmadd_pd(pulls, estimate * e, FMA(e, V(0.375), V(0.5)), estimate);
        __m512d mass_root = V(j->mass) * root, root2 = root * root, pull = mass_root * root2;
        __m512d beta = root2 * (V(-3) * FMA(dz, uz, FMA(dy, uy, dx * ux)));

        pot -= mass_root;
        ax = FMA(pull, dx, ax), jx = FMA(pull, FMA(beta, dx, ux), jx);
        ay = FMA(pull, dy, ay), jy = FMA(pull, FMA(beta, dy, uy), jy);
        az = FMA(pull, dz, az), jz = FMA(pull, FMA(beta, dz, uz), jz);
    }
    *(__m512d *)felt->ax = ax, *(__m512d *)felt->ay = ay, *(__m512d *)felt->az = az;
    *(__m512d *)felt->jx = jx, *(__m512d *)felt->jy = jy, *(__m512d *)felt->jz = jz;
    *(__m512d *)felt->pot = pot, *(__m512d *)felt->nearest_r2 = nearest_r2;
    *(__m512i *)felt->nearest = nearest;
}

AVX2 static void sum_avx2(const struct target_lanes *i, const struct place *from,
                          const struct place *to, int wants_nearest, struct felt_lanes *felt) {
    if (wants_nearest)
        sum_plain(i, from, to, 1, felt);
    else
        sum_plain(i, from, to, 0, felt);
}

AVX2 static void find_avx2(const struct target_lanes *i, const struct place *from,
                           const struct place *to, unsigned char *near) {
    find_plain(i, from, to, near);
}

AVX512 static void sum_avx512(const struct target_lanes *i, const struct place *from,
                              const struct place *to, int wants_nearest, struct felt_lanes *felt) {
    if (wants_nearest)
        sum_512(i, from, to, 1, felt);
    else
        sum_512(i, from, to, 0, felt);
}

AVX512 static void find_avx512(const struct target_lanes *i, const struct place *from,
                               const struct place *to, unsigned char *near) {
    find_plain(i, from, to, near);
}

#endif

const struct loops *grape6_loops(int width) {
    static const struct loops any = {sum_any, find_any};
#ifdef __x86_64__
    static const struct loops avx2 = {sum_avx2, find_avx2}, avx512 = {sum_avx512, find_avx512};

    if (width == 1 && __builtin_cpu_supports("avx2"))
        return &avx2;
    if (width == 2 && __builtin_cpu_supports("avx512f"))
        return &avx512;
#endif
    return width == 0 ? &any : NULL;
}

const struct loops *grape6_widest_loops(void) {
    int width = 0;

    while (grape6_loops(width + 1))
        width++;
    return grape6_loops(width);
}
