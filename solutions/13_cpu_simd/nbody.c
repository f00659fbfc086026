/* Step 13: as many interactions at a time as a vector register has floats, on every core. */
#include <math.h>
#include <stdio.h>

#include "lanes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* What a variant may change. */
#ifndef MOST_LANES
#define MOST_LANES 16 /* floats per vector; below 8: no vectors but the compiler's */
#endif
#ifndef VECTORS
#define VECTORS 2 /* with AVX-512: vectors of bodies i that stay in registers */
#endif
#ifndef THIRD_LAW
#define THIRD_LAW 0 /* 1: the pull between two bodies is computed once, for both */
#endif

/* An array for each coordinate, and one for the masses. */
static void fill_arrays(struct simulation *simulation) {
    for (int i = 0; i < simulation->parameters.n; i++) {
        /* part 1, 4 lines: Copy body i of `in`, and its mass, or 1 if no masses are given. */
        simulation->at.x[i] = simulation->in[i].x;
        simulation->at.y[i] = simulation->in[i].y;
        simulation->at.z[i] = simulation->in[i].z;
        simulation->mass[i] = simulation->masses ? simulation->masses[i] : 1;
        /* end of part 1 */
    }
}

/* For any processor: the compiler makes vectors of the loop over bodies i. */
static void pull_plain(const struct simulation *simulation, int i, int from, int to,
                       struct arrays force) {
    struct arrays at = simulation->at;
    float softening = simulation->parameters.softening;
    float fx[LANES] = {0}, fy[LANES] = {0}, fz[LANES] = {0};

    for (int j = from; j < to; j++) {
        /* part 2, 11 lines: The pull of body j on LANES bodies from i on, as one vector. */
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            float dx = at.x[i + lane] - at.x[j];
            float dy = at.y[i + lane] - at.y[j];
            float dz = at.z[i + lane] - at.z[j];
            float distance_squared = softening + dx * dx + dy * dy + dz * dz;
            float inverse = 1.0f / sqrtf(distance_squared);
            float pull = simulation->mass[j] * inverse * (inverse * inverse);

            fx[lane] -= pull * dx, fy[lane] -= pull * dy, fz[lane] -= pull * dz;
        }
        /* until solved:
        (void)at, (void)softening;
        */
        /* end of part 2 */
    }
    for (int lane = 0; lane < LANES; lane++) {
        force.x[i + lane] += fx[lane];
        force.y[i + lane] += fy[lane];
        force.z[i + lane] += fz[lane];
    }
}

#ifdef __x86_64__
/* The processor has an estimate r of d^(-1/2), good to 12 or 14 bits. One step of Newton's method
 * for d^(-3/2), from r^3, gives r^3 (5 - 3 d r^2) / 2 = 1.5 r^3 (5/3 - d r^2). The factor 1.5 is
 * applied to the sum of a tile. */
#define FIVE_THIRDS (5.0f / 3.0f)

/* 8 bodies i, one per lane. */
__attribute__((target("avx2,fma"))) static void
pull_avx2(const struct simulation *simulation, int i, int from, int to, struct arrays force) {
    struct arrays at = simulation->at;
    float softening = simulation->parameters.softening;
    __m256 x = *(__m256 *)&at.x[i], y = *(__m256 *)&at.y[i], z = *(__m256 *)&at.z[i];
    __m256 fx = {0}, fy = {0}, fz = {0};

    for (int j = from; j < to; j++) {
        /* part 3, 9 lines: The pull of body j on 8 bodies, with an estimate of the root. */
        __m256 dx = x - at.x[j], dy = y - at.y[j], dz = z - at.z[j];
        __m256 distance_squared = softening + dx * dx + dy * dy + dz * dz;
        __m256 root = _mm256_rsqrt_ps(distance_squared), square = root * root;
        __m256 correction = FIVE_THIRDS - distance_squared * square;
        __m256 pull = simulation->mass[j] * root * square * correction;

        fx -= pull * dx;
        fy -= pull * dy;
        fz -= pull * dz;
        /* until solved:
        (void)softening, (void)x, (void)y, (void)z;
        */
        /* end of part 3 */
    }
    *(__m256 *)&force.x[i] += 1.5f * fx;
    *(__m256 *)&force.y[i] += 1.5f * fy;
    *(__m256 *)&force.z[i] += 1.5f * fz;
}

/* 16 * VECTORS bodies i. */
__attribute__((target("avx512f"))) static void
pull_avx512(const struct simulation *simulation, int i, int from, int to, struct arrays force) {
    struct arrays at = simulation->at;
    float softening = simulation->parameters.softening;
    __m512 *x = (__m512 *)&at.x[i], *y = (__m512 *)&at.y[i], *z = (__m512 *)&at.z[i];
    __m512 fx[VECTORS] = {0}, fy[VECTORS] = {0}, fz[VECTORS] = {0};

    for (int j = from; j < to; j++)
        for (int v = 0; v < VECTORS; v++) {
            /* part 4, 9 lines: The pull of body j on the 16 bodies of vector v. */
            __m512 dx = x[v] - at.x[j], dy = y[v] - at.y[j], dz = z[v] - at.z[j];
            __m512 distance_squared = softening + dx * dx + dy * dy + dz * dz;
            __m512 root = _mm512_rsqrt14_ps(distance_squared), square = root * root;
            __m512 correction = FIVE_THIRDS - distance_squared * square;
            __m512 pull = simulation->mass[j] * root * square * correction;

            fx[v] -= pull * dx;
            fy[v] -= pull * dy;
            fz[v] -= pull * dz;
            /* until solved:
            (void)softening, (void)x, (void)y, (void)z;
            */
            /* end of part 4 */
        }
    for (int v = 0; v < VECTORS; v++) {
        ((__m512 *)&force.x[i])[v] += 1.5f * fx[v];
        ((__m512 *)&force.y[i])[v] += 1.5f * fy[v];
        ((__m512 *)&force.z[i])[v] += 1.5f * fz[v];
    }
}

/* The bodies of two tiles, which begin at i0 and j0, pull each other: one root per pair. A body j
 * keeps a sum for each lane of the bodies i; these sums are added last. */
__attribute__((target("avx512f"))) static void pull_both(const struct simulation *simulation,
                                                         int i0, int j0, struct arrays force) {
    struct arrays at = simulation->at;
    float softening = simulation->parameters.softening;
    int n = simulation->parameters.n, j_end = j0 + TILE < n ? j0 + TILE : n;

    for (int from = j0; from < j_end; from += PART) {
        __m512 gx[PART] = {0}, gy[PART] = {0}, gz[PART] = {0};
        int to = from + PART < j_end ? from + PART : j_end;

        for (int i = i0; i < i0 + TILE && i < n; i += LANES) {
            __m512 x = *(__m512 *)&at.x[i], y = *(__m512 *)&at.y[i], z = *(__m512 *)&at.z[i];
            __m512 mass = *(__m512 *)&simulation->mass[i], fx = {0}, fy = {0}, fz = {0};

            for (int j = from; j < to; j++) {
                __m512 dx = x - at.x[j], dy = y - at.y[j], dz = z - at.z[j];
                __m512 distance_squared = softening + dx * dx + dy * dy + dz * dz;
                __m512 root = _mm512_rsqrt14_ps(distance_squared), square = root * root;
                __m512 cube = root * square * (FIVE_THIRDS - distance_squared * square);
                /* part 5, 5 lines: Body j pulls the 16 bodies i, and each of them pulls body j. */
                __m512 pull = simulation->mass[j] * cube, pull_back = mass * cube;

                fx -= pull * dx, gx[j - from] += pull_back * dx;
                fy -= pull * dy, gy[j - from] += pull_back * dy;
                fz -= pull * dz, gz[j - from] += pull_back * dz;
                /* until solved:
                (void)cube, (void)mass;
                */
                /* end of part 5 */
            }
            *(__m512 *)&force.x[i] += 1.5f * fx;
            *(__m512 *)&force.y[i] += 1.5f * fy;
            *(__m512 *)&force.z[i] += 1.5f * fz;
        }
        for (int j = from; j < to; j++) {
            force.x[j] += 1.5f * _mm512_reduce_add_ps(gx[j - from]);
            force.y[j] += 1.5f * _mm512_reduce_add_ps(gy[j - from]);
            force.z[j] += 1.5f * _mm512_reduce_add_ps(gz[j - from]);
        }
    }
}
#else
static void pull_both(const struct simulation *simulation, int i0, int j0, struct arrays force) {
    (void)simulation, (void)i0, (void)j0, (void)force;
}
#endif

/* The widest vectors that this processor has and the variant allows. */
static void choose(struct simulation *simulation) {
    simulation->pull = pull_plain, simulation->width = LANES;
#ifdef __x86_64__
    if (MOST_LANES >= 16 && __builtin_cpu_supports("avx512f")) {
        simulation->pull = pull_avx512, simulation->width = VECTORS * LANES;
        simulation->is_mutual = THIRD_LAW;
    } else if (MOST_LANES >= 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        simulation->pull = pull_avx2, simulation->width = LANES / 2;
    }
#endif
    if (THIRD_LAW && !simulation->is_mutual)
        fprintf(stderr, "without AVX-512 the pull of two bodies is computed twice\n");
}

/* Called by all threads: each takes its share of the bodies and waits at the end for the others. */
static void compute_forces(const struct simulation *simulation) {
    int n = simulation->parameters.n, width = simulation->width;
    struct arrays force = three(simulation->forces, simulation->padded);

    /* part 6, 1 line: The threads share out the bodies i. */
#pragma omp for schedule(static)
    /* end of part 6 */
    for (int i = 0; i < n; i += width) {
        for (int own = i; own < i + width; own++)
            force.x[own] = force.y[own] = force.z[own] = 0;
        for (int from = 0; from < n; from += TILE)
            simulation->pull(simulation, i, from, from + TILE < n ? from + TILE : n, force);
    }
}

/* The same with Newton's third law. Each thread has an array of forces of its own, since other
 * threads have pairs with the same bodies. The tiles form a ring: each is paired with itself and
 * with the half of the ring that follows it. */
static void compute_mutual_forces(const struct simulation *simulation) {
    int n = simulation->parameters.n, padded = simulation->padded, tiles = (n + TILE - 1) / TILE;
    float *own = simulation->forces + (size_t)omp_get_thread_num() * 3 * padded;
    struct arrays force = three(own, padded);

    memset(own, 0, (size_t)padded * 3 * sizeof *own);
#pragma omp for schedule(static, 1)
    for (int tile = 0; tile < tiles; tile++) {
        int from = tile * TILE, to = from + TILE < n ? from + TILE : n;

        for (int i = from; i < to; i += simulation->width)
            simulation->pull(simulation, i, from, to, force);
        for (int distance = 1; 2 * distance <= tiles; distance++)
            if (2 * distance < tiles || tile < distance)
                pull_both(simulation, from, (tile + distance) % tiles * TILE, force);
    }
}

/* lanes.h creates and destroys the simulation. */
int simulation_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in, simulation->parameters.n * sizeof(struct body));
    fill_arrays(simulation);
#pragma omp parallel
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (THIRD_LAW && simulation->is_mutual)
            compute_mutual_forces(simulation);
        else
            compute_forces(simulation);
        move(simulation);
    }
    return 0;
}
