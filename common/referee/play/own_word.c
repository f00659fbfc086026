#include "own_word.h"

#include <stddef.h>

struct figures figures_in_range(struct figures said) {
    double *seconds[] = {&said.force_seconds, &said.position_seconds, &said.device_seconds};
    size_t i;

    for (i = 0; i < sizeof seconds / sizeof *seconds; i++)
        if (!(*seconds[i] > 0 && *seconds[i] < 1e6))
            *seconds[i] = 0;
    return said;
}

struct counters counters_in_range(struct counters said) {
    int i;

    said.suspect[sizeof said.suspect - 1] = 0;
    if (said.traced_lines > TRACE_LINES)
        said.traced_lines = TRACE_LINES;
    for (i = 0; i < MOST_INTERVALS; i++) {
        struct interval *interval = &said.intervals[i];

        interval->kernel[sizeof interval->kernel - 1] = 0;
        if (interval->kind > KERNEL)
            interval->kind = KERNEL;
        if (!(interval->begin >= 0 && interval->begin <= interval->end && interval->end < 1e6))
            interval->begin = interval->end = 0;
        if (interval->threads > 1024 || interval->static_bytes > 1 << 20 ||
            interval->dynamic_bytes > 1 << 20)
            interval->threads = interval->static_bytes = interval->dynamic_bytes = 0;
    }
    return said;
}
