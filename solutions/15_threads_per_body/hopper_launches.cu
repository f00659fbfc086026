/* Step 15's iteration launched in Hopper's ways, for docs/concepts/hopper.md: by clusters of blocks
 * that add up their parts of the sums in distributed shared memory, and by programmatic dependent
 * launches, which start before the previous kernel has ended. On a GPU of compute capability 9.0:
 *
 *     mkdir -p build
 *     nvcc -O3 -arch=sm_90 -ftz=true -Icommon/include -Icommon/kit -o build/hopper_launches \
 *         solutions/15_threads_per_body/hopper_launches.cu
 *     build/hopper_launches          1024, 2048, 4096 and 16384 bodies
 *     build/hopper_launches 1024     so many bodies, 1024 or more
 *
 * It prints a line `form,bodies,blocks,threads,at_once,microseconds,lowest,highest` for each form:
 * the number of blocks, the threads per block, the blocks that the GPU has room for at once, and
 * the median, the lowest and the highest time of an iteration in a graph of 100.
 *
 *     step            the step's kernel and grid
 *     ordinary        the kernel of dependent launches, launched like the step's
 *     dependent       dependent launches: the next kernel may start as blocks of this one end
 *     early_trigger   the same, but the next kernel may start once all blocks have begun
 *     cluster_2, _4   clusters of so many blocks, 8 bodies i per thread. All blocks of a cluster
 *                     have the same bodies i, and each has a part of the bodies j. A form is left
 *                     out where a block would have more threads than a block of the step may have
 */
#define THREADS 256
#include "nbody.cu"

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <vector>

enum { TIMES = 11, LENGTH = 100, REPEATS = 4, CHECKED = 3 };

/* Waits until the previous kernel has ended and its results can be read. */
template <int BODIES, bool TRIGGER>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    iterate_dependent(struct job job, int iteration) {
    if (TRIGGER)
        cudaTriggerProgrammaticLaunchCompletion(); /* otherwise a block does it when it ends */
    cudaGridDependencySynchronize();
    advance<BODIES, 0>(job, iteration % 2 ? job.odd : job.even, iteration % 2 ? job.even : job.odd,
                       blockIdx.x);
}

/* The step's advance() for the bodies i of a cluster, 8 per thread. */
template <int CLUSTER>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    iterate_by_clusters(struct job job, int iteration) {
    enum { BODIES = 8, VALUES = COMPONENTS * BODIES };
    __shared__ float sums[THREADS / LANES][VALUES];
    const float4 *positions = iteration % 2 ? job.odd : job.even;
    float4 *next = iteration % 2 ? job.even : job.odd;
    auto cluster = cooperative_groups::this_cluster();
    int rank = (int)cluster.block_rank(), begin = blockIdx.x / CLUSTER * job.groups * BODIES;
    int lane = threadIdx.x % LANES, worker = threadIdx.x / LANES;
    int group = worker % job.groups, row = worker / job.groups;
    int share = (rank * job.rows + row) * LANES + lane, shares = CLUSTER * job.rows * LANES;
    float x[BODIES], y[BODIES], z[BODIES], values[VALUES] = {};

#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        int i = min(begin + group * BODIES + b, job.n - 1);
        const float *own = &positions[i].x;

        x[b] = own[0], y[b] = own[1], z[b] = own[2];
    }
    float4 later = positions[share];
#pragma unroll 2
    for (int j = share; j < job.sources; j += shares) {
        float4 other = later;

        later = positions[j + shares];
#pragma unroll
        for (int b = 0; b < BODIES; b++) {
            float dx = other.x - x[b];
            float dy = other.y - y[b];
            float dz = other.z - z[b];
            float inverse = rsqrtf(job.softening + dx * dx + dy * dy + dz * dz);
            float scale = inverse * (inverse * inverse);

            values[COMPONENTS * b] += dx * scale;
            values[COMPONENTS * b + 1] += dy * scale;
            values[COMPONENTS * b + 2] += dz * scale;
        }
    }
    add_up<VALUES>(values, lane, sums[worker]);
    cluster.sync();
    /* Each block adds up the parts of all blocks, for a part of the values. */
    int to_add = job.groups * VALUES / CLUSTER;

    for (int k = rank * to_add + threadIdx.x; k < (rank + 1) * to_add; k += blockDim.x) {
        float force = 0;

#pragma unroll
        for (int other = 0; other < CLUSTER; other++) {
            const float *theirs = cluster.map_shared_rank(&sums[0][0], other);

            for (int r = 0; r < job.rows; r++)
                force += theirs[r * job.groups * VALUES + k];
        }
        apply(job, next, begin + k / COMPONENTS, k % COMPONENTS, force);
    }
    cluster.sync(); /* a block's memory stays until all have read it */
}

/* Kernels for 4 bodies per thread, as at n = 1024, and for 8, as at more. */
static const struct form {
    const char *name;
    int cluster, dependent;
    void *kernels[2];
} forms[] = {
    {"step", 1, 0, {(void *)iterate<4, 0>, (void *)iterate<8, 0>}},
    {"ordinary", 1, 0, {(void *)iterate_dependent<4, 0>, (void *)iterate_dependent<8, 0>}},
    {"dependent", 1, 1, {(void *)iterate_dependent<4, 0>, (void *)iterate_dependent<8, 0>}},
    {"early_trigger", 1, 1, {(void *)iterate_dependent<4, 1>, (void *)iterate_dependent<8, 1>}},
    {"cluster_2", 2, 0, {(void *)iterate_by_clusters<2>, (void *)iterate_by_clusters<2>}},
    {"cluster_4", 4, 0, {(void *)iterate_by_clusters<4>, (void *)iterate_by_clusters<4>}},
};

/* Changes the step's job for clusters: about as many blocks as before, of as many threads if there
 * are rows enough. Returns false if a block would be too large, or if 8 does not divide a cluster's
 * bodies. */
static bool choose_for(const form &form, struct job *job) {
    int bodies = job->groups * job->bodies_a_thread * form.cluster; /* of a cluster */
    int warps = job->groups * job->rows;

    if (form.cluster == 1)
        return true;
    job->groups = bodies / 8;
    if (bodies % 8 || job->groups * LANES > THREADS)
        return false;
    job->rows = std::max(1, warps / job->groups);
    job->blocks = divide_up(job->n, bodies) * form.cluster;
    return form.cluster * job->rows * LANES <= THREADS; /* loads reach so far past the last body */
}

/* A graph of iterations. Sets how many blocks the GPU has room for at once. */
static cudaGraphExec_t graph_of(const form &form, const struct simulation &simulation,
                                int iterations, cudaStream_t stream, int *at_once) {
    struct job job = simulation.job;
    int k, one = 1;
    void *arguments[] = {&job, &k, &one};
    const void *kernel = form.kernels[job.bodies_a_thread == 8];
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    cudaGraphExec_t executable;
    cudaGraph_t graph;

    config.gridDim = job.blocks;
    config.blockDim = job.rows * job.groups * LANES;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {(unsigned)form.cluster, 1, 1};
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(at_once, kernel, &config));
    *at_once *= form.cluster;
    if (form.dependent) {
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
    }
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (k = 0; k < iterations; k++) {
        config.numAttrs = form.cluster > 1 || (form.dependent && k > 0);
        CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
    }
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return executable;
}

/* Velocities of bodies that were at rest, after CHECKED iterations, may differ from the step's by
 * 1e-4 of their root mean square. */
static void check(const form &form, const struct simulation &simulation, cudaStream_t stream) {
    int n = simulation.job.n, at_once;
    std::vector<struct body> out(n);
    double squares = 0, worst = 0;

    CUDA_CHECK(cudaMemcpy(simulation.job.bodies, simulation.in, n * sizeof(struct body),
                          cudaMemcpyHostToDevice));
    set_positions<<<divide_up(n, THREADS), THREADS, 0, stream>>>(simulation.job, NULL);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaGraphLaunch(graph_of(form, simulation, CHECKED, stream, &at_once), stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemcpy(out.data(), simulation.job.bodies, n * sizeof(struct body),
                          cudaMemcpyDeviceToHost));
    for (int k = 0; k < 3 * n; k++) {
        double expected = (&simulation.out[k / 3].vx)[k % 3];
        double difference = fabs((&out[k / 3].vx)[k % 3] - expected);

        squares += expected * expected / n;
        worst = difference <= worst ? worst : difference; /* NaN stays */
    }
    if (worst <= 1e-4 * sqrt(squares))
        return;
    fprintf(stderr, "%s, %d bodies: a velocity is off by %g, where their size is %g\n", form.name,
            n, worst, sqrt(squares));
    exit(1);
}

static void measure(int n, cudaStream_t stream) {
    struct parameters parameters = {n, 0.1f / sqrtf((float)n), 1e-2f};
    std::vector<struct body> in(n), out(n);
    struct trial {
        const struct form *form;
        struct simulation simulation;
        cudaGraphExec_t graph;
        int at_once;
        std::vector<float> times;
    };
    std::vector<trial> trials;
    cudaEvent_t marks[2];

    for (cudaEvent_t &mark : marks)
        CUDA_CHECK(cudaEventCreate(&mark));
    for (struct body &body : in)
        body = {(float)drand48(), (float)drand48(), (float)drand48(), 0, 0, 0};
    struct simulation *simulation =
        simulation_create_with_masses(&parameters, in.data(), NULL, out.data());
    simulation_run(simulation, CHECKED);

    for (const form &form : forms) {
        trial trial = {&form, *simulation, NULL, 0, {}};

        if (!choose_for(form, &trial.simulation.job))
            continue;
        check(form, trial.simulation, stream);
        trial.simulation.job.dt = 0; /* no time passes in what is timed */
        trial.graph = graph_of(form, trial.simulation, LENGTH, stream, &trial.at_once);
        trials.push_back(trial);
    }
    for (int round = 0; round < TIMES; round++)
        for (trial &trial : trials) {
            float milliseconds;

            CUDA_CHECK(cudaEventRecord(marks[0], stream));
            for (int repeat = 0; repeat < REPEATS; repeat++)
                CUDA_CHECK(cudaGraphLaunch(trial.graph, stream));
            CUDA_CHECK(cudaEventRecord(marks[1], stream));
            CUDA_CHECK(cudaEventSynchronize(marks[1]));
            CUDA_CHECK(cudaEventElapsedTime(&milliseconds, marks[0], marks[1]));
            trial.times.push_back(milliseconds * 1000 / (REPEATS * LENGTH));
        }
    for (trial &trial : trials) {
        const struct job &job = trial.simulation.job;
        std::vector<float> &t = trial.times;

        std::sort(t.begin(), t.end());
        printf("%s,%d,%d,%d,%d,%.2f,%.2f,%.2f\n", trial.form->name, n, job.blocks,
               job.rows * job.groups * LANES, trial.at_once, t[TIMES / 2], t.front(), t.back());
    }
    simulation_destroy(simulation);
}

int main(int argc, char **argv) {
    cudaStream_t stream;

    if (argc > 1 && atoi(argv[1]) < 1024) {
        fprintf(stderr, "usage: hopper_launches [BODIES], 1024 or more\n");
        return 3;
    }
    CUDA_CHECK(cudaStreamCreate(&stream));
    printf("form,bodies,blocks,threads,at_once,microseconds,lowest,highest\n");
    if (argc > 1)
        measure(atoi(argv[1]), stream);
    else
        for (int bodies : {1024, 2048, 4096, 16384})
            measure(bodies, stream);
    return 0;
}
