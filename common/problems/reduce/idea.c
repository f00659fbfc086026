/* Whether a right program of step 21 adds up as the step is about. */
#include "reduce_problem.h"

#include <stdio.h>
#include <string.h>

/* An element is loaded once, 4 bytes; the rest is sums of blocks. Of what goes through shared
 * memory a tree of all elements has 12 bytes an element and more, sums of warps have far below 1.
 */
#define MOST_GLOBAL_BYTES 4.5 /* but for what a whole warp reads at one address */
#define MOST_SHARED_BYTES 1.0

static int loads_vectors_and_sums_in_registers(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double elements = (double)observed->n * observed->iterations, loaded = 0, shared = 0, wide = 0;
    const struct trace_line *narrow = NULL, *most_shared = NULL;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space == SHARED_MEMORY) {
            shared += (double)line->bytes;
            if (!most_shared || line->bytes > most_shared->bytes)
                most_shared = line;
        } else if (line->space == GLOBAL_MEMORY && !line->stores &&
                   line->broadcasts < line->requests) {
            loaded += (double)line->bytes;
            wide += line->width == 16 ? (double)line->bytes : 0;
            if (line->width != 16 && (!narrow || line->bytes > narrow->bytes))
                narrow = line;
        }
    }
    if (loaded > MOST_GLOBAL_BYTES * elements)
        snprintf(
            message, 512,
            "an element takes %.2f bytes loaded from global memory; at most %.1f are wanted: "
            "load each once, and add up the sums of blocks by atomicAdd or in one small kernel",
            loaded / elements, MOST_GLOBAL_BYTES);
    else if (shared > MOST_SHARED_BYTES * elements)
        snprintf(message, 512,
                 "an element takes %.2f bytes of shared memory, most of them at {+0x%llx}; at most "
                 "%.1f are wanted: let each thread add up many elements in a register, then the "
                 "lanes of a warp by shuffles, and one thread what the warps have",
                 shared / elements, (unsigned long long)most_shared->offset, MOST_SHARED_BYTES);
    else if (wide < 0.9 * loaded)
        snprintf(message, 512,
                 "%.0f%% of the bytes are loaded by 16 a lane, and by fewer at {+0x%llx}; at least "
                 "90%% are wanted: let a thread load int4 or float4",
                 100 * wide / loaded, (unsigned long long)narrow->offset);
    else if (most_blocks(counters) < 2)
        snprintf(message, 512,
                 "%d elements are added up by one block; as many are wanted as the GPU holds at a "
                 "time, or as give each thread a vector, if those are fewer",
                 observed->n);
    else
        return 1;
    return 0;
}

int reduce_idea(const char *step, const struct observed *observed, char *message) {
    return !strcmp(step, "21_reduce") ? loads_vectors_and_sums_in_registers(observed, message) : -1;
}
