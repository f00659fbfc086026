/* Step 33 with the scheduler on the host. Without RESIDENT it has the data path of the library
 * kirin (Belleman, Bedorf and Portegies Zwart 2008): the host predicts all stars, sends them at
 * every block step, and adds the partial sums that the GPU returns. With RESIDENT the GPU keeps the
 * stars, predicts them and adds the parts; the host sends it the stars that moved. */
#include "cluster.h"
#include "block_pulls.h"
#include "travellers.h"

enum { UNITS = RESIDENT ? 8 : 2 }; /* units of the sum per multiprocessor */

struct evolution {
    struct cluster_parameters parameters;
    const struct star *in;
    struct star *out;
    double tick;
    int units, moved; /* stars in the last block */
    struct traveller *travellers;
    ticks *due; /* when each one's step ends */
    int *list;  /* of the stars that are due */
    struct source *sources;
    struct pull *partial;
    struct traveller *changed; /* those that moved */
    /* On the device: */
    struct traveller *own_travellers, *own_changed;
    int *own_list, *own_moved;
    struct source *own_sources;
    struct pull *own_partial, *own_whole;
};

__host__ __device__ static inline struct star predict(const struct traveller *traveller, ticks time,
                                                      double tick) {
    struct star star = traveller->star;
    double dt = (double)(time - traveller->time) * tick;

    for (int c = 0; c < 3; c++) {
        double a = traveller->felt.acceleration[c], j = traveller->felt.jerk[c];

        star.x[c] += dt * (star.v[c] + dt / 2 * (a + dt / 3 * j));
        star.v[c] += dt * (a + dt / 2 * j);
    }
    return star;
}

__host__ __device__ static inline ticks next_step(ticks step, ticks time, double wanted) {
    if (2 * step <= INTERVAL && time % (2 * step) == 0 && (double)(2 * step) <= wanted)
        return 2 * step;
    for (; step > 1 && (double)step > wanted; step /= 2)
        ;
    return step;
}

__global__ void take_changed(const struct traveller *changed, const int *moved, int count,
                             struct traveller *travellers) {
    int k = blockIdx.x * PULLS_THREADS + threadIdx.x;

    if (k < count)
        travellers[moved[k]] = changed[k];
}

__global__ void predict_all(const struct traveller *travellers, int n, ticks time, double tick,
                            struct source *sources) {
    int i = blockIdx.x * PULLS_THREADS + threadIdx.x;

    if (i >= n)
        return;
    struct star star = predict(&travellers[i], time, tick);

    sources[i] = source_of(&star);
}

__global__ void __launch_bounds__(PULLS_THREADS)
    sum_block(const struct source *sources, int n, const int *list, int count, struct split split,
              real softening_squared, struct pull *partial) {
    sum_unit(sources, n, list, count, split, blockIdx.x, softening_squared, partial);
}

__global__ void add_block(const struct pull *partial, int count, int parts, struct pull *whole) {
    int k = (blockIdx.x * PULLS_THREADS + threadIdx.x) / WARP;

    if (k >= count)
        return;
    struct pull felt = add_parts(&partial[(size_t)k * parts], parts);

    if (threadIdx.x % WARP == 0)
        whole[k] = felt;
}

static void copy_in(void *to, const void *from, size_t bytes) {
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

/* Sends the stars of the last block, which own_moved lists; before the first block, all stars. */
static void send_changed(struct evolution *evolution, int n) {
    int moved = evolution->moved, count = moved ? moved : n;

    if (moved) {
        copy_in(evolution->own_changed, evolution->changed, moved * sizeof *evolution->changed);
        take_changed<<<divide_up(moved, PULLS_THREADS), PULLS_THREADS>>>(
            evolution->own_changed, evolution->own_moved, moved, evolution->own_travellers);
        CUDA_CHECK(cudaGetLastError());
    } else {
        copy_in(evolution->own_travellers, evolution->travellers,
                count * sizeof *evolution->travellers);
    }
}

/* What the stars of the list feel at a time, in the order of the list. */
static const struct pull *feel(struct evolution *evolution, ticks time, int count) {
    int n = evolution->parameters.n;
    real softening = (real)evolution->parameters.softening;
    struct split split = split_for(count, n, evolution->units);
    size_t parts = split.parts;
    struct pull *partial = evolution->partial;

    if (RESIDENT) {
        send_changed(evolution, n);
        predict_all<<<divide_up(n, PULLS_THREADS), PULLS_THREADS>>>(
            evolution->own_travellers, n, time, evolution->tick, evolution->own_sources);
        CUDA_CHECK(cudaGetLastError());
    } else {
        for (int i = 0; i < n; i++) {
            struct star star = predict(&evolution->travellers[i], time, evolution->tick);

            evolution->sources[i] = source_of(&star);
        }
        copy_in(evolution->own_sources, evolution->sources, n * sizeof *evolution->sources);
    }
    copy_in(evolution->own_list, evolution->list, count * sizeof *evolution->list);
    sum_block<<<split.groups * split.parts, PULLS_THREADS>>>(
        evolution->own_sources, n, evolution->own_list, count, split, softening * softening,
        evolution->own_partial);
    CUDA_CHECK(cudaGetLastError());
    if (RESIDENT) {
        add_block<<<divide_up(count * WARP, PULLS_THREADS), PULLS_THREADS>>>(
            evolution->own_partial, count, split.parts, evolution->own_whole);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(partial, evolution->own_whole, count * sizeof *partial,
                              cudaMemcpyDeviceToHost));
        return partial;
    }
    CUDA_CHECK(cudaMemcpy(partial, evolution->own_partial, count * parts * sizeof *partial,
                          cudaMemcpyDeviceToHost));
    for (int k = 0; k < count; k++) {
        struct pull whole = {};

        for (size_t part = 0; part < parts; part++)
            for (int c = 0; c < 3; c++) {
                whole.acceleration[c] += partial[k * parts + part].acceleration[c];
                whole.jerk[c] += partial[k * parts + part].jerk[c];
            }
        partial[k] = whole; /* k <= k * parts: no part is overwritten before it is added */
    }
    return partial;
}

/* Moves the stars that are due at a time. */
static void move_block(struct evolution *evolution, ticks time) {
    const struct pull *felt;
    int count = 0, *list;

    for (int i = 0; i < evolution->parameters.n; i++)
        if (evolution->due[i] == time)
            evolution->list[count++] = i;
    felt = feel(evolution, time, count);
    for (int k = 0; k < count; k++) {
        int i = evolution->list[k];

        evolution->due[i] = end_step(&evolution->travellers[i], &felt[k], time, evolution->tick,
                                     evolution->parameters.accuracy);
        evolution->changed[k] = evolution->travellers[i];
    }
    evolution->moved = count;
    list = evolution->own_moved;
    evolution->own_moved = evolution->own_list;
    evolution->own_list = list;
}

struct evolution *evolution_create(const struct cluster_parameters *parameters,
                                   const struct star *in, struct star *out) {
    struct evolution *evolution = (struct evolution *)calloc(1, sizeof *evolution);
    size_t n = parameters->n, partials;
    int multiprocessors;

    if (!evolution)
        return NULL;
    evolution->parameters = *parameters;
    evolution->in = in;
    evolution->out = out;
    evolution->tick = parameters->interval / (double)INTERVAL;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    evolution->units = UNITS * multiprocessors;
    partials = partials_of(parameters->n, evolution->units);
    host_malloc(&evolution->travellers, n * sizeof *evolution->travellers);
    host_malloc(&evolution->due, n * sizeof *evolution->due);
    host_malloc(&evolution->list, n * sizeof *evolution->list);
    host_malloc(&evolution->sources, n * sizeof *evolution->sources);
    host_malloc(&evolution->partial, partials * sizeof *evolution->partial);
    host_malloc(&evolution->changed, n * sizeof *evolution->changed);
    CUDA_CHECK(cudaMalloc(&evolution->own_travellers, n * sizeof *evolution->travellers));
    CUDA_CHECK(cudaMalloc(&evolution->own_changed, n * sizeof *evolution->changed));
    CUDA_CHECK(cudaMalloc(&evolution->own_list, n * sizeof *evolution->list));
    CUDA_CHECK(cudaMalloc(&evolution->own_moved, n * sizeof *evolution->list));
    CUDA_CHECK(cudaMalloc(&evolution->own_sources, n * sizeof *evolution->sources));
    CUDA_CHECK(cudaMalloc(&evolution->own_partial, partials * sizeof *evolution->partial));
    CUDA_CHECK(cudaMalloc(&evolution->own_whole, n * sizeof *evolution->own_whole));
    return evolution;
}

int evolution_run(struct evolution *evolution, int intervals) {
    ticks end = intervals * INTERVAL, time = 0;
    int n = evolution->parameters.n;

    evolution->moved = 0;
    for (int i = 0; i < n; i++) {
        evolution->travellers[i] = {evolution->in[i], {}, 0, 0};
        evolution->due[i] = 0;
    }
    while (time <= end) {
        move_block(evolution, time);
        time = NEVER;
        for (int i = 0; i < n; i++)
            time = evolution->due[i] < time ? evolution->due[i] : time;
    }
    for (int i = 0; i < n; i++)
        evolution->out[i] = evolution->travellers[i].star;
    return 0;
}

void evolution_destroy(struct evolution *evolution) {
    CUDA_CHECK(cudaFree(evolution->own_travellers));
    CUDA_CHECK(cudaFree(evolution->own_changed));
    CUDA_CHECK(cudaFree(evolution->own_list));
    CUDA_CHECK(cudaFree(evolution->own_moved));
    CUDA_CHECK(cudaFree(evolution->own_sources));
    CUDA_CHECK(cudaFree(evolution->own_partial));
    CUDA_CHECK(cudaFree(evolution->own_whole));
    free(evolution->travellers);
    free(evolution->due);
    free(evolution->list);
    free(evolution->sources);
    free(evolution->partial);
    free(evolution->changed);
    free(evolution);
}
