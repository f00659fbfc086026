/* What the problem `reduce` offers for technique checks. */
#include "reduce_problem.h"

#include <math.h>
#include <stdio.h>

/* What kernels load: of global memory without what a whole warp reads at one address, in sectors of
 * 32 bytes, and in bytes in all and by loads of 16; and bytes of shared memory. An element is
 * loaded once, an eighth of a sector; the rest is sums of blocks. Where each thread has elements of
 * its own, one after the other, a sector has one lane's 16 bytes. Of what goes through shared
 * memory a tree of all elements has 12 bytes per element and more, sums of warps have far below 1.
 */
struct loaded {
    double sectors, global, wide, shared;
    const struct trace_line *most, *narrow, *most_shared;
};

static struct loaded loaded(const struct observed *observed) {
    const struct trace_line *line = NULL;
    struct loaded all = {0};

    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space == SHARED_MEMORY) {
            all.shared += (double)line->bytes;
            if (!all.most_shared || line->bytes > all.most_shared->bytes)
                all.most_shared = line;
        } else if (line->space == GLOBAL_MEMORY && !line->stores &&
                   line->broadcasts < line->requests) {
            all.sectors += (double)line->sectors;
            all.global += (double)line->bytes;
            if (!all.most || line->sectors > all.most->sectors)
                all.most = line;
            all.wide += line->width == 16 ? (double)line->bytes : 0;
            if (line->width != 16 && (!all.narrow || line->bytes > all.narrow->bytes))
                all.narrow = line;
        }
    }
    return all;
}

static double sectors(const struct observed *observed) {
    return loaded(observed).sectors / technique_elements(observed);
}

static void say_sectors(const struct observed *observed, double bound, char *message) {
    struct loaded all = loaded(observed);

    snprintf(message, 512,
             "an element takes %.2f bytes loaded from global memory, and %.2f sectors of 32 bytes; "
             "at most %.2f are wanted, and at {+0x%llx} a request touches %.0f: load each element "
             "once, neighbouring lanes neighbouring vectors, and add up the sums of blocks by "
             "atomicAdd or in one small kernel",
             all.global / technique_elements(observed), sectors(observed), bound,
             (unsigned long long)all.most->offset,
             (double)all.most->sectors / (double)all.most->requests);
}

static double shared_bytes(const struct observed *observed) {
    return loaded(observed).shared / technique_elements(observed);
}

static void say_shared(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "an element takes %.2f bytes of shared memory, most of them at {+0x%llx}; at most "
             "%.1f are wanted: let each thread add up many elements in a register, then the "
             "lanes of a warp by shuffles, and one thread what the warps have",
             shared_bytes(observed), (unsigned long long)loaded(observed).most_shared->offset,
             bound);
}

static double loaded_by_16(const struct observed *observed) {
    struct loaded all = loaded(observed);

    return all.global > 0 ? all.wide / all.global : INFINITY;
}

static void say_narrow(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "%.0f%% of the bytes are loaded by 16 per lane, and by fewer at {+0x%llx}; at least "
             "%.0f%% are wanted: let a thread load int4 or float4",
             100 * loaded_by_16(observed), (unsigned long long)loaded(observed).narrow->offset,
             100 * bound);
}

static void say_blocks(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "%d elements are added up by one block; as many are wanted as the GPU holds at a "
             "time, or as give each thread a vector, if those are fewer",
             observed->n);
}

const struct technique *const reduce_techniques[] = {
    (const struct technique[]){
        {.name = "sectors_per_element", .measure = sectors, .say = say_sectors},
        {.name = "shared_bytes_per_element", .measure = shared_bytes, .say = say_shared},
        {.name = "bytes_loaded_by_16", .measure = loaded_by_16, .say = say_narrow},
        {.name = "blocks", .measure = technique_blocks, .say = say_blocks},
        {NULL},
    },
    NULL,
};
