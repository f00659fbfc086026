/* Step 15's iteration launched in Hopper's ways, for docs/concepts/hopper.md: by clusters of blocks
 * that add up their parts of the sums in distributed shared memory, and by programmatic dependent
 * launches, which start before the previous kernel has ended. On a GPU of compute capability 9.0:
 *
 *     nvcc -O3 -arch=sm_90 -ftz=true -Icommon/include -Icommon/kit -o build/hopper_launches \
 *         solutions/15_threads_per_body/hopper_launches.cu
 *     build/hopper_launches          1024, 2048, 4096 and 16384 bodies
 *     build/hopper_launches 1024     so many bodies
 *
 * It prints a line `form,launch,bodies,blocks,threads,at_once,microseconds,lowest,highest` for each
 * form, as launches by the host (`plain`) and as a graph of 100 iterations (`graph`). The columns
 * are the number of blocks, the threads per block, the blocks that the GPU has room for at once,
 * and the median, the lowest and the highest time of an iteration.
 *
 *     step              the step's kernel and grid
 *     cluster_2, 4, 8   clusters of so many blocks, 8 bodies i per thread. All blocks of a cluster
 *                       have the same bodies i, and each has a part of the bodies j. A form is left
 *                       out where a block would have more threads than a block of the step may have
 *     ..._dependent     the same as dependent launches */
#define THREADS 256
#include "nbody.cu"

#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <vector>

enum { TIMES = 11, LENGTH = 100, REPEATS = 4, CHECKED = 3 };

/* Lets the next kernel start. Then waits until the previous kernel has ended and its results can be
 * read. Without a dependent launch both calls do nothing. */
static __device__ void start_early() {
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
}

template <int BODIES>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    iterate_early(struct job job, int iteration) {
    start_early();
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

    start_early();
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

/* How an iteration is launched. `cluster` is 0 for the step's own kernel and grid. */
struct form {
    const char *name;
    int cluster, dependent;
};
static const form forms[] = {{"step", 0, 0},      {"step_dependent", 0, 1},
                             {"cluster_2", 2, 0}, {"cluster_2_dependent", 2, 1},
                             {"cluster_4", 4, 0}, {"cluster_4_dependent", 4, 1},
                             {"cluster_8", 8, 0}, {"cluster_8_dependent", 8, 1}};
enum { FORMS = sizeof forms / sizeof *forms };

/* The step's job for clusters: as many blocks, of as many threads if there are rows enough. False:
 * a block would be too large, or a cluster's bodies do not fit. */
static bool choose_for(const form &form, struct job *job) {
    int bodies = job->groups * job->bodies_a_thread * form.cluster; /* of a cluster */
    int warps = job->groups * job->rows;

    if (form.cluster == 0)
        return true;
    job->groups = bodies / 8;
    if (bodies % 8 || job->groups * LANES > THREADS)
        return false;
    job->rows = std::max(1, warps / job->groups);
    job->blocks = divide_up(job->n, bodies) * form.cluster;
    return form.cluster * job->rows * LANES <= THREADS; /* loads reach so far past the last body */
}

/* Iterations, or if there are none, returns how many blocks there is room for. */
static int launch(const form &form, const struct simulation &simulation, int iterations,
                  cudaStream_t stream) {
    static void (*const early[])(struct job, int) = {iterate_early<1>, iterate_early<2>,
                                                     iterate_early<4>, iterate_early<8>};
    const struct job &job = simulation.job;
    auto *kernel = form.cluster == 2   ? iterate_by_clusters<2>
                   : form.cluster == 4 ? iterate_by_clusters<4>
                   : form.cluster == 8 ? iterate_by_clusters<8>
                                       : early[__builtin_ctz(job.bodies_a_thread)];
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t config = {};
    int clusters = job.at_once;

    if (!form.cluster && !form.dependent)
        enqueue(&simulation, iterations, job.dt, stream);
    config.gridDim = job.blocks;
    config.blockDim = job.rows * job.groups * LANES;
    config.stream = stream;
    config.attrs = attributes;
    if (form.cluster) {
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim = {(unsigned)form.cluster, 1, 1};
        config.numAttrs = 1;
    }
    for (int k = 0; k < iterations && (form.cluster || form.dependent); k++) {
        if (k == 1 && form.dependent) {
            cudaLaunchAttribute *attribute = &attributes[config.numAttrs++];

            attribute->id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attribute->val.programmaticStreamSerializationAllowed = 1;
        }
        CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, job, k));
    }
    if (form.cluster && iterations == 0)
        CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    return clusters * std::max(1, form.cluster);
}

static cudaGraphExec_t graph_of(const form &form, const struct simulation &simulation,
                                int iterations, cudaStream_t stream) {
    cudaGraphExec_t executable;
    cudaGraph_t graph;

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch(form, simulation, iterations, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return executable;
}

/* Iterations on the host, in doubles, of bodies at rest: their velocities. */
static std::vector<double> expected_velocities(const std::vector<struct body> &in, double dt,
                                               double softening) {
    size_t n = in.size();
    std::vector<double> p(3 * n), v(3 * n);

    for (size_t i = 0; i < n; i++)
        p[3 * i] = in[i].x, p[3 * i + 1] = in[i].y, p[3 * i + 2] = in[i].z;
    for (int iteration = 0; iteration < CHECKED; iteration++) {
        for (size_t i = 0; i < 3 * n; i += 3)
            for (size_t j = 0; j < i; j += 3) {
                double dx = p[j] - p[i], dy = p[j + 1] - p[i + 1], dz = p[j + 2] - p[i + 2];
                double d2 = softening + dx * dx + dy * dy + dz * dz, f = dt / (d2 * sqrt(d2));

                v[i] += f * dx, v[i + 1] += f * dy, v[i + 2] += f * dz;
                v[j] -= f * dx, v[j + 1] -= f * dy, v[j + 2] -= f * dz;
            }
        for (size_t k = 0; k < 3 * n; k++)
            p[k] += dt * v[k];
    }
    return v;
}

/* Velocities may differ by 1e-4 of their root mean square. */
static void check(const form &form, const struct simulation &simulation, bool as_graph,
                  const std::vector<double> &expected, cudaStream_t stream) {
    int n = simulation.job.n;
    std::vector<struct body> out(n);
    double squares = 0, worst = 0;

    CUDA_CHECK(cudaMemcpy(simulation.job.bodies, simulation.in, n * sizeof(struct body),
                          cudaMemcpyHostToDevice));
    set_positions<<<divide_up(n, THREADS), THREADS, 0, stream>>>(simulation.job, NULL);
    CUDA_CHECK(cudaGetLastError());
    if (as_graph) {
        cudaGraphExec_t graph = graph_of(form, simulation, CHECKED, stream);

        CUDA_CHECK(cudaGraphLaunch(graph, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaGraphExecDestroy(graph));
    } else {
        launch(form, simulation, CHECKED, stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
    }
    CUDA_CHECK(cudaMemcpy(out.data(), simulation.job.bodies, n * sizeof(struct body),
                          cudaMemcpyDeviceToHost));
    for (int k = 0; k < 3 * n; k++) {
        double difference = fabs((&out[k / 3].vx)[k % 3] - expected[k]);

        squares += expected[k] * expected[k] / n;
        worst = difference <= worst ? worst : difference; /* NaN stays */
    }
    if (worst <= 1e-4 * sqrt(squares))
        return;
    fprintf(stderr, "%s, %s, %d bodies: a velocity is off by %g, where their size is %g\n",
            form.name, as_graph ? "graph" : "plain", n, worst, sqrt(squares));
    exit(1);
}

static void measure(int n, cudaStream_t stream) {
    struct parameters parameters = {n, 0.1f / sqrtf((float)n), 1e-2f};
    std::vector<struct body> in(n);
    struct trial {
        const struct form *form;
        struct simulation simulation;
        cudaGraphExec_t graph;
        std::vector<float> times[2];
    };
    std::vector<trial> trials;
    cudaEvent_t marks[2];

    for (cudaEvent_t &mark : marks)
        CUDA_CHECK(cudaEventCreate(&mark));
    for (struct body &body : in)
        body = {(float)drand48(), (float)drand48(), (float)drand48(), 0, 0, 0};
    struct simulation *simulation =
        simulation_create_with_masses(&parameters, in.data(), NULL, in.data());
    std::vector<double> expected = expected_velocities(in, parameters.dt, parameters.softening);

    for (const form &form : forms) {
        trial trial = {&form, *simulation, NULL, {}};

        if (!choose_for(form, &trial.simulation.job))
            continue;
        for (bool as_graph : {false, true})
            check(form, trial.simulation, as_graph, expected, stream);
        trial.simulation.job.dt = 0; /* no time passes in what is timed */
        trial.graph = graph_of(form, trial.simulation, LENGTH, stream);
        trials.push_back(trial);
    }
    for (int round = 0; round < TIMES; round++)
        for (trial &trial : trials)
            for (bool as_graph : {false, true}) {
                float milliseconds;

                CUDA_CHECK(cudaEventRecord(marks[0], stream));
                if (as_graph)
                    for (int repeat = 0; repeat < REPEATS; repeat++)
                        CUDA_CHECK(cudaGraphLaunch(trial.graph, stream));
                else
                    launch(*trial.form, trial.simulation, REPEATS * LENGTH, stream);
                CUDA_CHECK(cudaEventRecord(marks[1], stream));
                CUDA_CHECK(cudaEventSynchronize(marks[1]));
                CUDA_CHECK(cudaEventElapsedTime(&milliseconds, marks[0], marks[1]));
                trial.times[as_graph].push_back(milliseconds * 1000 / (REPEATS * LENGTH));
            }
    for (trial &trial : trials)
        for (bool as_graph : {false, true}) {
            const struct job &job = trial.simulation.job;
            std::vector<float> &times = trial.times[as_graph];

            std::sort(times.begin(), times.end());
            printf("%s,%s,%d,%d,%d,%d,%.2f,%.2f,%.2f\n", trial.form->name,
                   as_graph ? "graph" : "plain", n, job.blocks, job.rows * job.groups * LANES,
                   launch(*trial.form, trial.simulation, 0, stream), times[TIMES / 2],
                   times.front(), times.back());
        }
    fflush(stdout);
    simulation_destroy(simulation);
}

int main(int argc, char **argv) {
    int n = argc == 2 ? atoi(argv[1]) : 0;
    cudaStream_t stream;

    if (argc > 2 || (argc == 2 && n <= 0)) {
        fprintf(stderr, "usage: hopper_launches [bodies]\n");
        return 2;
    }
    CUDA_CHECK(cudaStreamCreate(&stream));
    printf("form,launch,bodies,blocks,threads,at_once,microseconds,lowest,highest\n");
    if (n)
        measure(n, stream);
    for (int size : {1024, 2048, 4096, 16384})
        if (!n)
            measure(size, stream);
    return 0;
}
