/* Step 33: every star has a step of its own, a power of two, and those that are due at one time
 * make a block. One launch moves the cluster from the first interval to the last: its blocks of
 * threads wait for each other, and the host for nothing. */
#define PULLS_THREADS 256

#include "cluster.h"
#include "block_pulls.h"
#include "grid_barrier.h"
#include "travellers.h"

enum {
    BLOCKS = 2, /* per multiprocessor */
    UNITS = 4,  /* units of the sum per block */
    STARS = 64, /* stars per block, at least */
};

/* The shortest step; no run would ever finish an interval of shorter ones. */
#define SHORTEST (INTERVAL >> 32)

/* A block step: its time, and how many stars are due. */
struct round {
    ticks time;
    int count;
};

/* What the kernel is told; all memory is the device's. */
struct job {
    int n;
    double tick, accuracy;
    real softening_squared;
    struct star *stars; /* n, as they come and go */
    struct traveller *travellers;
    ticks *due; /* n: when each one's step ends */
    struct source *sources;
    int *list; /* of the stars that are due, in any order: a star's sums do not depend on it */
    struct pull *partial;
    struct round *rounds;      /* three: this one, the next, and the one after that */
    unsigned *arrived, *stuck; /* at the grid's barrier; not 0 if a step became too short */
};

struct evolution {
    struct cluster_parameters parameters;
    const struct star *in;
    struct star *out;
    struct job job;
    int blocks;
};

__host__ __device__ static inline struct star predict(const struct traveller *traveller, ticks time,
                                                      double tick) {
    struct star star = traveller->star;

    /* part 1, 6 lines: The Taylor series from the star's own time, up to the jerk. */
    double dt = (double)(time - traveller->time) * tick;

    for (int c = 0; c < 3; c++) {
        double a = traveller->felt.acceleration[c], j = traveller->felt.jerk[c];
        star.x[c] += dt * (star.v[c] + dt / 2 * (a + dt / 3 * j));
        star.v[c] += dt * (a + dt / 2 * j);
    }
    /* until solved:
    (void)time, (void)tick;
    */
    /* end of part 1 */
    return star;
}

__host__ __device__ static inline ticks next_step(ticks step, ticks time, double wanted) {
    /* part 2, 4 lines: Double the step once, if allowed; otherwise halve it down to `wanted`. */
    if (2 * step <= INTERVAL && time % (2 * step) == 0 && (double)(2 * step) <= wanted)
        return 2 * step;
    for (; step > 1 && (double)step > wanted; step /= 2)
        ;
    /* until solved:
    (void)time, (void)wanted;
    */
    /* end of part 2 */
    return step;
}

/* A star will be due at that time. */
__device__ void announce(struct round *round, ticks due) {
    if (due < *(volatile ticks *)&round->time)
        atomicMin(&round->time, due);
}

/* Predicts all stars as sources. Those that are due join the block; the next block is at the
 * earliest time at which another star is due. */
__device__ void choose(const struct job *job, struct round *round, struct round *next) {
    ticks time = round->time, earliest = NEVER;

    for (int i = blockIdx.x * PULLS_THREADS + threadIdx.x; i < job->n;
         i += gridDim.x * PULLS_THREADS) {
        struct star star = predict(&job->travellers[i], time, job->tick);

        job->sources[i] = source_of(&star);
        /* part 3, 4 lines: Put the star into the list if it is due now; else update `earliest`. */
        if (job->due[i] == time)
            job->list[atomicAdd(&round->count, 1)] = i;
        else if (job->due[i] < earliest)
            earliest = job->due[i];
        /* end of part 3 */
    }
    for (int half = WARP / 2; half; half /= 2) {
        ticks other = __shfl_xor_sync(ALL_LANES, earliest, half);

        earliest = other < earliest ? other : earliest;
    }
    if (threadIdx.x % WARP == 0)
        announce(next, earliest);
}

/* A warp per star of the block. */
__device__ void correct(const struct job *job, const struct round *round, int parts,
                        struct round *next) {
    for (int k = (blockIdx.x * PULLS_THREADS + threadIdx.x) / WARP; k < round->count;
         k += gridDim.x * PULLS_THREADS / WARP) {
        struct pull felt = add_parts(&job->partial[(size_t)k * parts], parts);
        int i = job->list[k];

        if (threadIdx.x % WARP == 0) {
            job->due[i] =
                end_step(&job->travellers[i], &felt, round->time, job->tick, job->accuracy);
            announce(next, job->due[i]);
            if (job->travellers[i].step < SHORTEST)
                atomicAdd(job->stuck, 1u);
        }
    }
}

__global__ void __launch_bounds__(PULLS_THREADS, BLOCKS) evolve(struct job job, ticks end) {
    int thread = blockIdx.x * PULLS_THREADS + threadIdx.x, threads = gridDim.x * PULLS_THREADS;
    unsigned goal = 0;

    for (int i = thread; i < job.n; i += threads) {
        job.travellers[i] = {job.stars[i], {}, 0, 0};
        job.due[i] = 0; /* all are due, to feel for the first time */
    }
    if (thread == 0) {
        job.rounds[0] = {0, 0};
        job.rounds[1] = {NEVER, 0};
    }
    grid_barrier(job.arrived, goal += gridDim.x);
    for (int k = 0; job.rounds[k % 3].time <= end && !*job.stuck; k++) {
        struct round *round = &job.rounds[k % 3], *next = &job.rounds[(k + 1) % 3];

        choose(&job, round, next);
        if (thread == 0)
            job.rounds[(k + 2) % 3] = {NEVER, 0};
        grid_barrier(job.arrived, goal += gridDim.x);

        int count = round->count;

        if (count == 0) /* nobody is due */
            break;
        struct split split = split_for(count, job.n, UNITS * gridDim.x);

        for (int unit = blockIdx.x; unit < split.groups * split.parts; unit += gridDim.x)
            sum_unit(job.sources, job.n, job.list, count, split, unit, job.softening_squared,
                     job.partial);
        grid_barrier(job.arrived, goal += gridDim.x);
        correct(&job, round, split.parts, next);
        grid_barrier(job.arrived, goal += gridDim.x);
    }
    for (int i = thread; i < job.n; i += threads)
        job.stars[i] = job.travellers[i].star;
}

struct evolution *evolution_create(const struct cluster_parameters *parameters,
                                   const struct star *in, struct star *out) {
    struct evolution *evolution = (struct evolution *)calloc(1, sizeof *evolution);
    size_t n = parameters->n;
    int multiprocessors;

    if (!evolution)
        return NULL;
    struct job *job = &evolution->job;

    evolution->parameters = *parameters;
    evolution->in = in;
    evolution->out = out;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    evolution->blocks = min(BLOCKS * multiprocessors, divide_up(n, STARS));
    job->n = parameters->n;
    job->tick = parameters->interval / (double)INTERVAL;
    job->accuracy = parameters->accuracy;
    job->softening_squared = (real)(parameters->softening * parameters->softening);
    CUDA_CHECK(cudaMalloc(&job->stars, n * sizeof *job->stars));
    CUDA_CHECK(cudaMalloc(&job->travellers, n * sizeof *job->travellers));
    CUDA_CHECK(cudaMalloc(&job->due, n * sizeof *job->due));
    CUDA_CHECK(cudaMalloc(&job->sources, n * sizeof *job->sources));
    CUDA_CHECK(cudaMalloc(&job->list, n * sizeof *job->list));
    CUDA_CHECK(cudaMalloc(&job->partial,
                          partials_of(job->n, UNITS * evolution->blocks) * sizeof *job->partial));
    CUDA_CHECK(cudaMalloc(&job->rounds, 3 * sizeof *job->rounds));
    CUDA_CHECK(cudaMalloc(&job->arrived, 2 * sizeof *job->arrived));
    job->stuck = job->arrived + 1;
    return evolution;
}

int evolution_run(struct evolution *evolution, int intervals) {
    struct job job = evolution->job;
    size_t bytes = job.n * sizeof *job.stars;
    unsigned stuck;

    CUDA_CHECK(cudaMemcpy(job.stars, evolution->in, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(job.arrived, 0, 2 * sizeof *job.arrived));
    evolve<<<evolution->blocks, PULLS_THREADS>>>(job, intervals * INTERVAL);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(evolution->out, job.stars, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&stuck, job.stuck, sizeof stuck, cudaMemcpyDeviceToHost));
    if (stuck)
        fprintf(stderr, "a star's time step fell below an interval's 2^-32: is each star predicted "
                        "from its own time, and its step doubled where that is allowed?\n");
    return stuck;
}

void evolution_destroy(struct evolution *evolution) {
    struct job job = evolution->job;

    CUDA_CHECK(cudaFree(job.stars));
    CUDA_CHECK(cudaFree(job.travellers));
    CUDA_CHECK(cudaFree(job.due));
    CUDA_CHECK(cudaFree(job.sources));
    CUDA_CHECK(cudaFree(job.list));
    CUDA_CHECK(cudaFree(job.partial));
    CUDA_CHECK(cudaFree(job.rounds));
    CUDA_CHECK(cudaFree(job.arrived));
    free(evolution);
}
