/* Step 14 with four bodies per thread, and other ways to sum and to load: all terms in one sum,
 * with or without a second sum for the rounding errors; the softening last; tiles by asynchronous
 * copies; own bodies loaded as vectors. The loop and `move` repeat the step's code, since a header
 * of the kit would give away what its learners write. */
#include <cuda_pipeline.h>
#include <math.h>

#include "blocking.h"

#ifndef ONE_SUM
#define ONE_SUM 0 /* 1: all terms of a force go into one sum, without sums of tiles */
#endif
#ifndef ASYNC_COPY
#define ASYNC_COPY 0 /* 1: double buffering of tiles, by asynchronous copies */
#endif
#ifndef PARTS
#define PARTS 0 /* parts of the bodies j; 0: chosen from n and the device */
#endif

enum { BODIES = 4 }; /* per thread */

/* A sum of vectors; `error` is what float has dropped of `value`. */
struct sum {
    float3 value, error;
};

__device__ inline void add_term(float *value, float *error, float term) {
#if defined(COMPENSATED) /* Kahan: the next term brings back what was dropped */
    float old = *value, corrected = term + *error;

    *value = old + corrected;
    *error = corrected - (*value - old);
#elif defined(TWO_FLOATS) /* Knuth: what was dropped, exactly, in a sum of its own */
    float old = *value, added;

    *value = old + term;
    added = *value - old;
    *error += (old - (*value - added)) + (term - added);
#else
    (void)error;
    *value += term;
#endif
}

__device__ inline void add_to(struct sum *sum, float x, float y, float z) {
    add_term(&sum->value.x, &sum->error.x, x);
    add_term(&sum->value.y, &sum->error.y, y);
    add_term(&sum->value.z, &sum->error.z, z);
}

/* See load_own. */
__device__ inline float3 own_of(const float4 *position) {
#ifdef OWN_AS_VECTOR
    float4 own = *position;

    return make_float3(own.x, own.y, own.z);
#else
    return load_own(position);
#endif
}

/* Begins to copy a body of the next tile from global to shared memory, past the registers. */
__device__ inline void begin_copy(float4 *to, const float4 *from) {
    __pipeline_memcpy_async(to, from, sizeof *to);
    __pipeline_commit();
}

/* r^2 + softening, in either way of code 2 of Miki, Takahashi and Mori (2012). */
__device__ inline float square(float dx, float dy, float dz, float softening) {
#ifdef SOFTENING_LAST
    return dx * dx + dy * dy + dz * dz + softening;
#else
    return softening + dx * dx + dy * dy + dz * dz;
#endif
}

/* What the bodies j of part blockIdx.y add to the force on each body, per unit of its mass: the sum
 * of m_j r_ij / (r_ij^2 + softening)^(3/2). A body's own term is zero. Block blockIdx.x has BODIES
 * bodies i per thread; thread t has those at t, t + THREADS, and so on. */
template <int HAS_MASSES>
__global__ void __launch_bounds__(THREADS)
    sum_forces(const float4 *positions, int n, int part, float softening, float3 *forces) {
    __shared__ float4 tiles[1 + ASYNC_COPY][THREADS];
    float3 own[BODIES];
    struct sum total[BODIES] = {};
    int first = blockIdx.x * THREADS * BODIES + threadIdx.x;
    int from = blockIdx.y * part, to = from + part < n ? from + part : n;
    float4 next = {};

    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;
        own[b] = own_of(&positions[i < n ? i : n - 1]);
    }
    if (ASYNC_COPY && from + (int)threadIdx.x < to)
        begin_copy(&tiles[0][threadIdx.x], &positions[from + threadIdx.x]);
    else if (from + (int)threadIdx.x < to)
        next = positions[from + threadIdx.x];
    for (int start = from, place = 0; start < to; start += THREADS, place ^= ASYNC_COPY) {
        int length = to - start < THREADS ? to - start : THREADS;
        float4 *tile = tiles[place];
        struct sum of_tile[BODIES] = {};

        if (ASYNC_COPY) {
            __pipeline_wait_prior(0); /* for its own copy; the barrier is for the others' */
        } else {
            __syncthreads();
            tile[threadIdx.x] = next;
        }
        __syncthreads();
        /* The next tile arrives while this one is summed. */
        if (ASYNC_COPY && start + THREADS + (int)threadIdx.x < to)
            begin_copy(&tiles[place ^ 1][threadIdx.x], &positions[start + THREADS + threadIdx.x]);
        else if (start + THREADS + (int)threadIdx.x < to)
            next = positions[start + THREADS + threadIdx.x];
#pragma unroll 8
        for (int j = 0; j < length; j++) {
            float4 other = tile[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++) {
                float dx = other.x - own[b].x;
                float dy = other.y - own[b].y;
                float dz = other.z - own[b].z;
                float inverse = rsqrtf(square(dx, dy, dz, softening));
                float scale = (HAS_MASSES ? other.w * inverse : inverse) * (inverse * inverse);
                add_to(ONE_SUM ? &total[b] : &of_tile[b], dx * scale, dy * scale, dz * scale);
            }
        }
        for (int b = 0; b < BODIES; b++)
            add_to(&total[b], of_tile[b].value.x, of_tile[b].value.y, of_tile[b].value.z);
    }
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;

        if (i < n)
            forces[(size_t)blockIdx.y * n + i] = make_float3(total[b].value.x + total[b].error.x,
                                                             total[b].value.y + total[b].error.y,
                                                             total[b].value.z + total[b].error.z);
    }
}

/* See blocking.h. */
__global__ void move(struct body *bodies, float4 *positions, const float3 *forces, int n, int parts,
                     float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    struct body body = bodies[i];
    float3 force = forces[i];

    for (int part = 1; part < parts; part++) {
        float3 more = forces[(size_t)part * n + i];
        force.x += more.x;
        force.y += more.y;
        force.z += more.z;
    }
    body.vx += dt * force.x;
    body.vy += dt * force.y;
    body.vz += dt * force.z;
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
    bodies[i] = body;
    positions[i] = make_float4(body.x, body.y, body.z, positions[i].w);
}

static void choose(struct simulation *simulation) {
    enum { BLOCKS_A_MULTIPROCESSOR = 32 };
    int n = simulation->parameters.n, most_parts = divide_up(n, 4 * (int)sqrtf(n));
    int blocks = divide_up(n, THREADS * BODIES), multiprocessors;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    int parts = PARTS ? PARTS : divide_up(BLOCKS_A_MULTIPROCESSOR * multiprocessors, blocks);

    simulation->part = divide_up(n, min(parts, most_parts));
    simulation->grid = dim3(blocks, divide_up(n, simulation->part));
}

static forces_kernel *kernel_for(const struct simulation *simulation) {
    return simulation->masses ? sum_forces<1> : sum_forces<0>;
}
