/* Whether a right program of step 22 scans as the step is about. */
#include "scan_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An element is loaded once and stored once, 4 bytes each; the rest is tiles' words. Waiting loads
 * those again and again, so that words of 8 bytes, loaded, count nothing. Those of 4 bytes are two
 * for each lane that looks back, which is much beside the elements of a small tile. */
#define MOST_BYTES          4.5
#define MOST_OF_SMALL_TILES 6.0
#define BYTES_OF_A_TILE     256.0

static int scans_in_one_pass(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double elements = (double)observed->n * observed->iterations;
    double loaded = 0, stored = 0, wide = 0, words = 0, blocks, most;
    const struct trace_line *narrow = NULL;

    for (uint64_t i = 0; i < counters->traced_lines; i++) {
        const struct trace_line *line = &counters->lines[i];

        if (line->space != GLOBAL_MEMORY)
            continue;
        if (line->width == 8)
            words += line->stores ? (double)line->bytes / 8 : 0;
        else
            *(line->stores ? &stored : &loaded) += (double)line->bytes;
        if (line->width == 16)
            wide += (double)line->bytes;
        else if (line->width == 4 && (!narrow || line->bytes > narrow->bytes))
            narrow = line;
    }
    blocks = (double)most_blocks(counters) * observed->iterations;
    most = fmin(MOST_BYTES + BYTES_OF_A_TILE * blocks / elements, MOST_OF_SMALL_TILES);
    if (loaded > most * elements || stored > most * elements)
        snprintf(message, 512,
                 "an element takes %.1f bytes loaded and %.1f stored; at most %.1f of each are "
                 "wanted: load it once, keep it in a register until what lies before its block is "
                 "known, and store it once",
                 loaded / elements, stored / elements, most);
    else if (most_blocks(counters) < 2)
        snprintf(message, 512,
                 "%d elements are scanned by one block; many are wanted, a tile each, that learn "
                 "from the blocks before theirs what lies before it",
                 observed->n);
    else if (words > 0 && words < 1.5 * blocks)
        snprintf(message, 512,
                 "a block stores %.1f words of 8 bytes for the blocks behind it; 2 are wanted: its "
                 "own total as soon as it is known, for which nobody waits long, and the total up "
                 "to its end when that is known, beyond which nobody has to look back",
                 words / blocks);
    else if (wide < 0.9 * (loaded + stored) && narrow)
        snprintf(message, 512,
                 "%.0f%% of the elements' bytes are moved by 16 a lane, and by fewer at "
                 "{+0x%llx}; at least 90%% are wanted: let a thread load and store int4",
                 100 * wide / (loaded + stored), (unsigned long long)narrow->offset);
    else
        return 1;
    return 0;
}

int scan_idea(const char *step, const struct observed *observed, char *message) {
    return !strcmp(step, "22_scan") ? scans_in_one_pass(observed, message) : -1;
}
