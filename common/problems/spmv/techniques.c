/* What the problem `spmv` offers for technique checks. */
#include "spmv_problem.h"

#include <stdio.h>

/* Neighbouring lanes that load neighbouring nonzeros touch an eighth of a sector of 32 bytes for a
 * column, one for a value, and less than two for x: 0.8 is a good bound. A thread a row has 2 in
 * all, a warp a row 1.3, since of a row of 7 nonzeros 25 lanes have nothing. */

/* Of the 128 that a warp can ask for at once. */
#define FEW_BYTES 64

static double sectors(const struct trace_line *line) {
    return line->space == GLOBAL_MEMORY && !line->stores ? (double)line->sectors : 0;
}

static double sectors_per_nonzero(const struct observed *observed) {
    return technique_tally(observed, sectors).sum /
           (spmv_nonzeros(*spmv_distributions, observed->n) * observed->iterations);
}

static void say_sectors(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most = technique_tally(observed, sectors).most;
    double all = sectors_per_nonzero(observed),
           bytes = (double)most->bytes / (double)most->requests;

    if (bytes < FEW_BYTES)
        snprintf(message, 512,
                 "a nonzero takes %.2f sectors of 32 bytes loaded, at most %.1f are wanted; at "
                 "{+0x%llx} a warp loads %.0f bytes at once and could load %d: rows are short, so "
                 "let a warp load nonzeros of many rows",
                 all, bound, (unsigned long long)most->offset, bytes, 32 * most->width);
    else
        snprintf(message, 512,
                 "a nonzero takes %.2f sectors of 32 bytes loaded, at most %.1f are wanted; at "
                 "{+0x%llx} a request touches %.1f: let neighbouring lanes load neighbouring "
                 "nonzeros, not each those of its own row",
                 all, bound, (unsigned long long)most->offset,
                 (double)most->sectors / (double)most->requests);
}

const struct technique *const spmv_techniques[] = {
    (const struct technique[]){
        {.name = "sectors_per_nonzero", .measure = sectors_per_nonzero, .say = say_sectors},
        {NULL},
    },
    NULL,
};
