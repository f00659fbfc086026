/* Step 16: distances and sums of force as products of matrices on tensor cores, and one root for
 * both bodies of a pair. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "mma.h"
#include "nbody_masses.h"
#include "sort.h"
#include "third_law.h"

enum {
    WARPS = 4,                   /* a block */
    THREADS = 32 * WARPS,        /* a block; a tile has as many bodies j */
    STRIPS = 4,                  /* a warp has so many strips of 16 bodies i */
    GROUP = 16 * STRIPS * WARPS, /* bodies i of a block */
    WAVES = 16,                  /* as many blocks as fill the GPU so many times */
    SORT_EVERY = 16,             /* iterations */
    LEAST_BODIES = 1024          /* on tensor cores */
};

/* Lengths on tensor cores are in units of 32 sqrt(softening): no r^-3 is then above 32^3 = 32768,
 * and halves go to 65504. r^2 is a difference of squares of coordinates relative to a group's
 * centre: with groups of at most this half side it keeps half of the softening. With all bodies in
 * a box of that half side, the smallest r^-3 is a half with all its bits. Coordinates are then
 * below 15 units, so the heaviest body may weigh 1024, and light ones have more bits of a half. */
static const float unit = 32, largest_group = 128, largest_box = 230, heaviest = 1024;

/* From the units of bodies to those of a kernel, and back. */
struct scales {
    float length, softening, mass, force;
};

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    int room; /* n, up to whole groups of either size */
    int multiprocessors, has_tensor_cores;
    int on_tensor_cores; /* whether the bodies, when they were sorted, were a case for them */
    struct scales scales;
    float force_scale; /* where lengths and masses are those of bodies */
    float4 *host;      /* positions and velocities, or boxes */
    /* On the device: */
    float4 *positions, *velocities; /* n each, in the order of `in`, with the mass as w */
    float4 *sorted;                 /* room, along a curve, filled up without mass */
    float4 *boxes;                  /* of each group: centre, half of the longest side */
    unsigned long long *sums;       /* of force, 3 x room */
    struct sorter sorter;           /* its `order`: which body is at a place of `sorted` */
};

/* A force is summed in integers, which are the same in whichever order blocks add. */
__device__ static void add_force(unsigned long long *sums, int room, int i, float scale, float x,
                                 float y, float z) {
#ifdef FLOAT_SUMS
    (void)room;
    add_vector((float4 *)sums + i, make_float4(scale * x, scale * y, scale * z, 0));
#else
    /* part 1, 3 lines: x, y and z, scaled and rounded, are added as integers. */
    /* until solved */
    (void)sums, (void)room, (void)i, (void)scale, (void)x, (void)y, (void)z;
    /* end of until solved */
    /* end of part 1 */
#endif
}

__device__ static float3 force_on(const unsigned long long *sums, int room, int i, float scale) {
#ifdef FLOAT_SUMS
    float4 sum = ((const float4 *)sums)[i];

    (void)room;
    return make_float3(sum.x / scale, sum.y / scale, sum.z / scale);
#else
    return make_float3((float)(long long)sums[i] / scale, (float)(long long)sums[i + room] / scale,
                       (float)(long long)sums[i + 2 * room] / scale);
#endif
}

/* The tile in shared memory, as fragments: element [q][lane] is what a lane needs of bodies 16 q to
 * 16 q + 15. */
struct tile {
    uint4 columns[THREADS / 16][32];   /* B of two products, for bodies 16 q + 0..7 and + 8..15 */
    uint2 weights[THREADS / 16][32];   /* B of one product */
    float sums[WARPS][4][THREADS + 8]; /* what each warp adds to the bodies of the tile */
};

/* What a lane holds of a strip of 16 bodies i. */
struct strip {
    unsigned rows[4];    /* A: their coordinates */
    unsigned weights[4]; /* A: m x, m y, m z, m, transposed */
    float squares[4];    /* C: |x|^2 + softening */
    float sums[4];       /* D: of this tile */
    float totals[4];     /* of all tiles */
};

/* A body relative to a centre, in the kernel's units; of its coordinates those 22 bits that two
 * halves hold, so that all that is made of them is of the same body. */
__device__ static float4 scaled(float4 body, float4 centre, struct scales scales) {
    return make_float4(whole(in_two_halves((body.x - centre.x) * scales.length)),
                       whole(in_two_halves((body.y - centre.y) * scales.length)),
                       whole(in_two_halves((body.z - centre.z) * scales.length)),
                       body.w * scales.mass);
}

/* r^2 + softening of 16 bodies i and 8 bodies j is |x_i|^2 + softening + |x_j|^2 - 2 x_i x_j: the
 * product of rows and columns
 *
 *     body i   xh xh  xl xl  yh yh  yl yl   zh zh  zl zl  1  1   1  0     x = xh + xl
 *     body j  -2 (xh xl  xh xl  yh yl  yh yl   zh zl  zh zl) s1 s2  s3 0   |x|^2 = s1 + s2 + s3
 *
 * and what C begins with. */
__device__ static void set_rows(struct strip *strip, int third, int lower, float4 body,
                                float softening) {
    unsigned x = in_two_halves(body.x), y = in_two_halves(body.y), z = in_two_halves(body.z);
    float2 xs = unpack_halves(x), ys = unpack_halves(y), zs = unpack_halves(z);

    /* part 2, 4 lines: Columns 2 third and the next of body i's row; then those 8 further on. */
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

    /* part 3, 4 lines: What third 0, 1, 2 and 3 hold of body j's column: b[0] and b[1]. */
    /* until solved */
    (void)two_x, (void)two_y, (void)two_z, (void)s3;
    column[0] = column[2] = column[4] = column[6] = make_uint2(0, 0);
    /* end of until solved */
    /* end of part 3 */
}

/* Of m x, m y, m z and m this one; above them 0. */
__device__ static float weight_of(float4 body, int which) {
    return body.w * (which == 0 ? body.x : which == 1 ? body.y : which == 2 ? body.z : which == 3);
}

/* The force on i is the sum of m_j s_ij (x_j - x_i), s = (r^2 + softening)^(-3/2), and that is
 *
 *     sum of s_ij (m_j x_j)  -  x_i sum of s_ij m_j:
 *
 * the products of S, 16 x 16, with m x, m y, m z and m of bodies j, in two halves each. */
__device__ static void set_weights(struct tile *tile, int j, float4 body) {
    unsigned short *row = (unsigned short *)tile->weights[j / 16];

#pragma unroll
    for (int f = 0; f < 4; f++) { /* column f, and f + 4 for what is left */
        unsigned halves = in_two_halves(weight_of(body, f));

        row[place_in_b(j, f)] = (unsigned short)halves;
        row[place_in_b(j, f + 4)] = (unsigned short)(halves >> 16);
    }
}

/* The same of bodies i, as rows of A: the force on j is a product with S transposed. */
__device__ static void set_own_weights(struct strip *strip, int group, int right, float4 first,
                                       float4 second) {
    float2 a = unpack_halves(in_two_halves(weight_of(first, group)));
    float2 b = unpack_halves(in_two_halves(weight_of(second, group)));

    strip->weights[2 * right] = pack_halves(a.x, b.x);
    strip->weights[2 * right + 1] = pack_halves(a.y, b.y);
}

/* s of 16 bodies i and 8 bodies j. */
__device__ static void forces_of_tile(float s[4], const struct strip *strip, unsigned low,
                                      unsigned high) {
    /* part 4, 7 lines: r^2 + softening of the tile as one product, and s of each. */
    /* until solved */
    (void)strip, (void)low, (void)high;
    s[0] = s[1] = s[2] = s[3] = 0;
    /* end of until solved */
    /* end of part 4 */
}

/* A warp's strips against the tile. S as it comes out of one product is what the next one takes as
 * A, in halves; with HALVES = 2 what the rounding to halves leaves is added as a second product.
 * DIAGONAL: the strips are bodies of the tile, from `own` on. A body's own r^-3, the largest there
 * is, pulls nothing, but sums that are cut off lose the others beside it: it is left out. */
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

/* How many groups after its own a block goes through, round the ring of all: half of them, so that
 * each pair of groups meets once. */
__device__ static int groups_after(int group, int groups) {
    if (!THIRD_LAW)
        return groups - 1;
    /* part 7, 1 line: Half of the other groups; of an even number one half has one more. */
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
    enum { TILES = GROUP / THREADS }; /* a group */
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
        body = scaled(bodies[j], box, scales); /* again: registers are scarce in between */
        add_force(sums, room, j, scales.force, f[0] - body.x * f[3], f[1] - body.y * f[3],
                  f[2] - body.z * f[3]);
    }
    /* Of a body's eight columns third 0 has x y, 1 z m, 2 and 3 the same of what was left. */
#pragma unroll
    for (int k = 0; k < STRIPS; k++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int i = first + 16 * k + group + 8 * half;
            float x = strips[k].totals[2 * half], y = strips[k].totals[2 * half + 1];

            x += __shfl_xor_sync(0xffffffff, x, 2);
            y += __shfl_xor_sync(0xffffffff, y, 2);
            float z = __shfl_sync(0xffffffff, x, lane | 1);
            float m = __shfl_sync(0xffffffff, y, lane | 1);

            if (third == 0) {
                float4 body = scaled(bodies[i], box, scales);

                add_force(sums, room, i, scales.force, x - body.x * m, y - body.y * m,
                          z - body.z * m);
            }
        }
}

/* v += dt F, x += dt v. */
__global__ void move(float4 *positions, float4 *velocities, const int *order, int n, int room,
                     const unsigned long long *sums, float scale, float dt) {
    int place = blockIdx.x * blockDim.x + threadIdx.x;

    if (place >= n)
        return;
    int i = order[place];
    float4 position = positions[i], velocity = velocities[i];
    float3 force = force_on(sums, room, place, scale);

    velocity.x += dt * force.x;
    velocity.y += dt * force.y;
    velocity.z += dt * force.z;
    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    velocities[i] = velocity;
    positions[i] = position;
}

/* Along a curve, so that a group is a small box; and whether they suit tensor cores: not if
 * distances go from the softening to more than halves can hold. */
static void sort(struct simulation *simulation) {
    int n = simulation->parameters.n, groups = simulation->room / GROUP;
    float softening_length = sqrtf(simulation->parameters.softening), largest = 0;
    float all = sorter_sort(&simulation->sorter, simulation->positions);
    float4 *boxes = simulation->host;

    sorter_arrange(&simulation->sorter, simulation->positions, simulation->room, GROUP,
                   simulation->sorted, simulation->boxes);
    CUDA_CHECK(
        cudaMemcpy(boxes, simulation->boxes, groups * sizeof *boxes, cudaMemcpyDeviceToHost));
    for (int group = 0; group < groups; group++)
        largest = fmaxf(largest, boxes[group].w);
    simulation->on_tensor_cores = simulation->has_tensor_cores && n >= LEAST_BODIES &&
                                  largest <= largest_group * softening_length &&
                                  all <= largest_box * softening_length;
}

/* Blocks of a group: so many that the GPU is full WAVES times. */
static dim3 grid_of(const struct simulation *simulation, int group) {
    int groups = blocks_of(simulation->parameters.n, group);
    int parts = blocks_of(WAVES * 4 * simulation->multiprocessors, groups);

    return dim3(groups, parts > groups ? groups : parts);
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

/* A force is at most 0.385 / softening times all mass, and is to use 62 bits then. */
static void set_scales(struct simulation *simulation, double largest, double all) {
    float softening = simulation->parameters.softening;
    float length = 1 / (unit * sqrtf(softening));
    float mass = largest > 0 ? heaviest / (float)largest : 1;
    double force = ldexp(1, 62) * softening / (0.385 * (all > 0 ? all : 1));

    simulation->force_scale = (float)force;
    simulation->scales = {length, softening * length * length, mass,
                          (float)(force * length * length / mass)};
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n, room = blocks_of(parameters->n, FLOAT_GROUP) * (size_t)FLOAT_GROUP;
    struct cudaDeviceProp device;

    if (!simulation)
        return NULL;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    simulation->room = (int)room;
    simulation->multiprocessors = device.multiProcessorCount;
    simulation->has_tensor_cores = TENSOR_CORES && device.major >= 8;
    if (TENSOR_CORES && device.major < 8)
        fprintf(stderr, "compute capability %d.%d is below 8.0: forces are summed in floats\n",
                device.major, device.minor);
    CUDA_CHECK(cudaMallocHost(&simulation->host, 2 * room * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->positions, 2 * n * sizeof(float4)));
    simulation->velocities = simulation->positions + n;
    CUDA_CHECK(cudaMalloc(&simulation->sorted, room * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->boxes, room / GROUP * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&simulation->sums, 3 * room * sizeof *simulation->sums));
    sorter_create(&simulation->sorter, (int)n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    const struct body *in = simulation->in;
    int n = simulation->parameters.n;
    size_t bytes = 2 * (size_t)n * sizeof(float4);
    float4 *host = simulation->host;
    double largest = 0, all = 0;

    for (int i = 0; i < n; i++) {
        float mass = simulation->masses ? simulation->masses[i] : 1;

        host[i] = make_float4(in[i].x, in[i].y, in[i].z, mass);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
        largest = fmax(largest, mass);
        all += mass;
    }
    set_scales(simulation, largest, all);
    CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration % SORT_EVERY == 0)
            sort(simulation);
        sum_forces(simulation);
        move<<<blocks_of(n, THREADS), THREADS>>>(
            simulation->positions, simulation->velocities, simulation->sorter.order, n,
            simulation->room, simulation->sums, simulation->force_scale, simulation->parameters.dt);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, simulation->positions, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        simulation->out[i] = {host[i].x,     host[i].y,     host[i].z,
                              host[n + i].x, host[n + i].y, host[n + i].z};
    return 0;
}

void simulation_forces(struct simulation *simulation, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++)
        sum_forces(simulation);
}

void simulation_destroy(struct simulation *simulation) {
    sorter_destroy(&simulation->sorter);
    CUDA_CHECK(cudaFree(simulation->sums));
    CUDA_CHECK(cudaFree(simulation->boxes));
    CUDA_CHECK(cudaFree(simulation->sorted));
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFreeHost(simulation->host));
    free(simulation);
}
