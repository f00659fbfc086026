/* Step 15 through tiles, as in the papers: with ONE_BODY one body per thread and tiles of 256. The
 * sums come together by rows of a block (GPU Gems 3), by an exchange through shared memory (Miki
 * 2012) or by shuffles. The shuffles and the loop repeat the step's code, since a header of the kit
 * would give away what its learners write. */
#ifndef LANES
#define LANES 32 /* neighbours of a warp that share a body: 1, 2, 4, 8, 16 or 32 */
#endif
#ifndef TILE
#define TILE 256
#endif
#if defined(ONE_BODY) && !defined(ROWS)
#define ROWS 1
#endif

#include "launches.h"

#define ALL_LANES 0xffffffffu

enum {
    COMPONENTS = 4, /* of a force: x, y, z; the fourth is nothing */
#ifdef EXCHANGE
    QUADS = LANES > COMPONENTS ? LANES / COMPONENTS : 1
#else
    QUADS = 1
#endif
};

/* Adds up the VALUES values of each of the LANES lanes of a group into `sums`, without a barrier of
 * the block. */
template <int VALUES> __device__ void add_up(float *values, int lane, float *sums) {
#ifdef EXCHANGE
    /* Code 1 of Miki (2012): the lanes of a quad add to different components at any time. On the
     * GPUs of 2012 one turn ended before the next began; now __syncwarp has to make it so. */
    float *quad = sums + lane / COMPONENTS * VALUES;

#pragma unroll
    for (int body = 0; body < VALUES; body += COMPONENTS) {
#ifdef LOCAL_MEMORY
        const float *own = values + body; /* indexed by c, these lie in local memory */
#else
        float own[COMPONENTS] = {values[body], values[body + 1], values[body + 2],
                                 values[body + 3]};
#endif

        for (int turn = 0; turn < COMPONENTS; turn++) {
            int c = (lane ^ turn) % COMPONENTS;
            quad[body + c] = own[c] + (turn % LANES ? quad[body + c] : 0);
            __syncwarp();
        }
    }
    for (int half = QUADS / 2; half > 0; half /= 2) {
        for (int k = lane % COMPONENTS; lane / COMPONENTS < half && k < VALUES; k += COMPONENTS)
            quad[k] += quad[half * VALUES + k];
        __syncwarp();
    }
#else
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

            float other = __shfl_xor_sync(ALL_LANES, upper ? low : high, distance);
            values[k] = other + (upper ? high : low);
        }
        if (half == 0)
            values[0] += __shfl_xor_sync(ALL_LANES, values[0], distance);
    }
#pragma unroll
    for (int k = 0; k < KEPT; k++)
        if (lane * VALUES % LANES == 0) /* more lanes than values: neighbours hold the same */
            sums[lane * VALUES / LANES + k] = values[k];
    __syncwarp();
#endif
}

/* One iteration of the bodies of a block: the force on each, per unit of its mass, is the sum of
 * m_j r_ij / (r_ij^2 + softening)^(3/2), where its own term is zero; v += dt F, next = x + dt v. */
template <int BODIES, int HAS_MASSES>
__device__ void advance(const struct job &job, const float4 *positions, float4 *next, int block) {
    enum { VALUES = COMPONENTS * BODIES };
    __shared__ float sums[THREADS / LANES][QUADS * VALUES];
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
    int share = row * LANES + lane;
    int shares = job.rows * LANES;
    __shared__ float4 tile[TILE];

    for (int start = 0; start < job.sources; start += TILE) {
        int length = min(job.sources - start, TILE);

        __syncthreads();
        for (int slot = threadIdx.x; slot < length; slot += blockDim.x)
            tile[slot] = positions[start + slot];
        __syncthreads();
#pragma unroll 4
        for (int j = share; j < length; j += shares) {
            float4 other = tile[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++) {
                float dx = other.x - x[b];
                float dy = other.y - y[b];
                float dz = other.z - z[b];
#ifdef SOFTENING_LAST
                float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + job.softening);
#else
                float inverse = rsqrtf(job.softening + dx * dx + dy * dy + dz * dz);
#endif
                float weighted = HAS_MASSES ? other.w * inverse : inverse;
                float scale = weighted * (inverse * inverse);

                values[COMPONENTS * b] += dx * scale;
                values[COMPONENTS * b + 1] += dy * scale;
                values[COMPONENTS * b + 2] += dz * scale;
            }
        }
    }
    add_up<VALUES>(values, lane, sums[worker]);
    if (job.rows > 1)
        __syncthreads();
    for (int k = lane; row == 0 && k < VALUES; k += LANES) {
        int i = first + k / COMPONENTS, component = k % COMPONENTS;
        float force = 0;

        for (int r = 0; r < job.rows; r++)
            force += sums[r * job.groups + group][k];
        apply(job, next, i, component, force);
    }
}

/* Indexed by log2 of the bodies per thread, and by whether there are masses. */
static iterate_kernel *const kernels[][2] = {
    {iterate<1, 0>, iterate<1, 1>},
#ifndef ONE_BODY
    {iterate<2, 0>, iterate<2, 1>},
    {iterate<4, 0>, iterate<4, 1>},
    {iterate<8, 0>, iterate<8, 1>},
#endif
};

static iterate_kernel *kernel_for(int bodies_a_thread, int has_masses) {
    return kernels[__builtin_ctz(bodies_a_thread)][has_masses];
}
