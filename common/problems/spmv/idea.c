/* Whether a right program of step 24 shares out the matrix as the step is about. */
#include "spmv_problem.h"

#include <stdio.h>
#include <string.h>

/* Neighbouring lanes that load neighbouring nonzeros touch an eighth of a sector of 32 bytes for a
 * column, one for a value, and less than two for x. A thread a row has 2 in all, a warp a row 1.3,
 * since of a row of 7 nonzeros 25 lanes have nothing. */
#define MOST_SECTORS 0.8

/* Of the 128 that a warp can ask for at once. */
#define FEW_BYTES 64

static int loads_neighbours(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double nonzeros = spmv_nonzeros(*spmv_distributions, observed->n) * observed->iterations;
    const struct trace_line *most = NULL;
    double sectors = 0, bytes;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space != GLOBAL_MEMORY || line->stores)
            continue;
        sectors += (double)line->sectors;
        if (!most || line->sectors > most->sectors)
            most = line;
    }
    if (sectors <= MOST_SECTORS * nonzeros)
        return 1;
    bytes = (double)most->bytes / (double)most->requests;
    if (bytes < FEW_BYTES)
        snprintf(
            message, 512,
            "a nonzero takes %.2f sectors of 32 bytes loaded, at most %.1f are wanted; at "
            "{+0x%llx} a warp asks for %.0f bytes at once of %d that it could: rows are short, "
            "so let a warp load nonzeros of many rows",
            sectors / nonzeros, MOST_SECTORS, (unsigned long long)most->offset, bytes,
            32 * most->width);
    else
        snprintf(message, 512,
                 "a nonzero takes %.2f sectors of 32 bytes loaded, at most %.1f are wanted; at "
                 "{+0x%llx} a request touches %.1f: let neighbouring lanes load neighbouring "
                 "nonzeros, not each those of its own row",
                 sectors / nonzeros, MOST_SECTORS, (unsigned long long)most->offset,
                 (double)most->sectors / (double)most->requests);
    return 0;
}

int spmv_idea(const char *step, const struct observed *observed, char *message) {
    return !strcmp(step, "24_spmv") ? loads_neighbours(observed, message) : -1;
}
