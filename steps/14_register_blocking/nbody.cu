/* Step 14: each thread keeps several bodies i in registers, and the grid shares out the bodies i
 * and the bodies j. A block has THREADS threads, and a tile as many bodies. */
#include <math.h>

#include "blocking.h"

#ifndef BODIES_A_THREAD
#define BODIES_A_THREAD 0 /* chosen from n and the device */
#endif

/* What the bodies j of part blockIdx.y add to the force on each body, per unit of its mass: the sum
 * of m_j r_ij / (r_ij^2 + softening)^(3/2). A body's own term is zero. Block blockIdx.x has BODIES
 * bodies i per thread; thread t has those at t, t + THREADS, and so on. */
template <int BODIES, int HAS_MASSES>
__global__ void __launch_bounds__(THREADS)
    sum_forces(const float4 *positions, int n, int part, float softening, float3 *forces) {
    __shared__ float4 tile[THREADS];
    float3 own[BODIES];
    float3 total[BODIES] = {};
    int first = blockIdx.x * THREADS * BODIES + threadIdx.x;
    int from = blockIdx.y * part, to = from + part < n ? from + part : n;
    float4 next = {};

    /* part 1, 4 lines: Load the thread's own bodies; for those beyond n, load the last body. */
    /* until solved */
    for (int b = 0; b < BODIES; b++)
        own[b] = load_own(&positions[0]);
    /* end of until solved */
    /* end of part 1 */
    if (from + (int)threadIdx.x < to)
        next = positions[from + threadIdx.x];
    for (int start = from; start < to; start += THREADS) {
        int length = to - start < THREADS ? to - start : THREADS;
        float3 of_tile[BODIES] = {};

        __syncthreads();
        tile[threadIdx.x] = next;
        __syncthreads();
        if (start + THREADS + (int)threadIdx.x < to) /* arrives while this one is summed */
            next = positions[start + THREADS + threadIdx.x];
#pragma unroll 8
        for (int j = 0; j < length; j++) {
            float4 other = tile[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++) {
                /* part 2, 6 lines: What body j adds to the force on own body b. */
                /* until solved */
                (void)&other, (void)&own, (void)softening;
                /* end of until solved */
                /* end of part 2 */
            }
        }
        /* part 3, 2 lines: Add the tile's sums to the totals. */
        /* until solved */
        (void)&of_tile;
        /* end of until solved */
        /* end of part 3 */
    }
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;

        if (i < n)
            forces[(size_t)blockIdx.y * n + i] = total[b];
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

    /* part 4, 6 lines: Add the other parts of the force, in their order. */
    /* until solved */
    (void)parts;
    /* end of until solved */
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

/* More bodies per thread need fewer loads, but make fewer blocks; a full GPU comes first. The time
 * for the forces grows with the length of a part, the time to add up the parts with their number:
 * the total is least where both are about sqrt(n). */
static void choose(struct simulation *simulation) {
    enum { BLOCKS_A_MULTIPROCESSOR = 32 };
    int n = simulation->parameters.n, shortest_part = 4 * (int)sqrtf(n);
    int most_parts = divide_up(n, shortest_part), multiprocessors, bodies;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    /* part 5, 3 lines: 4 bodies, 8 without masses; halved while half the GPU has no block. */
    /* until solved */
    bodies = 1, (void)most_parts;
    /* end of until solved */
    /* end of part 5 */
    bodies = BODIES_A_THREAD ? BODIES_A_THREAD : bodies;

    int blocks = divide_up(n, THREADS * bodies);
    int parts = divide_up(BLOCKS_A_MULTIPROCESSOR * multiprocessors, blocks);

    simulation->bodies_a_thread = bodies;
    simulation->part = divide_up(n, parts < most_parts ? parts : most_parts);
    simulation->grid = dim3(blocks, divide_up(n, simulation->part));
}

static forces_kernel *kernel_for(const struct simulation *simulation) {
    static forces_kernel *const kernels[][2] = {{sum_forces<1, 0>, sum_forces<1, 1>},
                                                {sum_forces<2, 0>, sum_forces<2, 1>},
                                                {sum_forces<4, 0>, sum_forces<4, 1>},
                                                {sum_forces<8, 0>, sum_forces<8, 1>}};

    return kernels[__builtin_ctz(simulation->bodies_a_thread)][simulation->masses != NULL];
}

/* The contract's functions are in blocking.h. */
