/* The idea of step 14: a body j, once loaded, serves several bodies of the thread. */
#include <stdio.h>

#include "idea.h"

/* A loop that loads body j for one body of the thread asks for 1, as one vector of four floats; for
 * two bodies for 0.5. The loading of tiles, of the own bodies and of partial sums takes some too.
 */
#define MOST_LOADS 0.7

int nbody_blocks_registers(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double interactions = (double)observed->n * observed->n * observed->iterations;
    const struct trace_line *most = NULL;
    double loads = 0;
    uint64_t i;

    for (i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->stores || line->space == CONSTANT_MEMORY)
            continue;
        loads += 32 * (double)line->requests;
        if (!most || line->requests > most->requests)
            most = line;
    }
    if (!most) {
        snprintf(message, 512,
                 "no kernel loaded anything, so there are no bodies to be kept in registers");
        return 0;
    }
    if (loads <= MOST_LOADS * interactions)
        return 1;
    snprintf(message, 512,
             "an interaction takes %.2f loads from shared or global memory, most of them at "
             "{+0x%llx}; at most %.1f are wanted: keep two bodies or more of the thread "
             "in registers, and use a body j for all of them once it is loaded",
             loads / interactions, (unsigned long long)most->offset, MOST_LOADS);
    return 0;
}
