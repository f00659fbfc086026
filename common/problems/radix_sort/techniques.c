/* What the problem `radix_sort` offers for technique checks. */
#include "sort_problem.h"

#include <math.h>
#include <stdio.h>

/* One kernel counts the digits of all passes, four passes of 8 bits or six of 6 take one each, and
 * one changes keys: 9 are enough. A pass in several kernels, which count, scan and move, has more,
 * as have more passes. (Bytes would tell the same, but for those that a tile loads while it waits.)
 */
static double kernels(const struct observed *observed) {
    return (double)observed->counters.launches / observed->iterations;
}

static void say_kernels(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "a sort takes %.1f kernels; at most %.0f are wanted: count the digits of all passes "
             "in one kernel, which reads the keys once, and make each pass of 8 bits one kernel, "
             "which loads and stores each key once and asks earlier tiles how many keys they have",
             kernels(observed), bound);
}

/* Of 32 keys with a digit of 8 bits each has a sector of its own, or nearly; of a tile sorted by
 * the digit they lie in few runs. A block of few threads has a small tile, whose runs are short: 32
 * of its keys have 32 x 256 / tile digits, a sector each, beside the 4 that 32 keys fill. */
#define MOST_OF_A_SMALL_TILE 24.0

static double with_small_tiles(const struct observed *observed, double bound) {
    double tile = (double)observed->n / technique_blocks(observed);

    return fmax(bound, fmin(4 + 32 * 256 / tile, MOST_OF_A_SMALL_TILE));
}

/* Of the lines that store the keys; `scattered` is the one with most. */
static double sectors(const struct observed *observed, const struct trace_line **scattered) {
    const struct trace_line *line = NULL;
    double keys = technique_elements(observed), requests = 0, touched = 0;

    *scattered = NULL;
    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space != GLOBAL_MEMORY || !line->stores || (double)line->bytes < keys)
            continue;
        requests += (double)line->requests;
        touched += (double)line->sectors;
        if (!*scattered || line->sectors > (*scattered)->sectors)
            *scattered = line;
    }
    return requests > 0 ? touched / requests : 0;
}

static double sectors_per_store(const struct observed *observed) {
    const struct trace_line *scattered;

    return sectors(observed, &scattered);
}

static void say_sectors(const struct observed *observed, double bound, char *message) {
    const struct trace_line *scattered;
    double touched = sectors(observed, &scattered);

    snprintf(message, 512,
             "a warp's store of keys touches %.1f sectors, at {+0x%llx}; at most %.0f are "
             "wanted: sort the tile by the digit in shared memory first, so that neighbouring "
             "threads write neighbouring keys",
             touched, (unsigned long long)scattered->offset, bound);
}

const struct technique *const sort_techniques[] = {
    (const struct technique[]){
        {.name = "kernels_per_sort", .measure = kernels, .say = say_kernels},
        {.name = "sectors_per_store",
         .measure = sectors_per_store,
         .say = say_sectors,
         .bound_for = with_small_tiles},
        {NULL},
    },
    NULL,
};
