/* Step 16: distances and sums of force as products of matrices on tensor cores, and one root for
 * both bodies of a pair. */
#include "fragments.h"
#include "sorted_sums.h"

/* A force is summed in integers, so the sum is the same in whatever order blocks add. */
__device__ static void add_force(unsigned long long *sums, int room, int i, float scale, float x,
                                 float y, float z) {
    if (FLOAT_SUMS) {
        add_vector((float4 *)sums + i, make_float4(scale * x, scale * y, scale * z, 0));
        return;
    }
    /* part 1, 3 lines: x, y and z, scaled and rounded, are added as integers. */
    /* until solved */
    (void)sums, (void)room, (void)i, (void)scale, (void)x, (void)y, (void)z;
    /* end of until solved */
    /* end of part 1 */
}

/* r^2 + softening of 16 bodies i and 8 bodies j is |x_i|^2 + softening + |x_j|^2 - 2 x_i x_j: the
 * product of rows and columns
 *
 *     body i   xh xh  xl xl  yh yh  yl yl   zh zh  zl zl  1  1   1  0     x = xh + xl
 *     body j  -2 (xh xl  xh xl  yh yl  yh yl   zh zl  zh zl) s1 s2  s3 0   |x|^2 = s1 + s2 + s3
 *
 * plus C, which begins as |x_i|^2 + softening. */
__device__ static void set_rows(struct strip *strip, int third, int lower, float4 body,
                                float softening) {
    unsigned x = in_two_halves(body.x), y = in_two_halves(body.y), z = in_two_halves(body.z);
    float2 xs = unpack_halves(x), ys = unpack_halves(y), zs = unpack_halves(z);

    /* part 2, 4 lines: Body i's row: columns 2 third and 2 third + 1, then those 8 further on. */
    /* until solved */
    (void)xs, (void)ys, (void)zs, (void)third;
    strip->rows[lower] = strip->rows[lower + 2] = one_of(0, 0, 0, 0, 0);
    /* end of until solved */
    /* end of part 2 */
    strip->squares[2 * lower] = strip->squares[2 * lower + 1] =
        body.x * body.x + body.y * body.y + body.z * body.z + softening;
}

__device__ static void set_column(struct tile *tile, int j, float4 body) {
    float square = body.x * body.x + body.y * body.y + body.z * body.z;
    unsigned s1_s2 = in_two_halves(square), two_x = in_two_halves(-2 * body.x),
             two_y = in_two_halves(-2 * body.y), two_z = in_two_halves(-2 * body.z);
    float s3 = square - unpack_halves(s1_s2).x - unpack_halves(s1_s2).y;
    uint2 *column = (uint2 *)&tile->columns[j / 16][j % 8 * 4] + j / 8 % 2;

    /* part 3, 4 lines: The b[0] and b[1] of body j's column, for `third` = 0, 1, 2 and 3. */
    /* until solved */
    (void)two_x, (void)two_y, (void)two_z, (void)s3;
    column[0] = column[2] = column[4] = column[6] = make_uint2(0, 0);
    /* end of until solved */
    /* end of part 3 */
}

/* s = (r^2 + softening)^(-3/2) for 16 bodies i and 8 bodies j. */
__device__ static void forces_of_tile(float s[4], const struct strip *strip, unsigned low,
                                      unsigned high) {
    /* part 4, 7 lines: r^2 + softening of the tile as one product, and s of each. */
    /* until solved */
    (void)strip, (void)low, (void)high;
    s[0] = s[1] = s[2] = s[3] = 0;
    /* end of until solved */
    /* end of part 4 */
}

/* A warp's strips against the tile. The fragments in which one product leaves S are those in which
 * the next one takes A, in halves. With HALVES = 2 a second product adds what the rounding to
 * halves has dropped. With DIAGONAL the strips are bodies of the tile, from `own` on. A body's own
 * term pulls nothing, but its r^-3 is the largest of all: in sums that are truncated the others
 * would be lost beside it, so it is left out. */
template <int HALVES, int DIAGONAL>
__device__ static void sum_tile(struct strip strips[STRIPS], struct tile *tile, int warp, int lane,
                                int own) {
    int group = lane / 4, third = lane % 4;

#pragma unroll 1
    for (int q = 0; q < THREADS / 16; q++) {
        uint4 columns = tile->columns[q][lane];
        uint2 pairs = tile->weights[q][lane];
        unsigned weights[2] = {pairs.x, pairs.y};
        float left[4] = {}, right[4] = {}; /* forces on bodies 0 to 7, and 8 to 15 */

#pragma unroll
        for (int k = 0; k < STRIPS; k++) {
            struct strip *strip = &strips[k];
            float s[2][4];
            unsigned rounded[4];

            forces_of_tile(s[0], strip, columns.x, columns.y);
            forces_of_tile(s[1], strip, columns.z, columns.w);
            if (DIAGONAL)
#pragma unroll
                for (int e = 0; e < 8; e++)
                    if (16 * q + e / 4 * 8 + 2 * third + e % 2 ==
                        own + 16 * k + group + e / 2 % 2 * 8)
                        s[e / 4][e % 4] = 0;
#pragma unroll
            for (int half = 0; half < HALVES; half++) {
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    float *pair = &s[r / 2][r % 2 * 2];

                    if (half)
                        pair[0] -= unpack_halves(rounded[r]).x,
                            pair[1] -= unpack_halves(rounded[r]).y;
                    rounded[r] = pack_halves(pair[0], pair[1]);
                }
                /* part 5, 1 line: What the 16 bodies j add to the strip's sums. */
                /* until solved */
                (void)weights;
                /* end of until solved */
                /* end of part 5 */
                if (THIRD_LAW) {
                    unsigned transposed[4];

                    /* part 6, 3 lines: What the strip adds to bodies j: 0 to 7, and 8 to 15. */
                    /* until solved */
                    (void)transposed;
                    /* end of until solved */
                    /* end of part 6 */
                }
            }
        }
        if (THIRD_LAW && group < 4) {
            float *sums = &tile->sums[warp][group][16 * q + 2 * third];

            *(float2 *)sums = make_float2(left[0] + left[2], left[1] + left[3]);
            *(float2 *)(sums + 8) = make_float2(right[0] + right[2], right[1] + right[3]);
        }
    }
}

/* All groups form a ring. Returns how many groups after its own a block goes through: half of them,
 * so that each pair of groups meets once. */
__device__ static int groups_after(int group, int groups) {
    if (!THIRD_LAW)
        return groups - 1;
    /* part 7, 1 line: Half of the other groups; if their number is odd, some meet one more. */
    /* until solved */
    (void)group;
    return 0;
    /* end of until solved */
    /* end of part 7 */
}

/* Forces on and by group blockIdx.x: part blockIdx.y of the tiles it goes through. */
__global__ void __launch_bounds__(THREADS, 4)
    sum_on_tensor_cores(const float4 *bodies, const float4 *boxes, struct scales scales, int room,
                        unsigned long long *sums) {
    __shared__ struct tile tile;
    enum { TILES = GROUP / THREADS }; /* per group */
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, third = lane % 4;
    int groups = gridDim.x, own = blockIdx.x;
    int first = own * GROUP + warp * 16 * STRIPS;
    long tiles = TILES * (1 + groups_after(own, groups));
    int from = (int)(tiles * blockIdx.y / gridDim.y),
        to = (int)(tiles * (blockIdx.y + 1) / gridDim.y);
    float4 box = boxes[own];
    struct strip strips[STRIPS];

#pragma unroll
    for (int k = 0; k < STRIPS; k++) {
        const float4 *of_strip = bodies + first + 16 * k;

#pragma unroll
        for (int half = 0; half < 2; half++) {
            const float4 *pair = of_strip + 2 * third + 8 * half;

            set_rows(&strips[k], third, half, scaled(of_strip[group + 8 * half], box, scales),
                     scales.softening);
            set_own_weights(&strips[k], group, half, scaled(pair[0], box, scales),
                            scaled(pair[1], box, scales));
        }
        for (int e = 0; e < 4; e++)
            strips[k].totals[e] = strips[k].sums[e] = 0;
    }
    for (int step = from; step < to; step++) {
        int distance = step / TILES, other = (own + distance) % groups;
        int j = other * GROUP + step % TILES * THREADS + threadIdx.x;
        float4 body = scaled(bodies[j], box, scales);

        __syncthreads(); /* the tile before is done */
        set_column(&tile, threadIdx.x, body);
        set_weights(&tile, threadIdx.x, body);
        __syncthreads();
        if (!distance)
            sum_tile<HALVES_NEARBY, 1>(strips, &tile, warp, lane,
                                       16 * STRIPS * warp - step % TILES * THREADS);
        else if (HALVES_NEARBY == 2 && touch(box, boxes[other]))
            sum_tile<2, 0>(strips, &tile, warp, lane, 0);
        else
            sum_tile<1, 0>(strips, &tile, warp, lane, 0);
        /* Sums on tensor cores are cut off, not rounded, so only one tile is added there. */
        for (int k = 0; k < STRIPS; k++)
            for (int e = 0; e < 4; e++) {
                /* part 8, 2 lines: The tile's sum goes to the total; the next one begins anew. */
                /* end of part 8 */
            }
        if (!THIRD_LAW || !distance) /* the own group has all pairs in both orders */
            continue;
        __syncthreads();
        float f[4] = {};

#pragma unroll
        for (int e = 0; e < 4; e++)
            for (int w = 0; w < WARPS; w++)
                f[e] += tile.sums[w][e][threadIdx.x];
        body = scaled(bodies[j], box, scales); /* loaded again: in between, registers are scarce */
        add_force(sums, room, j, scales.force, f[0] - body.x * f[3], f[1] - body.y * f[3],
                  f[2] - body.z * f[3]);
    }
#pragma unroll
    for (int k = 0; k < STRIPS; k++)
        add_strip(sums, room, bodies, first + 16 * k, &strips[k], box, scales);
}

static void sum_forces(struct simulation *simulation) {
    int room = simulation->room;

    sorter_arrange(&simulation->sorter, simulation->positions, room, GROUP, simulation->sorted,
                   simulation->boxes);
    CUDA_CHECK(cudaMemsetAsync(simulation->sums, 0, 3 * (size_t)room * sizeof *simulation->sums));
    if (simulation->on_tensor_cores)
        sum_on_tensor_cores<<<grid_of(simulation, GROUP), THREADS>>>(
            simulation->sorted, simulation->boxes, simulation->scales, room, simulation->sums);
    else
        sum_in_floats<<<grid_of(simulation, FLOAT_GROUP), THREADS>>>(
            simulation->sorted, simulation->parameters.softening, simulation->force_scale, room,
            simulation->sums);
    CUDA_CHECK(cudaGetLastError());
}

/* The rest of the contract is in sorted_sums.h. */
void simulation_forces(struct simulation *simulation, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++)
        sum_forces(simulation);
}
