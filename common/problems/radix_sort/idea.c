/* Whether a right program of step 23 sorts as the step is about. */
#include "sort_problem.h"

#include <stdio.h>
#include <string.h>

/* One kernel counts the digits of all passes, four passes of 8 bits or six of 6 take one each, and
 * one changes keys. A pass in several kernels, which count, scan and move, has more, as have more
 * passes. (Bytes would tell the same, but for those that a tile loads while it waits.) */
#define MOST_KERNELS 9.0

/* Of 32 keys with a digit of 8 bits each has a sector of its own, or nearly; of a tile sorted by
 * the digit they lie in few runs. A block of few threads has a small tile, whose runs are short: 32
 * of its keys have 32 x 256 / tile digits, a sector each, beside the 4 that 32 keys fill. */
#define MOST_SECTORS    12.0
#define MOST_OF_A_SMALL 24.0

static double most_sectors(const struct observed *observed) {
    double tile = (double)observed->n / (double)most_blocks(&observed->counters);
    double sectors = 4 + 32 * 256 / tile;

    return sectors < MOST_SECTORS      ? MOST_SECTORS
           : sectors > MOST_OF_A_SMALL ? MOST_OF_A_SMALL
                                       : sectors;
}

static int moves_runs_in_one_sweep(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double keys = (double)observed->n * observed->iterations, requests = 0, sectors = 0;
    double kernels = (double)counters->launches / observed->iterations;
    const struct trace_line *scattered = NULL;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space != GLOBAL_MEMORY || !line->stores || (double)line->bytes < keys)
            continue;
        requests += (double)line->requests;
        sectors += (double)line->sectors;
        if (!scattered || line->sectors > scattered->sectors)
            scattered = line;
    }
    if (kernels > MOST_KERNELS)
        snprintf(message, 512,
                 "a sort takes %.1f kernels; at most %.0f are wanted: count the digits of all "
                 "passes in one, which reads the keys once, and let a pass of 8 bits be one that "
                 "loads and stores each key once and asks earlier tiles how many keys they have",
                 kernels, MOST_KERNELS);
    else if (sectors > most_sectors(observed) * requests)
        snprintf(message, 512,
                 "a warp's store of keys touches %.1f sectors, at {+0x%llx}; at most %.0f are "
                 "wanted: sort the tile by the digit in shared memory first, so that neighbouring "
                 "threads write neighbouring keys",
                 sectors / requests, (unsigned long long)scattered->offset, most_sectors(observed));
    else
        return 1;
    return 0;
}

int sort_idea(const char *step, const struct observed *observed, char *message) {
    return !strcmp(step, "23_radix_sort") ? moves_runs_in_one_sweep(observed, message) : -1;
}
