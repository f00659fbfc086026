/* Step 31: acceleration, jerk, potential and nearest neighbour. The loop over pairs knows no
 * exceptions: it sums a tile as if every source counted. The target itself and a star at its place
 * do not count. Where the tile has one, its sums are thrown away, and a warp computes them again
 * without it. */
#include <math.h>

#include "gravity.h"

#ifndef NEIGHBOUR
#define NEIGHBOUR 1 /* 0: without the nearest neighbour */
#endif
#ifndef JERK
#define JERK 1 /* 0: without the jerk */
#endif

static const int unroll = AT_ONCE; /* the preprocessor expands no macro in a #pragma */

/* The sums for one target over a tile. */
struct sums {
    float3 acceleration, jerk;
    float potential, nearest; /* the potential's negative; the least r^2 */
};

/* A tile of sources in shared memory. */
struct tile {
    float4 high[TILE], low[TILE], motion[TILE];
};

/* What a source of that mass adds at distance r, with relative velocity v. */
__device__ inline void interact(float3 r, float3 v, float mass, float softening2,
                                struct sums *sums) {
    /* part 1, 16 lines: What the source adds to the sums, and the least r^2 so far. */
    float r2 = NEIGHBOUR ? r.x * r.x : softening2 + r.x * r.x, rv = r.x * v.x;
    r2 += r.y * r.y;
    rv += r.y * v.y;
    r2 += r.z * r.z;
    rv += r.z * v.z;
    float inverse = rsqrtf(NEIGHBOUR ? r2 + softening2 : r2), inverse2 = inverse * inverse;
    float potential = mass * inverse, scale = potential * inverse2;
    float approach = -3 * (rv * inverse2);

    sums->potential += potential;
    if (NEIGHBOUR)
        sums->nearest = fminf(sums->nearest, r2);
    if (JERK)
        add(&v, approach, r.x, r.y, r.z);
    add(&sums->acceleration, scale, r.x, r.y, r.z);
    if (JERK)
        add(&sums->jerk, scale, v.x, v.y, v.z);
    /* until solved:
    (void)r, (void)v, (void)mass, (void)softening2, (void)sums;
    */
    /* end of part 1 */
}

/* Sums sources first, first + step ... of a tile once more, for one target, by all lanes of a warp.
 * It leaves out the target itself and, if there is no softening, a star at its place. */
__device__ struct sums sum_again(const struct target *own, const struct tile *tile, int first,
                                 int step, int length, float softening2) {
    struct sums sums = {};

    sums.nearest = INFINITY;
    for (int j = first + threadIdx.x % WARP * step; j < length; j += WARP * step) {
        float3 r = distance(&own->place, tile->high[j], tile->low[j]);
        float4 motion = tile->motion[j];
        float3 v = make_float3(motion.x - own->v.x, motion.y - own->v.y, motion.z - own->v.z);

        /* part 2, 6 lines: Skip the target's own source; if s is 0, only `nearest` changes. */
        if (index_of(tile->low[j]) == own->index)
            continue;
        if (squared(r) + softening2 > 0)
            interact(r, v, tile->high[j].w, softening2, &sums);
        else
            sums.nearest = 0;
        /* until solved:
        interact(r, v, tile->high[j].w, softening2, &sums);
        */
        /* end of part 2 */
    }
    sums.acceleration = over_warp(sums.acceleration);
    sums.jerk = over_warp(sums.jerk);
    sums.potential = over_warp(sums.potential);
    for (int half = WARP / 2; half; half /= 2)
        sums.nearest = fminf(sums.nearest, __shfl_xor_sync(ALL_LANES, sums.nearest, half));
    return sums;
}

/* Totals of a block's threads, in double. */
struct totals {
    double sums[SUMS][BODIES][THREADS];
    float nearest[BODIES][THREADS];
    int tile[BODIES][THREADS];
};

__device__ inline void add_tile(struct totals *totals, int b, const struct sums *sums, int start) {
    double(*total)[BODIES][THREADS] = totals->sums;
    int t = threadIdx.x;

    total[0][b][t] += sums->acceleration.x;
    total[1][b][t] += sums->acceleration.y;
    total[2][b][t] += sums->acceleration.z;
    if (JERK) {
        total[3][b][t] += sums->jerk.x;
        total[4][b][t] += sums->jerk.y;
        total[5][b][t] += sums->jerk.z;
    }
    total[6][b][t] += sums->potential;
    if (NEIGHBOUR && sums->nearest < totals->nearest[b][t]) {
        totals->nearest[b][t] = sums->nearest;
        totals->tile[b][t] = start;
    }
}

/* What the sources of part blockIdx.y add for targets of block blockIdx.x. SHARES threads share the
 * sources of a tile, each for the same BODIES targets. */
template <int SHARES>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sum_part(struct sources sources, int part, const struct particle *targets, int count,
             float softening2, struct partial *partials) {
    enum { COLUMNS = THREADS / SHARES };
    __shared__ struct tile tile;
    __shared__ struct totals totals;
    __shared__ int selves[BODIES * COLUMNS]; /* slots of the targets themselves, as sources */
    int column = threadIdx.x % COLUMNS, share = threadIdx.x / COLUMNS, lane = threadIdx.x % WARP;
    int first = blockIdx.x * COLUMNS * BODIES;
    int from = blockIdx.y * part, to = min(from + part, sources.count);
    struct target own[BODIES];

#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * COLUMNS + column;

        own[b] = load_target(&targets[min(i, count - 1)]);
        for (int s = 0; s < SUMS; s++)
            totals.sums[s][b][threadIdx.x] = 0;
        totals.nearest[b][threadIdx.x] = INFINITY;
        totals.tile[b][threadIdx.x] = -1;
    }
    for (int k = threadIdx.x; k < COLUMNS * BODIES; k += THREADS)
        selves[k] = first + k < count ? slot_of(&sources, targets[first + k].index) : -1;
    for (int start = from; start < to; start += TILE) {
        int length = min(TILE, to - start);
        struct sums sums[BODIES] = {};
        unsigned odd = 0; /* bit b: the sums of body b are not right */

        __syncthreads();
        for (int j = threadIdx.x; j < length; j += THREADS) {
            tile.high[j] = sources.high[start + j];
            tile.low[j] = sources.low[start + j];
            tile.motion[j] = sources.motion[start + j];
        }
        __syncthreads();
#pragma unroll
        for (int b = 0; b < BODIES; b++)
            sums[b].nearest = INFINITY;
#pragma unroll unroll
        for (int j = share; j < length; j += SHARES) {
            float4 high = tile.high[j], motion = tile.motion[j];
            float4 low = POSITIONS == FLOAT ? float4() : tile.low[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++)
                interact(distance(&own[b].place, high, low),
                         make_float3(motion.x - own[b].v.x, motion.y - own[b].v.y,
                                     motion.z - own[b].v.z),
                         high.w, softening2, &sums[b]);
        }
#pragma unroll
        for (int b = 0; b < BODIES; b++) {
            int self = selves[b * COLUMNS + column] - start;
            /* part 3, 2 lines: Right if its own source was not summed and no term is infinite. */
            int is_right = (self < 0 || self >= length || self % SHARES != share) &&
                           isfinite(sums[b].potential);
            /* until solved:
            int is_right = 1 + 0 * self;
            */
            /* end of part 3 */

            if (is_right)
                add_tile(&totals, b, &sums[b], start);
            else
                odd |= 1u << b;
        }
        for (unsigned lanes; (lanes = __ballot_sync(ALL_LANES, odd != 0));) {
            int of_lane = __ffs(lanes) - 1, thread = threadIdx.x - lane + of_lane;
            int b = __ffs(__shfl_sync(ALL_LANES, odd, of_lane)) - 1;
            int i = first + b * COLUMNS + thread % COLUMNS;
            struct target target = load_target(&targets[min(i, count - 1)]);
            struct sums again =
                sum_again(&target, &tile, thread / COLUMNS, SHARES, length, softening2);

            if (lane == of_lane) {
                add_tile(&totals, b, &again, start);
                odd &= odd - 1;
            }
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < COLUMNS * BODIES && first + k < count; k += THREADS) {
        int b = k / COLUMNS, thread = k % COLUMNS;
        struct partial partial = {};

        partial.tile = -1;
        for (int s = 0; s < SHARES; s++, thread += COLUMNS) {
            for (int sum = 0; sum < SUMS; sum++)
                partial.sums[sum] += totals.sums[sum][b][thread];
            take_nearer(&partial.nearest, &partial.tile, totals.nearest[b][thread],
                        totals.tile[b][thread]);
        }
        partials[(size_t)(first + k) * gridDim.y + blockIdx.y] = partial;
    }
}

/* A warp per target adds up the parts, always in the same order, and looks for the neighbour in the
 * tile that has it. */
__global__ void add_parts(struct sources sources, const struct particle *targets, int count,
                          const struct partial *partials, int parts, struct force *forces) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    struct partial all = {};
    float nearest = 0;
    int slot = -1;

    if (i >= count)
        return;
    all.tile = -1;
    /* part 4, 8 lines: Lane l takes parts l, l + 32 ...; then the lanes add up what they have. */
    for (int part = lane; part < parts; part += WARP) {
        struct partial more = partials[(size_t)i * parts + part];

        for (int s = 0; s < SUMS; s++)
            all.sums[s] += more.sums[s];
        take_nearer(&all.nearest, &all.tile, more.nearest, more.tile);
    }
    for (int s = 0; s < SUMS; s++)
        all.sums[s] = over_warp(all.sums[s]);
    /* until solved:
    (void)partials, (void)parts;
    */
    /* end of part 4 */
    for (int half = WARP / 2; half; half /= 2)
        take_nearer(&all.nearest, &all.tile, __shfl_xor_sync(ALL_LANES, all.nearest, half),
                    __shfl_xor_sync(ALL_LANES, all.tile, half));
    struct target own = load_target(&targets[i]);
    int end = all.tile < 0 ? -1 : min(all.tile + TILE, sources.count);

    for (int j = all.tile + lane; j < end; j += WARP)
        if (index_of(sources.low[j]) != own.index)
            take_nearer(&nearest, &slot,
                        squared(distance(&own.place, sources.high[j], sources.low[j])), j);
    for (int half = WARP / 2; half; half /= 2)
        take_nearer(&nearest, &slot, __shfl_xor_sync(ALL_LANES, nearest, half),
                    __shfl_xor_sync(ALL_LANES, slot, half));
    if (lane == 0) {
        struct force force = {{all.sums[0], all.sums[1], all.sums[2]},
                              {all.sums[3], all.sums[4], all.sums[5]},
                              -all.sums[6],
                              slot < 0 ? -1 : index_of(sources.low[slot])};
        forces[i] = force;
    }
}

static sum_kernel *kernel_for(int shares) {
    return shares == 1   ? sum_part<1>
           : shares == 2 ? sum_part<2>
           : shares == 8 ? sum_part<8>
                         : sum_part<32>;
}

/* The contract's functions are in gravity.h. */
