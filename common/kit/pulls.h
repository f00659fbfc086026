/* What stars feel of each other, computed on the GPU: accelerations and jerks, for an integrator on
 * the host. POSITIONS says in which numbers. */
#ifndef PULLS_H
#define PULLS_H

#include <math.h>

#include "cuda_check.h"
#include "stars.h"

/* Positions as floats; as two floats, the second of which is what the first lacks of the double; or
 * all numbers as doubles. */
#define FLOAT      0
#define TWO_FLOATS 1
#define DOUBLE     2
#ifndef POSITIONS
#define POSITIONS TWO_FLOATS
#endif

#if POSITIONS == DOUBLE
typedef double real;
#else
typedef float real;
#endif

/* What one star feels: the sums over all others of m r / s^3, and of m (v / s^3 - 3 (r.v) r / s^5),
 * with the other's mass m, place r and velocity v relative to the star, and s^2 = r^2 +
 * softening^2. */
struct pull {
    double acceleration[3], jerk[3];
};

struct __align__(4 * sizeof(real)) four {
    real x, y, z, w;
};

/* What an acceleration or a jerk is off by, as a share of itself: some roundings of `real`, or of a
 * position that is a hundred times as large as a distance. */
static const double pulls_rounding = POSITIONS == DOUBLE       ? 0x1p-51
                                     : POSITIONS == TWO_FLOATS ? 0x1p-22
                                                               : 0x1p-17;

/* A star on the device: its place, the mass as w; what that lacks; its velocity. */
struct source {
    struct four high;
#if POSITIONS == TWO_FLOATS
    struct four low;
#endif
    struct four motion;
};

/* Stars and what they feel. pulls_create() does not see the stars; pulls_compute() sends them to
 * the device, computes their pulls there and fetches these. */
struct pulls {
    int n, part, parts; /* stars, and a block's share of them as sources */
    real softening_squared;
    /* On the device: */
    struct star *stars;
    struct source *sources;
    struct pull *partial, *whole; /* parts x n, and n */
};

static inline struct pulls pulls_create(int n, double softening);
static inline void pulls_compute(const struct pulls *pulls, const struct star *stars,
                                 struct pull *felt);
static inline void pulls_destroy(struct pulls *pulls);

#ifndef PULLS_THREADS
#define PULLS_THREADS 128 /* of a block */
#endif

/* x minus the nearest `real`. */
__host__ __device__ static inline real lacking(double x) {
    return (real)(x - (real)x);
}

__host__ __device__ static inline struct source source_of(const struct star *star) {
    const double *x = star->x, *v = star->v;
    struct source source;

    source.high = {(real)x[0], (real)x[1], (real)x[2], (real)star->mass};
    source.motion = {(real)v[0], (real)v[1], (real)v[2], 0};
#if POSITIONS == TWO_FLOATS
    source.low = {lacking(x[0]), lacking(x[1]), lacking(x[2]), 0};
#endif
    return source;
}

static __global__ void pulls_pack(const struct star *stars, int n, struct source *sources) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        sources[i] = source_of(&stars[i]);
}

/* 1 / sqrt(square); 0 for the star itself, or a star at its place, without softening. */
__device__ static inline float inverse_root(float square) {
    return square > 0 ? rsqrtf(square) : 0;
}

__device__ static inline double inverse_root(double square) {
    return square > 0 ? rsqrt(square) : 0;
}

/* What the high part of a place lacks; only TWO_FLOATS has it. */
__device__ static inline struct four low_of(const struct source *source) {
#if POSITIONS == TWO_FLOATS
    return source->low;
#else
    return source->motion; /* not used */
#endif
}

/* to - from, of one coordinate; the difference of the high parts is exact for two places near each
 * other. */
__device__ static inline real between(real to, real to_low, real from, real from_low) {
    return POSITIONS == TWO_FLOATS ? (to - from) + (to_low - from_low) : to - from;
}

/* What a star feels of the sources from ... to - 1, at least one. The thread takes the sources
 * share, share + shares ... of each tile. A tile's sums are taken in `real`, those of all tiles in
 * double. All threads of a block call it with the same sources, which are loaded for all of
 * them. */
__device__ static inline struct pull pull_of(const struct source *sources, int from, int to,
                                             int share, int shares, struct source own,
                                             real softening_squared) {
    __shared__ struct source tile[PULLS_THREADS];
    struct four own_low = low_of(&own);
    struct pull total = {};

    for (int start = from; start < to; start += PULLS_THREADS) {
        int length = min(PULLS_THREADS, to - start);
        real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;

        __syncthreads();
        if ((int)threadIdx.x < length)
            tile[threadIdx.x] = sources[start + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = share; j < length; j += shares) {
            struct four high = tile[j].high, low = low_of(&tile[j]), motion = tile[j].motion;
            real rx = between(high.x, low.x, own.high.x, own_low.x);
            real ry = between(high.y, low.y, own.high.y, own_low.y);
            real rz = between(high.z, low.z, own.high.z, own_low.z);
            real vx = motion.x - own.motion.x;
            real vy = motion.y - own.motion.y;
            real vz = motion.z - own.motion.z;
            real inverse = inverse_root(softening_squared + rx * rx + ry * ry + rz * rz);
            real inverse2 = inverse * inverse, scale = high.w * inverse * inverse2;
            real approach = 3 * inverse2 * (rx * vx + ry * vy + rz * vz);

            ax += scale * rx;
            ay += scale * ry;
            az += scale * rz;
            jx += scale * (vx - approach * rx);
            jy += scale * (vy - approach * ry);
            jz += scale * (vz - approach * rz);
        }
        total.acceleration[0] += ax;
        total.acceleration[1] += ay;
        total.acceleration[2] += az;
        total.jerk[0] += jx;
        total.jerk[1] += jy;
        total.jerk[2] += jz;
    }
    return total;
}

/* The pull of part blockIdx.y of the sources on a star per thread. */
static __global__ void __launch_bounds__(PULLS_THREADS)
    pulls_sum(const struct source *sources, int n, int part, real softening_squared,
              struct pull *partial) {
    int i = blockIdx.x * PULLS_THREADS + threadIdx.x, from = blockIdx.y * part;
    struct pull total = pull_of(sources, from, min(from + part, n), 0, 1, sources[min(i, n - 1)],
                                softening_squared);

    if (i < n)
        partial[(size_t)blockIdx.y * n + i] = total;
}

/* The parts, always in the same order: the same bits every time. */
static __global__ void pulls_add(const struct pull *partial, int n, int parts, struct pull *whole) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    struct pull pull = partial[i];

    for (int part = 1; part < parts; part++)
        for (int c = 0; c < 3; c++) {
            pull.acceleration[c] += partial[(size_t)part * n + i].acceleration[c];
            pull.jerk[c] += partial[(size_t)part * n + i].jerk[c];
        }
    whole[i] = pull;
}

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* As many parts as fill the device with blocks, but none shorter than a tile. */
static inline struct pulls pulls_create(int n, double softening) {
    enum { BLOCKS_PER_MULTIPROCESSOR = 16 };
    struct pulls pulls = {};
    int multiprocessors, wanted;

    pulls.n = n;
    pulls.softening_squared = (real)(softening * softening);
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    wanted = divide_up(BLOCKS_PER_MULTIPROCESSOR * multiprocessors, divide_up(n, PULLS_THREADS));
    wanted = wanted < divide_up(n, PULLS_THREADS) ? wanted : divide_up(n, PULLS_THREADS);
    pulls.part = PULLS_THREADS * divide_up(divide_up(n, PULLS_THREADS), wanted);
    pulls.parts = divide_up(n, pulls.part);
    CUDA_CHECK(cudaMalloc(&pulls.stars, n * sizeof *pulls.stars));
    CUDA_CHECK(cudaMalloc(&pulls.sources, n * sizeof *pulls.sources));
    CUDA_CHECK(cudaMalloc(&pulls.partial, (size_t)pulls.parts * n * sizeof *pulls.partial));
    CUDA_CHECK(cudaMalloc(&pulls.whole, n * sizeof *pulls.whole));
    return pulls;
}

static inline void pulls_compute(const struct pulls *pulls, const struct star *stars,
                                 struct pull *felt) {
    int n = pulls->n, blocks = divide_up(n, PULLS_THREADS);

    CUDA_CHECK(cudaMemcpy(pulls->stars, stars, n * sizeof *stars, cudaMemcpyHostToDevice));
    pulls_pack<<<blocks, PULLS_THREADS>>>(pulls->stars, n, pulls->sources);
    CUDA_CHECK(cudaGetLastError());
    pulls_sum<<<dim3(blocks, pulls->parts), PULLS_THREADS>>>(
        pulls->sources, n, pulls->part, pulls->softening_squared, pulls->partial);
    CUDA_CHECK(cudaGetLastError());
    pulls_add<<<blocks, PULLS_THREADS>>>(pulls->partial, n, pulls->parts, pulls->whole);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(felt, pulls->whole, n * sizeof *felt, cudaMemcpyDeviceToHost));
}

static inline void pulls_destroy(struct pulls *pulls) {
    CUDA_CHECK(cudaFree(pulls->stars));
    CUDA_CHECK(cudaFree(pulls->sources));
    CUDA_CHECK(cudaFree(pulls->partial));
    CUDA_CHECK(cudaFree(pulls->whole));
}

#endif
