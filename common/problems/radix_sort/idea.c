/* Whether a right program of step 23 sorts as the step is about. */
#include "sort_problem.h"

#include <stdio.h>
#include <string.h>

/* Of 4 bytes a key: histograms of all digits from one reading, then a load and a store for each
 * digit of 8 bits, 36 bytes, and what tiles tell each other. A pass that counts its keys itself
 * has 12 bytes: 48 at least. */
#define MOST_BYTES 44.0

/* Of 32 keys with a digit of 8 bits each has a sector of its own, or nearly; of a tile sorted by
 * the digit they lie in few runs. */
#define MOST_SECTORS 12.0

static int moves_runs_in_one_sweep(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double keys = (double)observed->n * observed->iterations, bytes = 0, requests = 0, sectors = 0;
    const struct trace_line *scattered = NULL;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space == SHARED_MEMORY)
            continue;
        bytes += (double)line->bytes;
        if (!line->stores || (double)line->bytes < keys)
            continue;
        requests += (double)line->requests;
        sectors += (double)line->sectors;
        if (!scattered || line->sectors > scattered->sectors)
            scattered = line;
    }
    if (bytes > MOST_BYTES * keys)
        snprintf(message, 512,
                 "a key takes %.1f bytes of global memory a sort; at most %.0f are wanted: count "
                 "the digits of all passes in one reading, 4 bytes, and let a pass be one kernel "
                 "that loads and stores each key once, 8 bytes for 8 bits",
                 bytes / keys, MOST_BYTES);
    else if (sectors > MOST_SECTORS * requests)
        snprintf(message, 512,
                 "a warp's store of keys touches %.1f sectors, at {+0x%llx}; at most %.0f are "
                 "wanted: sort the tile by the digit in shared memory first, so that neighbouring "
                 "threads write neighbouring keys",
                 sectors / requests, (unsigned long long)scattered->offset, MOST_SECTORS);
    else
        return 1;
    return 0;
}

int sort_idea(const char *step, const struct observed *observed, char *message) {
    return !strcmp(step, "23_radix_sort") ? moves_runs_in_one_sweep(observed, message) : -1;
}
