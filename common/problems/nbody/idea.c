#include <stdio.h>
#include <string.h>

#include "idea.h"

/* A program whose other threads together did less than this share of the busiest one's work has not
 * shared out its loop. Two threads that share fairly reach 1; a serial program stays below 0.01. */
#define LEAST_SHARE 0.2

static int shares_work(const struct observed *observed, char *message) {
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

static int launches(const struct observed *observed, char *message) {
    unsigned long long launches = observed->counters.launches;

    if (launches >= (uint64_t)observed->iterations)
        return 1;
    snprintf(message, 512,
             "%llu kernel launch%s in %d iterations: the forces of every iteration are to be "
             "computed by a kernel",
             launches, launches == 1 ? "" : "es", observed->iterations);
    return 0;
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

/* In step 03 every thread loads the three coordinates of every body. A tile of 256 bodies is loaded
 * once for 256 threads; half of that leaves room for what a thread loads and stores of its own. */
#define BYTES_OF_STEP_03 12.0
#define LEAST_REUSE      128.0

static int reuses_tiles(const struct observed *observed, char *message) {
    double interactions = (double)observed->n * observed->n * observed->iterations;
    double bytes = (double)observed->counters.global_bytes / interactions;

    if (bytes <= BYTES_OF_STEP_03 / LEAST_REUSE)
        return 1;
    snprintf(
        message, 512,
        "an interaction takes %.3f bytes of global memory, at n = %d; at most %.3f are wanted, "
        "the %.0f of the three coordinates that step 03 needs over %.0f: load a tile of bodies "
        "into "
        "shared memory once and have all threads of the block use it",
        bytes, observed->n, BYTES_OF_STEP_03 / LEAST_REUSE, BYTES_OF_STEP_03, LEAST_REUSE);
    return 0;
}

static int unrolls(const struct observed *observed, char *message) {
    if (observed->counters.unrolled_loops)
        return 1;
    snprintf(message, 512,
             "no loop is unrolled: a `#pragma unroll` before the loop over bodies, with a number "
             "above 1 or none, is wanted");
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

int nbody_idea(const char *step, const struct observed *observed, char *message) {
    static const struct {
        const char *step;
        int (*follows)(const struct observed *observed, char *message);
    } ideas[] = {{"02_openmp", shares_work},   {"03_cuda_naive", launches},
                 {"04_soa", reads_neighbours}, {"05_tiling", reuses_tiles},
                 {"06_unroll", unrolls},       {"07_device_integration", copies_once}};
    size_t i;

    for (i = 0; i < sizeof ideas / sizeof *ideas; i++)
        if (!strcmp(step, ideas[i].step))
            return ideas[i].follows(observed, message);
    return -1;
}
