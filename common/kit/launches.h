/* How a step's iterations are launched, and the rest of the host's side: a launch for each; GRAPH
 * of them in one call of the host; or with PERSISTENT one launch for all, whose blocks wait for
 * each other. THREADS per block and LANES, which share a body, are macros. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <stdlib.h>

#include "cuda_check.h"
#include "grid_barrier.h"
#include "nbody_masses.h"

#ifndef GRAPH
#define GRAPH 0 /* launches of a graph, an even number; 0: no graph */
#endif
#ifndef PERSISTENT
#define PERSISTENT 0
#endif
#ifndef ROWS
#define ROWS 0 /* of a block; 0: chosen from n and the device */
#endif

enum { BLOCKS = 2 }; /* per multiprocessor */

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
    float *body_masses; /* on the device: n; NULL if `masses` is */
    struct job job;
    cudaGraphExec_t graph; /* of graph_length iterations of graph_dt; NULL: there is none yet */
    int graph_length;
    float graph_dt;
};

/* The step's own: one iteration of the bodies of a block; the kernel for so many bodies per thread,
 * with masses or without. */
template <int BODIES, int HAS_MASSES>
__device__ void advance(const struct job &job, const float4 *positions, float4 *next, int block);
typedef void iterate_kernel(struct job, int, int);
static iterate_kernel *kernel_for(int bodies_a_thread, int has_masses);

/* One component of a body's force, or its potential, once it is known: v += dt F, x += dt v. */
__device__ static inline void apply(const struct job &job, float4 *next, int i, int component,
                                    float force) {
    if (i < job.n && component == 3)
        job.potentials[i] = force;
    if (i < job.n && component < 3) {
        float *x = &job.bodies[i].x + component, *v = x + 3;

        *v += job.dt * force;
        *x += job.dt * *v;
        (&next[i].x)[component] = *x;
    }
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

static __global__ void set_positions(struct job job, const float *masses) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < job.n)
        job.even[i] = job.odd[i] =
            make_float4(job.bodies[i].x, job.bodies[i].y, job.bodies[i].z, masses ? masses[i] : 1);
}

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* Each of `at_once` blocks gets the same number of bodies. A thread has up to 8 of them; there are
 * as many groups as the bodies need, and the threads that are left make more rows. With ROWS a
 * thread has one body. */
static inline void choose(struct job *job) {
    enum { GROUPS = THREADS / LANES };
    enum { SOURCES = 512 }; /* bodies j per row, at least: a shorter row is not worth its sums */
    enum { ROW = ROWS ? ROWS : 1 };
    int bodies = divide_up(job->n, job->at_once); /* per block */

    job->bodies_a_thread = ROWS || bodies < 2 ? 1 : bodies < 4 ? 2 : bodies < 8 ? 4 : 8;
    job->groups = ROWS ? GROUPS / ROW : min(divide_up(bodies, job->bodies_a_thread), (int)GROUPS);
    job->rows = ROWS ? ROWS : min(GROUPS / job->groups, divide_up(job->sources, SOURCES));
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

/* Iterations, the first of which reads `even`. */
static void enqueue(const struct simulation *simulation, int iterations, float dt,
                    cudaStream_t stream) {
    struct job job = simulation->job;
    iterate_kernel *kernel = kernel_for(job.bodies_a_thread, simulation->masses != NULL);
    int a_launch = PERSISTENT ? iterations : 1;
    int blocks = PERSISTENT ? min(job.blocks, job.at_once) : job.blocks;

    if (PERSISTENT)
        CUDA_CHECK(cudaMemsetAsync(job.arrived, 0, sizeof *job.arrived, stream));
    job.dt = dt;
    for (int iteration = 0; iteration < iterations; iteration += a_launch) {
        kernel<<<blocks, job.rows * job.groups * LANES, 0, stream>>>(job, iteration, a_launch);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* Makes a graph of so many iterations, unless it is there. */
static void make_graph(struct simulation *simulation, int length, float dt) {
    cudaStream_t stream;
    cudaGraph_t graph;

    if (length == simulation->graph_length && dt == simulation->graph_dt)
        return;
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

static void iterate_all(struct simulation *simulation, int iterations, float dt) {
    if (GRAPH) {
        int length = min(iterations, GRAPH);

        make_graph(simulation, length, dt);
        for (; iterations > 0 && iterations >= length; iterations -= length)
            CUDA_CHECK(cudaGraphLaunch(simulation->graph, 0));
    }
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

#endif
