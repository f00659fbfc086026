/* What the problem `walk` offers for technique checks. */
#include "walk_problem.h"

#include <stdio.h>

/* Bytes of loads from global memory, per body and pass. A walk for each body alone loads 36 bytes
 * of every node that it looks at, and 16 of every body. */
static double loaded(const struct observed *observed, const struct trace_line **most) {
    const struct trace_line *line = NULL;
    double bytes = 0;

    *most = NULL;
    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space != GLOBAL_MEMORY || line->stores)
            continue;
        bytes += (double)line->bytes;
        if (!*most || line->bytes > (*most)->bytes)
            *most = line;
    }
    return bytes / technique_elements(observed);
}

static double loaded_bytes_per_body(const struct observed *observed) {
    const struct trace_line *most;

    return loaded(observed, &most);
}

static void say_loaded(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most;
    double bytes = loaded(observed, &most);

    if (most)
        snprintf(message, 512,
                 "%.0f bytes are loaded from global memory per body, most of them at {+0x%llx}; at "
                 "most %.0f are wanted: let a warp walk once for all bodies of a group, and keep "
                 "what it accepts in shared memory",
                 bytes, (unsigned long long)most->offset, bound);
}

const struct technique *const walk_techniques[] = {
    (const struct technique[]){
        {.name = "loaded_bytes_per_body", .measure = loaded_bytes_per_body, .say = say_loaded},
        {NULL},
    },
    NULL,
};
