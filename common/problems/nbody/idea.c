#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idea.h"

/* A program whose other threads together did less than this share of the busiest one's work has not
 * shared out its loop. Two threads that share fairly reach 1; a serial program stays below 0.01. */
#define LEAST_SHARE 0.2

int nbody_shares_work(const struct observed *observed, char *message) {
    double others = observed->cpu_seconds - observed->busiest_seconds;

    if (others >= LEAST_SHARE * observed->busiest_seconds)
        return 1;
    snprintf(message, 512,
             "one thread did %.0f%% of the work: the loop over bodies is not shared out; a "
             "`#pragma omp parallel` around the iterations and a `#pragma omp for` before each "
             "loop would do it",
             100 * observed->busiest_seconds / observed->cpu_seconds);
    return 0;
}

/* The value of the last -DNAME=value among the flags of the compile line; -1 without one. */
static long macro_of(const char *flags, const char *name) {
    size_t length = strlen(name);
    const char *at = flags;
    long value = -1;

    for (; (at = strstr(at, "-D")); at += 2)
        if (!strncmp(at + 2, name, length) && at[2 + length] == '=')
            value = atol(at + 2 + length + 1);
    return value;
}

/* Blocks and threads exchanged compute the same, as far as a block may have so many threads. */
static int launches(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    unsigned long long launches = counters->launches;
    long threads = macro_of(observed->flags, "THREADS");
    uint64_t i;

    if (launches < (uint64_t)observed->iterations) {
        snprintf(message, 512,
                 "%llu kernel launch%s in %d iterations: the forces of every iteration are to be "
                 "computed by a kernel",
                 launches, launches == 1 ? "" : "es", observed->iterations);
        return 0;
    }
    for (i = 0; threads > 0 && i < counters->interval_count && i < MOST_INTERVALS; i++) {
        const struct interval *interval = &counters->intervals[i];

        if (interval->kind != KERNEL || interval->threads == (uint64_t)threads)
            continue;
        snprintf(message, 512,
                 "a block of %s has %llu thread%s where THREADS is %ld: the launch is <<<blocks, "
                 "threads>>>",
                 interval->kernel, (unsigned long long)interval->threads,
                 interval->threads == 1 ? "" : "s", threads);
        return 0;
    }
    return 1;
}

/* A warp that reads 32 neighbouring floats touches 4 sectors of 32 bytes, and 5 if they do not
 * start at one; a float of each of 32 bodies of six floats lies in 24. */
#define MOST_SECTORS 5.0

static int reads_neighbours(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    const struct trace_line *worst = NULL;
    uint64_t requests = 0, sectors = 0, i;

    for (i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space != GLOBAL_MEMORY || !line->varied_requests)
            continue;
        requests += line->varied_requests;
        sectors += line->varied_sectors;
        if (!worst || (double)line->varied_sectors * (double)worst->varied_requests >
                          (double)worst->varied_sectors * (double)line->varied_requests)
            worst = line;
    }
    if (!requests) {
        snprintf(message, 512,
                 "no kernel accessed global memory at an address that differs by thread, so there "
                 "is no layout to look at");
        return 0;
    }
    if ((double)sectors <= MOST_SECTORS * (double)requests)
        return 1;
    snprintf(message, 512,
             "an access of a warp touches %.1f sectors of 32 bytes, %.1f at {+0x%llx}; at most "
             "%.0f are wanted: with an array for each component, 32 neighbouring threads read 32 "
             "neighbouring floats, which are 4 sectors",
             (double)sectors / (double)requests,
             (double)worst->varied_sectors / (double)worst->varied_requests,
             (unsigned long long)worst->offset, MOST_SECTORS);
    return 0;
}

/* In step 03 every thread loads the three coordinates of every body. A tile is loaded once for the
 * threads of a block; half of them leaves room for vectors of four floats, and for what a thread
 * loads and stores of its own. More than 128 need not share, and a tile of fewer than a warp's
 * bodies is none. */
#define BYTES_OF_STEP_03 12.0
#define MOST_SHARING     256
#define LEAST_SHARING    32

/* Parameters lie in constant memory; bodies there are 12 bytes or more. */
#define MOST_CONSTANT_BYTES 1.0

/* How many threads may share a tile: those of a block of the kernel that takes most roots. */
static double sharing_threads(const struct counters *counters) {
    const struct interval *forces = most_roots(counters);
    uint64_t threads = forces ? forces->threads : MOST_SHARING;

    return threads < LEAST_SHARING  ? LEAST_SHARING
           : threads > MOST_SHARING ? MOST_SHARING
                                    : (double)threads;
}

/* Bytes of a line that the idea is about: a thread's own body is no tile's, though a barrier makes
 * it load that once more. */
static double of_others(const struct trace_line *line) {
    return (double)(line->bytes - line->again);
}

static int reuses_tiles(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double interactions = (double)observed->n * observed->n * observed->iterations;
    double threads = sharing_threads(counters), most = 2 * BYTES_OF_STEP_03 / threads;
    double bytes = (double)counters->global_bytes / interactions, constant = 0;
    const struct trace_line *worst = NULL;
    char where[128] = "";
    uint64_t i;

    for (i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space == SHARED_MEMORY)
            continue;
        if (line->space == CONSTANT_MEMORY)
            constant += of_others(line) / interactions;
        else
            bytes -= (double)line->again / interactions;
        if (!worst || of_others(line) > of_others(worst))
            worst = line;
    }
    if (bytes <= most && constant <= MOST_CONSTANT_BYTES)
        return 1;
    if (worst)
        snprintf(where, sizeof where, ", of them %.3f at {+0x%llx}, %s {=0x%llx}",
                 of_others(worst) / interactions, (unsigned long long)worst->offset,
                 worst->stores ? "which stores to" : "which loads",
                 (unsigned long long)worst->offset);
    if (bytes <= most)
        snprintf(
            message, 512,
            "an interaction takes %.3f bytes of constant memory%s; parameters may be there, and "
            "bodies are wanted in a tile in shared memory, which all threads of a block use",
            constant, where);
    else
        snprintf(
            message, 512,
            "an interaction takes %.3f bytes of global memory%s; with %.0f threads per block at "
            "most %.3f are wanted, the %.0f of the three coordinates that every thread loads "
            "without a tile over %.0f: load a tile of bodies into shared memory once and have "
            "all threads of the block use it",
            bytes, where, threads, most, BYTES_OF_STEP_03, threads / 2);
    return 0;
}

static int unrolls(const struct observed *observed, char *message) {
    static const char wanted[] =
        "; a constant has the variant's factor, so `#pragma unroll unroll` "
        "and `static const int unroll = UNROLL;` are wanted";
    const struct counters *counters = &observed->counters;
    const char *why;

    if (counters->unrolled_loops && counters->other_unroll != UNROLL_BY_MACRO &&
        counters->other_unroll != UNROLL_BY_NO_CONSTANT)
        return 1;
    if (!counters->other_unroll) {
        snprintf(message, 512,
                 "no loop is unrolled: a `#pragma unroll unroll` before the loop over the bodies "
                 "of a tile is wanted");
        return 0;
    }
    why =
        counters->other_unroll == UNROLL_BY_MACRO
            ? "the factor of this `#pragma unroll` is a macro, which nvcc does not take, since no "
              "macro is expanded in a #pragma"
        : counters->other_unroll == UNROLL_BY_NO_CONSTANT
            ? "what stands behind this `#pragma unroll` is no constant expression of integers; "
              "nvcc "
              "ignores it or refuses the file"
        : counters->other_unroll == UNROLL_BY_NUMBER
            ? "the factor of this `#pragma unroll` is a number, so all variants are one program"
            : "this `#pragma unroll` has no factor, so all variants are one program";
    snprintf(message, 512, "%s:%llu: %s%s", observed->source,
             (unsigned long long)counters->other_unroll_line, why, wanted);
    return 0;
}

static int copies_once(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;

    if (counters->copies_in == 1 && counters->copies_out == 1)
        return 1;
    snprintf(message, 512,
             "a run of %d iterations copied %llu times to the device and %llu times back; one copy "
             "each way is wanted: between iterations the bodies stay on the device",
             observed->iterations, (unsigned long long)counters->copies_in,
             (unsigned long long)counters->copies_out);
    return 0;
}

/* Threads without a body may compute as the others do: 5 blocks of 1000 threads for 4096 bodies
 * take 22% more roots. And a body's pair with itself may be left out. */
#define LEAST_ROOTS 0.99
#define MOST_ROOTS  1.25

static int takes_one_root(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double interactions = (double)observed->n * observed->n * observed->iterations;
    double roots = (double)counters->rsqrtf_calls / interactions;

    if (!counters->other_roots && roots >= LEAST_ROOTS && roots <= MOST_ROOTS)
        return 1;
    snprintf(
        message, 512,
        "in %.0f interactions kernels called rsqrtf %llu times, and sqrtf or another root %llu "
        "times; one rsqrtf an interaction and no other root are wanted: rsqrtf(x) is "
        "1.0f / sqrtf(x)",
        interactions, (unsigned long long)counters->rsqrtf_calls,
        (unsigned long long)counters->other_roots);
    return 0;
}

/* Whether the word that begins at `at` is one of these two. */
static int is_word(const char *at, size_t length, const char *one, const char *other) {
    return (strlen(one) == length && !strncmp(at, one, length)) ||
           (strlen(other) == length && !strncmp(at, other, length));
}

/* As nvcc reads them: of several -ftz the last one counts, and any goes before -use_fast_math,
 * wherever it stands. */
static int flushes_to_zero(const struct observed *observed, char *message) {
    int ftz = 0, ftz_given = 0, is_value = 0, fast_math = 0;
    const char *at = observed->flags;
    size_t length;

    for (; (length = strcspn(at += strspn(at, " ="), " =")); at += length) {
        if (is_value)
            ftz = is_word(at, length, "true", "true");
        is_value = is_word(at, length, "-ftz", "--ftz");
        ftz_given |= is_value;
        fast_math |= is_word(at, length, "-use_fast_math", "--use_fast_math");
    }
    if (ftz_given ? ftz : fast_math)
        return 1;
    snprintf(message, 512,
             "with the flags %s denormals are kept; -ftz=true is wanted, in the file `flags` "
             "beside the source",
             observed->flags);
    return 0;
}

/* The share of a space's loads that have this width, by requests of warps. `other` is the line with
 * the most loads of another width, or NULL. Returns -1 if there are no loads. */
static double share_of_width(const struct counters *counters, int spaces, unsigned width,
                             const struct trace_line **other) {
    uint64_t all = 0, wanted = 0, i;

    *other = NULL;
    for (i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->stores || !(spaces >> line->space & 1))
            continue;
        all += line->requests;
        if (line->width == width)
            wanted += line->requests;
        else if (!*other || line->requests > (*other)->requests)
            *other = line;
    }
    return all ? (double)wanted / (double)all : -1;
}

/* The default variant loads single halves, both from global memory, where few loads are the bodies'
 * own, and from the tile. */
static int loads_halves(const struct observed *observed, char *message) {
    static const struct {
        int space;
        const char *name;
    } spaces[] = {{GLOBAL_MEMORY, "global"}, {SHARED_MEMORY, "shared"}};
    const struct trace_line *other;
    size_t i;

    for (i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        double share = share_of_width(&observed->counters, 1 << spaces[i].space, 2, &other);

        if (share > 0.5)
            continue;
        if (share < 0)
            snprintf(message, 512,
                     "no kernel loaded anything from %s memory; positions in half, "
                     "in global memory and in the tile, are wanted",
                     spaces[i].name);
        else
            snprintf(message, 512,
                     "%.0f%% of the loads from %s memory are of 2 bytes a thread, and those at "
                     "{+0x%llx} of %u; most are to be of 2: positions in half, in global memory "
                     "and in the tile",
                     100 * share, spaces[i].name, (unsigned long long)other->offset, other->width);
        return 0;
    }
    return 1;
}

static int copies_pinned(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;

    if (counters->copies_in && counters->pinned_in == counters->copies_in && counters->copies_out &&
        counters->pinned_out == counters->copies_out)
        return 1;
    snprintf(
        message, 512,
        "%llu of %llu copies to the device and %llu of %llu back had page-locked memory on the "
        "host's side; all are to have it, and one each way at least: cudaMallocHost instead of "
        "malloc",
        (unsigned long long)counters->pinned_in, (unsigned long long)counters->copies_in,
        (unsigned long long)counters->pinned_out, (unsigned long long)counters->copies_out);
    return 0;
}

/* What all threads go over again and again lies in shared memory, or in global memory if the
 * program has no tile. */
static int loads_whole_bodies(const struct observed *observed, char *message) {
    const struct trace_line *other;
    double share = share_of_width(&observed->counters, 1 << SHARED_MEMORY, 16, &other);
    const char *space = share < 0 ? "global" : "shared";

    if (share < 0)
        share = share_of_width(&observed->counters, 1 << GLOBAL_MEMORY, 16, &other);
    if (share > 0.5)
        return 1;
    if (!other)
        snprintf(message, 512, "no kernel loaded anything, so there is no float4 to look at");
    else
        snprintf(
            message, 512,
            "%.0f%% of the loads from %s memory are of 16 bytes a thread, and those at "
            "{+0x%llx} of %u; most are to be of 16: copy a body's whole float4 into a variable "
            "and take x, y and z from that",
            100 * share, space, (unsigned long long)other->offset, other->width);
    return 0;
}

int nbody_idea(const char *step, const struct observed *observed, char *message) {
    static const struct {
        const char *step;
        int (*follows)(const struct observed *observed, char *message);
    } ideas[] = {{"02_openmp", nbody_shares_work},
                 {"03_cuda_naive", launches},
                 {"04_soa", reads_neighbours},
                 {"05_tiling", reuses_tiles},
                 {"06_unroll", unrolls},
                 {"07_device_integration", copies_once},
                 {"08_rsqrt", takes_one_root},
                 {"09_ftz", flushes_to_zero},
                 {"10_fp16", loads_halves},
                 {"11_pinned", copies_pinned},
                 {"12_float4", loads_whole_bodies},
                 {"13_cpu_simd", nbody_uses_vectors},
                 {"14_register_blocking", nbody_blocks_registers},
                 {"15_threads_per_body", nbody_shares_bodies},
                 {"16_tensor_cores", nbody_uses_tensors},
                 {"17_multi_gpu", nbody_uses_all_devices}};
    size_t i;

    for (i = 0; i < sizeof ideas / sizeof *ideas; i++)
        if (!strcmp(step, ideas[i].step))
            return ideas[i].follows(observed, message);
    return -1;
}
