/* Prints what the CPU can do at most, for ceilings.h: a line for one core and one for all cores of
 * each resource. A program of its own, like that for a GPU: it takes up to 1 GiB.
 *
 * Every kernel runs in bursts of some 10 to 100 us; a measurement is the best of a few slots of
 * time, because a ceiling is what is possible at best. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "referee/base/clock.h"
#include "machine_files.h"
#include "topology.h"

/* One vector register. The latency of a fused multiply-add times the pipes gives the sums that must
 * be in flight: 4 cycles x 2 pipes on x86-64 since Skylake and Zen 3, 5 x 2 before; 4 x 4 on Arm's
 * and Apple's widest cores. More than that must not spill: 16 registers before AVX-512, else 32.
 * Of SVE, only the 128 bits shared with NEON are used. */
#if defined(__AVX512F__)
typedef float lanes __attribute__((vector_size(64)));
enum { SUMS = 16 };
#elif defined(__AVX__)
typedef float lanes __attribute__((vector_size(32)));
enum { SUMS = 12 };
#else
typedef float lanes __attribute__((vector_size(16)));
#ifdef __aarch64__
enum { SUMS = 16 };
#else
enum { SUMS = 12 };
#endif
#endif

enum {
    LANES = sizeof(lanes) / sizeof(float),
    FMA_ROUNDS = 10000,
    ROOTS = 1024, /* 8 KiB in and out: the first level of cache */
    ROOT_ROUNDS = 20,
    COPY_BURST = 256 * 1024, /* bytes */
    SLOTS = 8
};

/* Orders memory for the compiler, so that no repetition of a loop can be left out. */
#define KEEP() __asm__ volatile("" ::: "memory")

struct worker {
    struct crew *crew;
    int cpu; /* -1: any */
    pthread_t thread;
    float sums[SUMS * LANES];
    float in[ROOTS], out[ROOTS];
    char *memory; /* bytes, a multiple of two bursts, of which each half is copied to the other */
    size_t bytes, at;
    double rate[SLOTS]; /* units per second in each slot */
};

/* Runs one burst and returns its units of work. */
typedef double burst(struct worker *worker, int slot);

/* The threads of one measurement. */
struct crew {
    burst *run;
    size_t bytes;        /* of a worker's memory to copy in; 0: it copies nothing */
    double slot_seconds; /* s */
    atomic_int ready;
    _Atomic double start; /* s; 0 until all are ready */
};

/* Each sum depends on itself alone; factor and addend are one register, so that neither x86-64 nor
 * aarch64 needs another instruction. Without fused multiply-adds, a product and a sum count as one.
 */
static double fma_burst(struct worker *worker, int slot) {
    lanes sums[SUMS];
    (void)slot;
    memcpy(sums, worker->sums, sizeof sums);
    for (int round = 0; round < FMA_ROUNDS; round++)
        for (int i = 0; i < SUMS; i++)
            sums[i] += sums[i] * 1e-9f;
    memcpy(worker->sums, sums, sizeof sums);
    return (double)FMA_ROUNDS * SUMS * LANES;
}

static double rsqrt_burst(struct worker *worker, int slot) {
    const float *restrict in = worker->in;
    float *restrict out = worker->out;
    (void)slot;
    for (int round = 0; round < ROOT_ROUNDS; round++) {
        for (int i = 0; i < ROOTS; i++)
            out[i] = 1.0f / sqrtf(in[i]);
        KEEP();
    }
    return (double)ROOT_ROUNDS * ROOTS;
}

static void copy_plain(char *to, const char *from) {
    for (size_t i = 0; i < COPY_BURST; i += sizeof(lanes)) {
        *(lanes *)(to + i) = *(const lanes *)(from + i);
        KEEP(); /* gcc and clang would make it a call of memcpy */
    }
}

/* A plain store reads the line it is about to write, a non-temporal one does not. Aarch64's cores
 * notice a stream of stores by themselves. */
static void copy_past_caches(char *to, const char *from) {
#ifdef __x86_64__
    for (size_t i = 0; i < COPY_BURST; i += sizeof(lanes)) {
#if defined(__AVX512F__)
        _mm512_stream_ps((float *)(to + i), *(const lanes *)(from + i));
#elif defined(__AVX__)
        _mm256_stream_ps((float *)(to + i), *(const lanes *)(from + i));
#else
        _mm_stream_ps((float *)(to + i), *(const lanes *)(from + i));
#endif
    }
    _mm_sfence();
#else
    copy_plain(to, from);
#endif
}

/* Which store is faster differs between machines: slots take turns, and the best one counts. */
static double copy_burst(struct worker *worker, int slot) {
    char *from = worker->memory + worker->at;
    char *to = worker->memory + (worker->at + worker->bytes / 2) % worker->bytes;
    if (slot % 2)
        copy_plain(to, from);
    else
        copy_past_caches(to, from);
    worker->at = (worker->at + COPY_BURST) % worker->bytes;
    return 2.0 * COPY_BURST;
}

/* Pages of 2 MiB keep address translation out of the measurement. NULL when memory is short. */
static char *pages(size_t bytes) {
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    memset(memory, 1, bytes);
    return memory;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct crew *crew = worker->crew;
    bool able = true;
    if (worker->cpu >= 0) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(worker->cpu, &cpus);
        sched_setaffinity(0, sizeof cpus, &cpus);
    }
    for (int i = 0; i < SUMS * LANES; i++)
        worker->sums[i] = 1 + (float)i / (SUMS * LANES);
    for (int i = 0; i < ROOTS; i++)
        worker->in[i] = 1 + (float)i / ROOTS;
    if (crew->bytes) { /* touched here first, so that they lie in this CPU's node */
        worker->bytes = crew->bytes;
        worker->memory = pages(crew->bytes);
        able = worker->memory != NULL;
    }
    atomic_fetch_add(&crew->ready, 1);
    while (atomic_load(&crew->start) == 0)
        sched_yield();
    /* By the clock, so that slow cores do not hold up fast ones. */
    for (int slot = 0; able && slot < SLOTS; slot++) {
        double begin = clock_now(), end, units = 0;
        do {
            units += crew->run(worker, slot);
            end = clock_now();
        } while (end < atomic_load(&crew->start) + (slot + 1) * crew->slot_seconds);
        worker->rate[slot] = units / (end - begin);
    }
    if (worker->memory)
        munmap(worker->memory, crew->bytes);
    return NULL;
}

/* The best slot's units per second, summed over `threads` threads, each on one CPU of `cpus`; one
 * thread goes where the system puts it. Threads of our own rather than OpenMP's, which would spin
 * for a while in the time of the next program. 0 if the system gives no thread or memory. */
static double measure(burst *run, double slot_seconds, size_t bytes, int threads,
                      const cpu_set_t *cpus) {
    struct crew crew = {.run = run, .slot_seconds = slot_seconds, .bytes = bytes / threads};
    crew.bytes -= crew.bytes % ((size_t)2 * COPY_BURST);
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return 0;
    int started = 0;
    for (int cpu = -1; started < threads; started++) {
        struct worker *worker = &workers[started];
        worker->crew = &crew;
        worker->cpu = -1;
        if (threads > 1) {
            do
                cpu++;
            while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, cpus));
            worker->cpu = cpu;
        }
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            break;
    }
    while (atomic_load(&crew.ready) < started)
        sched_yield();
    atomic_store(&crew.start, clock_now());
    double best = 0, total[SLOTS] = {0};
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        for (int slot = 0; slot < SLOTS; slot++)
            total[slot] += workers[i].rate[slot];
    }
    for (int slot = 0; slot < SLOTS; slot++)
        best = fmax(best, total[slot]);
    free(workers);
    return best;
}

/* Bytes to copy in, of all threads: four times the caches of last level that the threads can reach,
 * which no replacement strategy hides; at most 1 GiB and an eighth of the memory that is free. */
static size_t copy_bytes(const struct topology *topology, int threads) {
    char text[4096], value[64];
    double bytes = 4.0 * (32 << 20), most = 1 << 30;
    const struct cache *last = topology_last_cache(topology);
    if (last && last->kib > 0)
        bytes = 4.0 * 1024 * (double)last->kib * (threads > 1 ? last->instances : 1);
    if (file_read(text, sizeof text, "", "/proc/meminfo") &&
        file_field(value, sizeof value, text, "MemAvailable"))
        most = fmin(most, atof(value) * 1024 / 8);
    /* A container's share, cgroup version 2 and 1. */
    if ((file_read(text, sizeof text, "", "/sys/fs/cgroup/memory.max") ||
         file_read(text, sizeof text, "", "/sys/fs/cgroup/memory/memory.limit_in_bytes")) &&
        atof(text) > 0)
        most = fmin(most, atof(text) / 8);
    bytes = fmax(fmin(bytes, most), 2.0 * threads * COPY_BURST);
    return (size_t)bytes;
}

int main(void) {
    static const struct {
        const char *resource, *unit;
        burst *run;
        double slot_seconds; /* s */
    } resources[] = {
        {"fma", "lanes/s", fma_burst, 0.01},
        {"rsqrt", "lanes/s", rsqrt_burst, 0.01},
        {"copy", "B/s", copy_burst, 0.03},
    };
    struct topology topology;
    cpu_set_t cpus;
    int all = 1;
    topology_read(&topology, "");
    /* The mask of a machine with more than 1024 CPUs does not fit; then one is all. */
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        all = CPU_COUNT(&cpus);
    for (int r = 0; r < (int)(sizeof resources / sizeof *resources); r++)
        for (int a = 0; a < 2; a++) {
            int threads = a ? all : 1;
            size_t bytes = resources[r].run == copy_burst ? copy_bytes(&topology, threads) : 0;
            printf("%s %.6g %s %d\n", resources[r].resource,
                   measure(resources[r].run, resources[r].slot_seconds, bytes, threads, &cpus),
                   resources[r].unit, threads);
        }
    return 0;
}
