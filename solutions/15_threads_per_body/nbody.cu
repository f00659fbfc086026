/* Step 15: several threads share a body, lanes of a warp and then warps of a block, so that few
 * bodies fill the GPU; and an iteration is one launch, or less. */
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody_masses.h"

#ifndef LANES
#define LANES 32 /* neighbours of a warp that share a body: 1, 2, 4, 8, 16 or 32 */
#endif
#ifdef ONE_BODY /* a thread, and small tiles: as in the papers */
#define TILE 256
#ifndef ROWS
#define ROWS 1
#endif
#endif

#define ALL_LANES 0xffffffffu

enum {
#ifdef TILE
    AHEAD = 0,
#else
    AHEAD = 1, /* body j is loaded from global memory while the one before is summed */
#endif
    BLOCKS = 2,     /* a multiprocessor */
    SOURCES = 512,  /* bodies j of a row, or it is not worth its sums */
    COMPONENTS = 4, /* of a force: x, y, z; the fourth is the potential or nothing */
#ifdef EXCHANGE
    QUADS = LANES > COMPONENTS ? LANES / COMPONENTS : 1
#else
    QUADS = 1
#endif
};

/* What the kernel is told. A block has `rows` rows of `groups` groups of LANES threads. Group g of
 * all rows has the same bodies i. */
struct job {
    struct body *bodies; /* n; each keeps its velocity here */
    float4 *even, *odd;  /* n positions, with the mass as w: an iteration reads one of the two and
                            writes the other; up to THREADS more are read, and not used */
    float *potentials;   /* n, or nothing */
    unsigned *arrived;   /* blocks that came to the barrier of the grid */
    int n, sources;      /* bodies i and j */
    int at_once;         /* blocks that there is room for */
    int bodies_a_thread, groups, rows, blocks;
    float dt, softening;
};

struct simulation {
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    float *body_masses; /* on the device: n; NULL as masses */
    struct job job;
    cudaGraphExec_t graph; /* of graph_length iterations of graph_dt; NULL: there is none yet */
    int graph_length;
    float graph_dt;
};

/* Adds up the VALUES values of each of the LANES lanes of a group into `sums`, without a barrier of
 * the block. */
template <int VALUES> __device__ void add_up(float *values, int lane, float *sums) {
#ifdef EXCHANGE
    /* Code 1 of Miki (2012): the lanes of a quad add to different components at any time. That one
     * turn ends before the next begins was once given; now __syncwarp makes it so. */
    float *quad = sums + lane / COMPONENTS * VALUES;

#pragma unroll
    for (int body = 0; body < VALUES; body += COMPONENTS) {
#ifdef LOCAL_MEMORY
        const float *own = values + body; /* so the index reaches into the sums of the loop */
#else
        float own[COMPONENTS] = {values[body], values[body + 1], values[body + 2],
                                 values[body + 3]};
#endif

        /* part 1, 5 lines: In each of four turns a lane adds to another component, or begins it. */
        for (int turn = 0; turn < COMPONENTS; turn++) {
            int c = (lane ^ turn) % COMPONENTS;
            quad[body + c] = own[c] + (turn % LANES ? quad[body + c] : 0);
            __syncwarp();
        }
        /* until solved:
        (void)quad, (void)own;
        */
        /* end of part 1 */
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
        int half = VALUES * distance / LANES; /* of what this lane is still concerned with */
        bool upper = lane & distance;

#pragma unroll
        for (int k = 0; k < VALUES / 2; k++) {
            if (k >= half)
                break;
            float low = values[k], high = values[k + half];

            /* part 2, 2 lines: Two lanes swap: one keeps the lower half, one the upper. */
            float other = __shfl_xor_sync(ALL_LANES, upper ? low : high, distance);
            values[k] = other + (upper ? high : low);
            /* until solved:
            (void)upper, (void)low, (void)high;
            */
            /* end of part 2 */
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

/* One iteration of the bodies of a block: the force on each, a unit of its mass, is the sum of
 * m_j r_ij / (r_ij^2 + softening)^(3/2), where its own term is zero; v += dt F, next = x + dt v. */
template <int BODIES, int HAS_MASSES>
__device__ void advance(const struct job &job, const float4 *positions, float4 *next, int block) {
    /* The bodies j of a turn: with these, nvcc 13.0 does not put their roots in a row for sm_90. */
    enum { TURN = AHEAD && BODIES == 8 && !HAS_MASSES ? 2 : 4 };
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
    /* part 3, 2 lines: This thread's first body j, and how many threads share them. */
    int share = row * LANES + lane;
    int shares = job.rows * LANES;
    /* until solved:
    int share = 0, shares = job.sources;
    */
    /* end of part 3 */
#ifdef TILE
    __shared__ float4 tile[TILE];

    for (int start = 0; start < job.sources; start += TILE) {
        int length = min(job.sources - start, TILE);

        __syncthreads();
        for (int slot = threadIdx.x; slot < length; slot += blockDim.x)
            tile[slot] = positions[start + slot];
        __syncthreads();
#else
    {
        const float4 *tile = positions; /* L1 does what a tile would */
        int length = job.sources;
#endif
        float4 later = {};

        if (AHEAD)
            later = tile[share];
#pragma unroll TURN
        for (int j = share; j < length; j += shares) {
            float4 other = AHEAD ? later : tile[j];

            if (AHEAD)
                later = tile[j + shares]; /* arrives while this one is summed */
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
#ifdef POTENTIAL
                values[COMPONENTS * b + 3] -= weighted; /* the own term too */
#endif
            }
        }
    }
    add_up<VALUES>(values, lane, sums[worker]);
    if (job.rows > 1)
        __syncthreads();
    for (int k = lane; row == 0 && k < VALUES; k += LANES) {
        int i = first + k / COMPONENTS, component = k % COMPONENTS;
        float force = 0;

        /* part 4, 2 lines: The sums of all rows, in their order. */
        for (int r = 0; r < job.rows; r++)
            force += sums[r * job.groups + group][k];
        /* end of part 4 */
        if (i < job.n && component == 3)
            job.potentials[i] = force;
        if (i < job.n && component < 3) {
            float *x = &job.bodies[i].x + component, *v = x + 3;

            *v += job.dt * force;
            *x += job.dt * *v;
            (&next[i].x)[component] = *x;
        }
    }
}

/* Waits until all blocks of the grid have come. They have to run at the same time, or it never
 * ends. The first fence passes on what the block wrote, the second drops what L1 holds. */
__device__ static void grid_barrier(unsigned *arrived, unsigned goal) {
    /* part 5, 7 lines: One thread of each block adds 1 and looks until the goal is reached. */
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        for (atomicAdd(arrived, 1); (int)(*(volatile unsigned *)arrived - goal) < 0;)
            ;
    __threadfence();
    __syncthreads();
    /* until solved:
    (void)arrived, (void)goal;
    */
    /* end of part 5 */
}

template <int BODIES, int HAS_MASSES>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    iterate(struct job job, int iteration, int iterations) {
    for (int done = 0; done < iterations; done++, iteration++) {
        if (done > 0)
            grid_barrier(job.arrived, done * gridDim.x);
        for (int block = blockIdx.x; block < job.blocks; block += gridDim.x) {
            if (block != (int)blockIdx.x)
                __syncthreads(); /* the sums of the one before have been read */
            advance<BODIES, HAS_MASSES>(job, iteration % 2 ? job.odd : job.even,
                                        iteration % 2 ? job.even : job.odd, block);
        }
    }
}

/* By the logarithm of the bodies a thread, and whether there are masses. */
static void (*const kernels[][2])(struct job, int, int) = {
    {iterate<1, 0>, iterate<1, 1>},
#ifndef ONE_BODY
    {iterate<2, 0>, iterate<2, 1>},
    {iterate<4, 0>, iterate<4, 1>},
    {iterate<8, 0>, iterate<8, 1>},
#endif
};

__global__ void set_positions(struct job job, const float *masses) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < job.n)
        job.even[i] = job.odd[i] =
            make_float4(job.bodies[i].x, job.bodies[i].y, job.bodies[i].z, masses ? masses[i] : 1);
}

static int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* Each of `at_once` blocks gets as many bodies: up to 8 a thread, then as many groups as that
 * takes; the warps that are left are rows. */
static void choose(struct job *job) {
    enum { GROUPS = THREADS / LANES };

#ifdef ONE_BODY
    job->bodies_a_thread = 1;
    job->rows = ROWS;
    job->groups = GROUPS / ROWS;
#else
    int bodies = divide_up(job->n, job->at_once); /* a block */

    job->bodies_a_thread = bodies < 2 ? 1 : bodies < 4 ? 2 : bodies < 8 ? 4 : 8;
    job->groups = min(divide_up(bodies, job->bodies_a_thread), (int)GROUPS);
    job->rows = min(GROUPS / job->groups, divide_up(job->sources, SOURCES));
#endif
    job->blocks = divide_up(job->n, job->groups * job->bodies_a_thread);
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t n = parameters->n;
    int multiprocessors;

    if (!simulation)
        return NULL;
    struct job *job = &simulation->job;

    simulation->in = in;
    simulation->masses = masses;
    simulation->out = out;
    job->n = job->sources = parameters->n;
    job->dt = parameters->dt;
    job->softening = parameters->softening;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    job->at_once = BLOCKS * multiprocessors;
    choose(job);
    CUDA_CHECK(cudaMalloc(&job->bodies, n * sizeof *job->bodies));
    CUDA_CHECK(cudaMalloc(&job->even, (n + THREADS) * sizeof *job->even));
    CUDA_CHECK(cudaMalloc(&job->odd, (n + THREADS) * sizeof *job->odd));
    CUDA_CHECK(cudaMalloc(&job->potentials, n * sizeof *job->potentials));
    CUDA_CHECK(cudaMalloc(&job->arrived, sizeof *job->arrived));
    if (masses)
        CUDA_CHECK(cudaMalloc(&simulation->body_masses, n * sizeof *masses));
    return simulation;
}

/* Iterations, the first of which reads `even`: a launch each, or with PERSISTENT one for all. */
static void enqueue(const struct simulation *simulation, int iterations, float dt,
                    cudaStream_t stream) {
    struct job job = simulation->job;
    auto kernel = kernels[__builtin_ctz(job.bodies_a_thread)][simulation->masses != NULL];
#ifdef PERSISTENT
    int a_launch = iterations, blocks = min(job.blocks, job.at_once);

    CUDA_CHECK(cudaMemsetAsync(job.arrived, 0, sizeof *job.arrived, stream));
#else
    int a_launch = 1, blocks = job.blocks;
#endif

    job.dt = dt;
    for (int iteration = 0; iteration < iterations; iteration += a_launch) {
        kernel<<<blocks, job.rows * job.groups * LANES, 0, stream>>>(job, iteration, a_launch);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* The same; with GRAPH, so many launches are one call of the host. */
static void iterate_all(struct simulation *simulation, int iterations, float dt) {
#ifdef GRAPH
    int length = min(iterations, GRAPH); /* which is even */

    if (length != simulation->graph_length || dt != simulation->graph_dt) {
        cudaStream_t stream;
        cudaGraph_t graph;

        if (simulation->graph)
            CUDA_CHECK(cudaGraphExecDestroy(simulation->graph));
        CUDA_CHECK(cudaStreamCreate(&stream));
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        enqueue(simulation, length, dt, stream);
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        CUDA_CHECK(cudaGraphInstantiateWithFlags(&simulation->graph, graph, 0));
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(cudaStreamDestroy(stream));
        simulation->graph_length = length;
        simulation->graph_dt = dt;
    }
    for (; iterations > 0 && iterations >= length; iterations -= length)
        CUDA_CHECK(cudaGraphLaunch(simulation->graph, 0));
#endif
    enqueue(simulation, iterations, dt, 0);
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct job job = simulation->job;
    size_t bytes = job.n * sizeof *job.bodies;

    CUDA_CHECK(cudaMemcpy(job.bodies, simulation->in, bytes, cudaMemcpyHostToDevice));
    if (simulation->masses)
        CUDA_CHECK(cudaMemcpy(simulation->body_masses, simulation->masses, job.n * sizeof(float),
                              cudaMemcpyHostToDevice));
    set_positions<<<divide_up(job.n, THREADS), THREADS>>>(job, simulation->body_masses);
    CUDA_CHECK(cudaGetLastError());
    iterate_all(simulation, iterations, job.dt);
    CUDA_CHECK(cudaMemcpy(simulation->out, job.bodies, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

/* Iterations in which no time passes. */
void simulation_forces(struct simulation *simulation, int repeats) {
    iterate_all(simulation, repeats, 0);
}

void simulation_destroy(struct simulation *simulation) {
    struct job job = simulation->job;

    CUDA_CHECK(cudaFree(job.bodies));
    CUDA_CHECK(cudaFree(job.even));
    CUDA_CHECK(cudaFree(job.odd));
    CUDA_CHECK(cudaFree(job.potentials));
    CUDA_CHECK(cudaFree(job.arrived));
    CUDA_CHECK(cudaFree(simulation->body_masses));
    if (simulation->graph)
        CUDA_CHECK(cudaGraphExecDestroy(simulation->graph));
    free(simulation);
}
