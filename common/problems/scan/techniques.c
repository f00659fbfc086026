/* What the problem `scan` offers for technique checks. */
#include "scan_problem.h"

#include <math.h>
#include <stdio.h>

/* An element is loaded once and stored once, 4 bytes each; the rest is tile statuses. Waiting loads
 * those again and again, so that words of 8 bytes, loaded, count nothing. Those of 4 bytes are two
 * for each lane that looks back, which is much beside the elements of a small tile: a bound on
 * bytes is so much higher there, but by no more than the second number. */
#define BYTES_OF_A_TILE     256.0
#define MOST_OF_SMALL_TILES 1.5

struct moved {
    double loaded, stored, wide, words; /* words of 8 bytes, stored */
    const struct trace_line *narrow;
};

static struct moved moved(const struct observed *observed) {
    const struct trace_line *line = NULL;
    struct moved all = {0, 0, 0, 0, NULL};

    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space != GLOBAL_MEMORY)
            continue;
        if (line->width == 8)
            all.words += line->stores ? (double)line->bytes / 8 : 0;
        else
            *(line->stores ? &all.stored : &all.loaded) += (double)line->bytes;
        if (line->width == 16)
            all.wide += (double)line->bytes;
        else if (line->width == 4 && (!all.narrow || line->bytes > all.narrow->bytes))
            all.narrow = line;
    }
    return all;
}

/* Of all iterations. */
static double tiles(const struct observed *observed) {
    return technique_blocks(observed) * observed->iterations;
}

static double with_small_tiles(const struct observed *observed, double bound) {
    return bound + fmin(BYTES_OF_A_TILE * tiles(observed) / technique_elements(observed),
                        MOST_OF_SMALL_TILES);
}

static double bytes_each_way(const struct observed *observed) {
    struct moved all = moved(observed);

    return fmax(all.loaded, all.stored) / technique_elements(observed);
}

static void say_bytes(const struct observed *observed, double bound, char *message) {
    struct moved all = moved(observed);

    snprintf(message, 512,
             "an element takes %.1f bytes loaded and %.1f stored; at most %.1f of each are "
             "wanted: load it once, keep it in a register until what lies before its block is "
             "known, and store it once",
             all.loaded / technique_elements(observed), all.stored / technique_elements(observed),
             bound);
}

static void say_blocks(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "%d elements are scanned by one block; many are wanted, a tile each, that learn "
             "from the blocks before theirs what lies before it",
             observed->n);
}

/* A program without such words is let through. */
static double words_per_tile(const struct observed *observed) {
    double words = moved(observed).words;

    return words > 0 ? words / tiles(observed) : INFINITY;
}

static void say_words(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "a tile stores its status, a word of 8 bytes, %.1f times; 2 are wanted: its aggregate "
             "as soon as that is known, for which no tile waits long, and then its inclusive "
             "prefix, beyond which no tile has to look back",
             words_per_tile(observed));
}

static double moved_by_16(const struct observed *observed) {
    struct moved all = moved(observed);
    double bytes = all.loaded + all.stored;

    return all.narrow && bytes > 0 ? all.wide / bytes : INFINITY;
}

static void say_narrow(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "%.0f%% of the elements' bytes are moved by 16 per lane, and by fewer at "
             "{+0x%llx}; at least %.0f%% are wanted: let a thread load and store int4",
             100 * moved_by_16(observed), (unsigned long long)moved(observed).narrow->offset,
             100 * bound);
}

const struct technique *const scan_techniques[] = {
    (const struct technique[]){
        {.name = "bytes_each_way_per_element",
         .measure = bytes_each_way,
         .say = say_bytes,
         .bound_for = with_small_tiles},
        {.name = "blocks", .measure = technique_blocks, .say = say_blocks},
        {.name = "words_per_tile", .measure = words_per_tile, .say = say_words},
        {.name = "bytes_moved_by_16", .measure = moved_by_16, .say = say_narrow},
        {NULL},
    },
    NULL,
};
