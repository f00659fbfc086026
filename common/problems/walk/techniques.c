/* What the problem `walk` offers for technique checks. */
#include "walk_problem.h"

#include <stdio.h>

/* Bytes of loads from global memory, per body and pass. A walk for each body alone loads 36 bytes
 * of every node that it looks at, and 16 of every body. */
static double loaded(const struct trace_line *line) {
    return line->space == GLOBAL_MEMORY && !line->stores ? (double)line->bytes : 0;
}

static double loaded_bytes_per_body(const struct observed *observed) {
    return technique_tally(observed, loaded).sum / technique_elements(observed);
}

static void say_loaded(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most = technique_tally(observed, loaded).most;

    if (most)
        snprintf(message, 512,
                 "%.0f bytes are loaded from global memory per body, most of them at {+0x%llx}; at "
                 "most %.0f are wanted: let a warp walk once for all bodies of a group, and keep "
                 "what it accepts in shared memory",
                 loaded_bytes_per_body(observed), (unsigned long long)most->offset, bound);
}

const struct technique *const walk_techniques[] = {
    (const struct technique[]){
        {.name = "loaded_bytes_per_body", .measure = loaded_bytes_per_body, .say = say_loaded},
        {NULL},
    },
    NULL,
};
