/* Step 15: several threads share a body, lanes of a warp and then warps of a block, so that few
 * bodies fill the GPU; and an iteration is one launch, or less. */
#define LANES 32 /* neighbours of a warp that share a body: 1, 2, 4, 8, 16 or 32 */

#include "launches.h"

#ifndef POTENTIAL
#define POTENTIAL 0 /* 1: computes the potential of each body, too */
#endif
#define ALL_LANES 0xffffffffu

enum { COMPONENTS = 4 }; /* of a force: x, y, z; the fourth is the potential or nothing */

/* Adds up the VALUES values of each of the LANES lanes of a group into `sums`, without a barrier of
 * the block. */
template <int VALUES> __device__ void add_up(float *values, int lane, float *sums) {
    enum { KEPT = VALUES > LANES ? VALUES / LANES : 1 };

#pragma unroll
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        int half = VALUES * distance / LANES; /* of the values that this lane still adds up */
        bool upper = lane & distance;

#pragma unroll
        for (int k = 0; k < VALUES / 2; k++) {
            if (k >= half)
                break;
            float low = values[k], high = values[k + half];

            /* part 1, 2 lines: Two lanes swap: one keeps the lower half, one the upper. */
            /* until solved */
            (void)upper, (void)low, (void)high;
            /* end of until solved */
            /* end of part 1 */
        }
        if (half == 0)
            values[0] += __shfl_xor_sync(ALL_LANES, values[0], distance);
    }
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (lane * VALUES % LANES == 0) /* more lanes than values: neighbours hold the same */
            sums[lane * VALUES / LANES + k] = values[k];
    __syncwarp();
}

/* One iteration of the bodies of a block: the force on each, per unit of its mass, is the sum of
 * m_j r_ij / (r_ij^2 + softening)^(3/2), where its own term is zero; v += dt F, next = x + dt v. */
template <int BODIES, int HAS_MASSES>
__device__ void advance(const struct job &job, const float4 *positions, float4 *next, int block) {
    /* Bodies j per iteration of the unrolled loop: with these numbers nvcc 13.0 does not put their
     * roots one right after the other for sm_90. */
    enum { TURN = BODIES == 8 && !HAS_MASSES ? 2 : 4 };
    enum { VALUES = COMPONENTS * BODIES };
    __shared__ float sums[THREADS / LANES][VALUES];
    int lane = threadIdx.x % LANES, worker = threadIdx.x / LANES;
    int group = worker % job.groups, row = worker / job.groups;
    int first = (block * job.groups + group) * BODIES;
    float x[BODIES], y[BODIES], z[BODIES], values[VALUES] = {};

#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        int i = first + b < job.n ? first + b : job.n - 1;
        const float *own = &positions[i].x; /* one by one: step 14 says why not as a vector */

        x[b] = own[0], y[b] = own[1], z[b] = own[2];
    }
    /* part 2, 2 lines: This thread's first body j, and how many threads share the bodies j. */
    /* until solved */
    int share = 0, shares = job.sources;
    /* end of until solved */
    /* end of part 2 */
    float4 later = positions[share]; /* L1 does what a tile would */
#pragma unroll TURN
    for (int j = share; j < job.sources; j += shares) {
        float4 other = later;

        later = positions[j + shares]; /* arrives while this one is summed */
#pragma unroll
        for (int b = 0; b < BODIES; b++) {
            float dx = other.x - x[b];
            float dy = other.y - y[b];
            float dz = other.z - z[b];
            float inverse = rsqrtf(job.softening + dx * dx + dy * dy + dz * dz);
            float weighted = HAS_MASSES ? other.w * inverse : inverse;
            float scale = weighted * (inverse * inverse);

            values[COMPONENTS * b] += dx * scale;
            values[COMPONENTS * b + 1] += dy * scale;
            values[COMPONENTS * b + 2] += dz * scale;
            if (POTENTIAL)
                values[COMPONENTS * b + 3] -= weighted; /* the body's own term, too */
        }
    }
    add_up<VALUES>(values, lane, sums[worker]);
    if (job.rows > 1)
        __syncthreads();
    for (int k = lane; row == 0 && k < VALUES; k += LANES) {
        int i = first + k / COMPONENTS, component = k % COMPONENTS;
        float force = 0;

        /* part 3, 2 lines: Add the sums of all rows, in their order. */
        /* end of part 3 */
        apply(job, next, i, component, force);
    }
}

static iterate_kernel *kernel_for(int bodies_a_thread, int has_masses) {
    static iterate_kernel *const kernels[][2] = {{iterate<1, 0>, iterate<1, 1>},
                                                 {iterate<2, 0>, iterate<2, 1>},
                                                 {iterate<4, 0>, iterate<4, 1>},
                                                 {iterate<8, 0>, iterate<8, 1>}};

    return kernels[__builtin_ctz(bodies_a_thread)][has_masses];
}

/* The contract's functions are in launches.h: simulation_run, simulation_forces and the others. */
