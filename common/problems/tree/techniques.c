/* What the problem `tree` offers for technique checks. */
#include "tree_problem.h"

#include <stdio.h>

/* A box, keys, an order, the tree with its masses, and the body that moves: 5 kernels, and those of
 * a sort of one's own. A launch for each depth has two times as many as there are levels. */
static double kernels(const struct observed *observed) {
    return (double)observed->counters.launches / observed->iterations;
}

static void say_kernels(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "a build takes %.1f kernels; at most %.0f are wanted: let one kernel go through all "
             "depths; its blocks wait for each other at a barrier of the grid",
             kernels(observed), bound);
}

/* Bytes of loads of 8 bytes from global memory, which keys are, per body. A node of c bodies that
 * eight lanes search has 8 log2(c) keys read, and there are some n / 6 nodes. */
static double key_bytes(const struct trace_line *line) {
    return line->space == GLOBAL_MEMORY && !line->stores && line->width == 8 ? (double)line->bytes
                                                                             : 0;
}

static double key_bytes_per_body(const struct observed *observed) {
    return technique_tally(observed, key_bytes).sum / technique_elements(observed);
}

static void say_key_bytes(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most = technique_tally(observed, key_bytes).most;

    if (most)
        snprintf(message, 512,
                 "%.0f bytes of keys are read per body and build, most of them at {+0x%llx}; at "
                 "most %.0f are wanted: keys are sorted, so a search can drop half of them at a "
                 "time",
                 key_bytes_per_body(observed), (unsigned long long)most->offset, bound);
}

const struct technique *const tree_techniques[] = {
    (const struct technique[]){
        {.name = "kernels_per_build", .measure = kernels, .say = say_kernels},
        {.name = "key_bytes_per_body", .measure = key_bytes_per_body, .say = say_key_bytes},
        {NULL},
    },
    NULL,
};
