/* Step 14: each thread keeps several bodies in registers, and the grid shares out both sides of the
 * sum. A block has THREADS threads, and a tile as many bodies. */
#include <cuda_pipeline.h>
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody_masses.h"

#ifndef ONE_SUM
#define ONE_SUM 0 /* 1: all terms of a force go into one sum, without sums of tiles */
#endif
#ifndef ASYNC_COPY
#define ASYNC_COPY 0 /* 1: tiles come to shared memory by asynchronous copies, in two places */
#endif
#ifndef BODIES_A_THREAD
#define BODIES_A_THREAD 0 /* 0: chosen from n and the device */
#endif
#ifndef PARTS
#define PARTS 0 /* the same */
#endif

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

__device__ inline void add(struct sum *sum, float x, float y, float z) {
    add_term(&sum->value.x, &sum->error.x, x);
    add_term(&sum->value.y, &sum->error.y, y);
    add_term(&sum->value.z, &sum->error.z, z);
}

/* A float4 goes to four registers in a row, as body j does: of the difference of two such vectors
 * both operands lie in the same bank of registers, which takes two cycles. Three single loads leave
 * the compiler free to choose. */
__device__ inline float3 load_own(const float4 *position) {
#ifdef OWN_AS_VECTOR
    float4 own = *position;

    return make_float3(own.x, own.y, own.z);
#else
    const float *own = &position->x;

    return make_float3(own[0], own[1], own[2]);
#endif
}

/* Begins to copy a body of the next tile from global to shared memory, past the registers. */
__device__ inline void begin_copy(float4 *to, const float4 *from) {
    __pipeline_memcpy_async(to, from, sizeof *to);
    __pipeline_commit();
}

/* r^2 + softening, both ways of code 2 of Miki, Takahashi and Mori (2012). */
__device__ inline float square(float dx, float dy, float dz, float softening) {
#ifdef SOFTENING_LAST
    return dx * dx + dy * dy + dz * dz + softening;
#else
    return softening + dx * dx + dy * dy + dz * dz;
#endif
}

/* What the bodies j of part blockIdx.y add to the force on each body, a unit of its mass: the sum
 * of m_j r_ij / (r_ij^2 + softening)^(3/2). A body's own term is zero. Block blockIdx.x has
 * THREADS * BODIES bodies i; thread t has those at t, t + THREADS, and so on. */
template <int BODIES, int HAS_MASSES>
__global__ void __launch_bounds__(THREADS)
    sum_forces(const float4 *positions, int n, int part, float softening, float3 *forces) {
    __shared__ float4 tiles[1 + ASYNC_COPY][THREADS];
    float3 own[BODIES];
    struct sum total[BODIES] = {};
    int first = blockIdx.x * THREADS * BODIES + threadIdx.x;
    int from = blockIdx.y * part, to = from + part < n ? from + part : n;
    float4 next = {};

    /* part 1, 4 lines: The thread's own bodies; the last body for those beyond n. */
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;
        own[b] = load_own(&positions[i < n ? i : n - 1]);
    }
    /* until solved:
    for (int b = 0; b < BODIES; b++)
        own[b] = load_own(&positions[0]);
    */
    /* end of part 1 */
    if (ASYNC_COPY && from + (int)threadIdx.x < to)
        begin_copy(&tiles[0][threadIdx.x], &positions[from + threadIdx.x]);
    else if (from + (int)threadIdx.x < to)
        next = positions[from + threadIdx.x];
    for (int start = from, place = 0; start < to; start += THREADS, place ^= ASYNC_COPY) {
        int length = to - start < THREADS ? to - start : THREADS;
        float4 *tile = tiles[place];
        struct sum of_tile[BODIES] = {};

        if (ASYNC_COPY) {
            __pipeline_wait_prior(0); /* for the thread's own copy; the barrier, for those of all */
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
                /* part 2, 6 lines: What body j adds to the force on own body b. */
                float dx = other.x - own[b].x;
                float dy = other.y - own[b].y;
                float dz = other.z - own[b].z;
                float inverse = rsqrtf(square(dx, dy, dz, softening));
                float scale = (HAS_MASSES ? other.w * inverse : inverse) * (inverse * inverse);
                add(ONE_SUM ? &total[b] : &of_tile[b], dx * scale, dy * scale, dz * scale);
                /* until solved:
                (void)&other, (void)&own, (void)softening;
                */
                /* end of part 2 */
            }
        }
        /* part 3, 2 lines: The tile's sums go into the totals. */
        for (int b = 0; b < BODIES; b++)
            add(&total[b], of_tile[b].value.x, of_tile[b].value.y, of_tile[b].value.z);
        /* until solved:
        (void)&of_tile;
        */
        /* end of part 3 */
    }
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;

        if (i < n)
            forces[(size_t)blockIdx.y * n + i] = make_float3(total[b].value.x + total[b].error.x,
                                                             total[b].value.y + total[b].error.y,
                                                             total[b].value.z + total[b].error.z);
    }
}

/* v += dt F and x += dt v for every body. F is the sum over the parts in their order: the same bits
 * every time, which atomic additions would not give. */
__global__ void move(struct body *bodies, float4 *positions, const float3 *forces, int n, int parts,
                     float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    struct body body = bodies[i];
    float3 force = forces[i];

    /* part 4, 6 lines: The other parts of the force. */
    for (int part = 1; part < parts; part++) {
        float3 more = forces[(size_t)part * n + i];
        force.x += more.x;
        force.y += more.y;
        force.z += more.z;
    }
    /* until solved:
    (void)parts;
    */
    /* end of part 4 */
    body.vx += dt * force.x;
    body.vy += dt * force.y;
    body.vz += dt * force.z;
    body.x += dt * body.vx;
    body.y += dt * body.vy;
    body.z += dt * body.vz;
    bodies[i] = body;
    positions[i] = make_float4(body.x, body.y, body.z, positions[i].w);
}

__global__ void set_positions(const struct body *bodies, const float *masses, int n,
                              float4 *positions) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        positions[i] = make_float4(bodies[i].x, bodies[i].y, bodies[i].z, masses ? masses[i] : 1);
}

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    /* On the device: */
    struct body *bodies;
    float *body_masses;        /* NULL as masses */
    float4 *positions;         /* the mass as w */
    float3 *forces;            /* grid.y x n: what each part of the bodies j adds up to */
    int bodies_a_thread, part; /* bodies i a thread, bodies j a part */
    dim3 grid;                 /* blocks, and parts */
};

static int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* Few loads want many bodies a thread; a full GPU wants many blocks, and goes first. The forces
 * take time in the length of a part and their sum in the number of parts: both together are least
 * at about sqrt(n) of each. */
static void choose(struct simulation *simulation) {
    enum { BLOCKS_A_MULTIPROCESSOR = 32 };
    int n = simulation->parameters.n, shortest_part = 4 * (int)sqrtf(n);
    int most_parts = divide_up(n, shortest_part), multiprocessors, bodies;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    /* part 5, 3 lines: 4, or 8 without masses; fewer while half the GPU would get no block. */
    bodies = simulation->masses ? 4 : 8;
    while (bodies > 1 && 2 * divide_up(n, THREADS * bodies) * most_parts < multiprocessors)
        bodies /= 2;
    /* until solved:
    bodies = 1, (void)most_parts;
    */
    /* end of part 5 */
    bodies = BODIES_A_THREAD ? BODIES_A_THREAD : bodies;

    int blocks = divide_up(n, THREADS * bodies);
    int parts = PARTS ? PARTS : divide_up(BLOCKS_A_MULTIPROCESSOR * multiprocessors, blocks);

    simulation->bodies_a_thread = bodies;
    simulation->part = divide_up(n, parts < most_parts ? parts : most_parts);
    simulation->grid = dim3(blocks, divide_up(n, simulation->part));
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    choose(simulation);
    CUDA_CHECK(cudaMalloc(&simulation->bodies, n * sizeof *simulation->bodies));
    if (masses)
        CUDA_CHECK(cudaMalloc(&simulation->body_masses, n * sizeof *masses));
    CUDA_CHECK(cudaMalloc(&simulation->positions, n * sizeof *simulation->positions));
    CUDA_CHECK(
        cudaMalloc(&simulation->forces, simulation->grid.y * n * sizeof *simulation->forces));
    return simulation;
}

typedef void forces_kernel(const float4 *, int, int, float, float3 *);

/* The forces, then one time step. */
static void advance(struct simulation *simulation, float dt) {
    static forces_kernel *const kernels[][2] = {{sum_forces<1, 0>, sum_forces<1, 1>},
                                                {sum_forces<2, 0>, sum_forces<2, 1>},
                                                {sum_forces<4, 0>, sum_forces<4, 1>},
                                                {sum_forces<8, 0>, sum_forces<8, 1>}};
    int power = __builtin_ctz(simulation->bodies_a_thread), n = simulation->parameters.n;
    forces_kernel *sum = kernels[power][simulation->masses != NULL];

    sum<<<simulation->grid, THREADS>>>(simulation->positions, n, simulation->part,
                                       simulation->parameters.softening, simulation->forces);
    CUDA_CHECK(cudaGetLastError());
    move<<<divide_up(n, THREADS), THREADS>>>(simulation->bodies, simulation->positions,
                                             simulation->forces, n, simulation->grid.y, dt);
    CUDA_CHECK(cudaGetLastError());
}

int simulation_run(struct simulation *simulation, int iterations) {
    int n = simulation->parameters.n;
    size_t bytes = n * sizeof *simulation->bodies;

    CUDA_CHECK(cudaMemcpy(simulation->bodies, simulation->in, bytes, cudaMemcpyHostToDevice));
    if (simulation->masses)
        CUDA_CHECK(cudaMemcpy(simulation->body_masses, simulation->masses, n * sizeof(float),
                              cudaMemcpyHostToDevice));
    set_positions<<<divide_up(n, THREADS), THREADS>>>(simulation->bodies, simulation->body_masses,
                                                      n, simulation->positions);
    CUDA_CHECK(cudaGetLastError());
    for (int iteration = 0; iteration < iterations; iteration++)
        advance(simulation, simulation->parameters.dt);
    CUDA_CHECK(cudaMemcpy(simulation->out, simulation->bodies, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

/* The sum over the parts belongs to a force; a time step of 0 moves nobody. */
void simulation_forces(struct simulation *simulation, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++)
        advance(simulation, 0);
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->bodies));
    CUDA_CHECK(cudaFree(simulation->body_masses));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->forces));
    free(simulation);
}
