#include <math.h>
#include <stdio.h>

#include "techniques.h"

/* What warps touch at addresses that differ by thread. A warp that reads 32 neighbouring floats
 * touches 4 sectors of 32 bytes, and 5 if they do not start at one; a float of each of 32 bodies of
 * six floats lies in 24. */
struct varied_access {
    double requests, sectors;
    const struct trace_line *worst;
};

static struct varied_access varied_access(const struct observed *observed) {
    const struct trace_line *line = NULL;
    struct varied_access all = {0, 0, NULL};

    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space != GLOBAL_MEMORY || !line->varied_requests)
            continue;
        all.requests += (double)line->varied_requests;
        all.sectors += (double)line->varied_sectors;
        if (!all.worst || (double)line->varied_sectors * (double)all.worst->varied_requests >
                              (double)all.worst->varied_sectors * (double)line->varied_requests)
            all.worst = line;
    }
    return all;
}

static double sectors_per_request(const struct observed *observed) {
    struct varied_access all = varied_access(observed);

    return all.worst ? all.sectors / all.requests : NAN;
}

static void say_sectors(const struct observed *observed, double bound, char *message) {
    struct varied_access all = varied_access(observed);

    if (!all.worst) {
        snprintf(message, 512,
                 "no kernel accessed global memory at an address that differs by thread, so there "
                 "is no layout to look at");
        return;
    }
    snprintf(message, 512,
             "an access of a warp touches %.1f sectors of 32 bytes, %.1f at {+0x%llx}; at most "
             "%.0f are wanted: with an array for each component, 32 neighbouring threads read 32 "
             "neighbouring floats, which are 4 sectors",
             all.sectors / all.requests,
             (double)all.worst->varied_sectors / (double)all.worst->varied_requests,
             (unsigned long long)all.worst->offset, bound);
}

/* A program without a tile loads three coordinates of every body in every thread, 12 bytes per
 * interaction. A tile is loaded once for the threads of a block; half of them leaves room for
 * vectors of four floats, and for what a thread loads and stores of its own: so 24/threads is a
 * good bound. More than 256 threads need not share a tile, and one of fewer than a warp's bodies is
 * none. */
#define MOST_SHARING  256
#define LEAST_SHARING 32

/* How many threads may share a tile: those of a block of the kernel that takes most roots. */
static double sharing_threads(const struct observed *observed) {
    const struct interval *forces = most_roots(&observed->counters);
    uint64_t threads = forces ? forces->threads : MOST_SHARING;

    return threads < LEAST_SHARING  ? LEAST_SHARING
           : threads > MOST_SHARING ? MOST_SHARING
                                    : (double)threads;
}

/* Bytes of a line that a tile is about: a thread's own body is no tile's, though a barrier makes it
 * load that once more. */
static double of_others(const struct trace_line *line) {
    return (double)(line->bytes - line->again);
}

/* Bytes per interaction of global memory, or of constant memory. */
static double bytes_per_interaction(const struct observed *observed, int of_constants) {
    const struct trace_line *line = NULL;
    const struct counters *counters = &observed->counters;
    double interactions = nbody_interactions(observed);
    double bytes = (double)counters->global_bytes / interactions, constant = 0;

    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->space == CONSTANT_MEMORY)
            constant += of_others(line) / interactions;
        else if (line->space != SHARED_MEMORY)
            bytes -= (double)line->again / interactions;
    }
    return of_constants ? constant : bytes;
}

static double global_bytes(const struct observed *observed) {
    return bytes_per_interaction(observed, 0);
}

/* Parameters lie in constant memory; bodies there are 12 bytes or more. */
static double constant_bytes(const struct observed *observed) {
    return bytes_per_interaction(observed, 1);
}

static double over_threads(const struct observed *observed, double bound) {
    return bound / sharing_threads(observed);
}

/* ", of them 12.000 at ...": the line with most bytes; empty: there is none. */
static void say_where(const struct observed *observed, char where[128]) {
    const struct trace_line *worst = NULL, *line = NULL;

    while ((line = next_traced_line(&observed->counters, line)))
        if (line->space != SHARED_MEMORY && (!worst || of_others(line) > of_others(worst)))
            worst = line;
    *where = 0;
    if (worst)
        snprintf(where, 128, ", of them %.3f at {+0x%llx}, %s {=0x%llx}",
                 of_others(worst) / nbody_interactions(observed), (unsigned long long)worst->offset,
                 worst->stores ? "which stores to" : "which loads",
                 (unsigned long long)worst->offset);
}

static void say_global_bytes(const struct observed *observed, double bound, char *message) {
    double threads = sharing_threads(observed);
    char where[128];

    say_where(observed, where);
    snprintf(
        message, 512,
        "an interaction takes %.3f bytes of global memory%s; with %.0f threads per block at most "
        "%.3f are wanted, the %.0f bytes of three coordinates over half of the threads, %.0f: load "
        "a tile of bodies into shared memory once and have all threads of the block use it",
        global_bytes(observed), where, threads, bound, bound * threads / 2, threads / 2);
}

static void say_constant_bytes(const struct observed *observed, double bound, char *message) {
    char where[128];

    (void)bound;
    say_where(observed, where);
    snprintf(message, 512,
             "an interaction takes %.3f bytes of constant memory%s; parameters may be there, and "
             "bodies are wanted in a tile in shared memory, which all threads of a block use",
             constant_bytes(observed), where);
}

/* The share of a space's loads that have this width, by requests of warps. `other` is the line with
 * the most loads of another width, or NULL. Returns -1 if there are no loads. */
static double share_of_width(const struct observed *observed, int space, unsigned width,
                             const struct trace_line **other) {
    const struct trace_line *line = NULL;
    uint64_t all = 0, wanted = 0;

    *other = NULL;
    while ((line = next_traced_line(&observed->counters, line))) {
        if (line->stores || (int)line->space != space)
            continue;
        all += line->requests;
        if (line->width == width)
            wanted += line->requests;
        else if (!*other || line->requests > (*other)->requests)
            *other = line;
    }
    return all ? (double)wanted / (double)all : -1;
}

/* Of loads of single halves: from global memory, where few are of a thread's own body, and from a
 * tile. */
static double halves_global(const struct observed *observed) {
    const struct trace_line *other;

    return share_of_width(observed, GLOBAL_MEMORY, 2, &other);
}

static double halves_shared(const struct observed *observed) {
    const struct trace_line *other;

    return share_of_width(observed, SHARED_MEMORY, 2, &other);
}

static void say_halves(const struct observed *observed, int space, const char *name,
                       char *message) {
    const struct trace_line *other;
    double share = share_of_width(observed, space, 2, &other);

    if (share < 0)
        snprintf(message, 512,
                 "no kernel loaded anything from %s memory; positions in half, "
                 "in global memory and in the tile, are wanted",
                 name);
    else
        snprintf(message, 512,
                 "%.0f%% of the loads from %s memory are of 2 bytes per thread, and those at "
                 "{+0x%llx} of %u; most are to be of 2: positions in half, in global memory "
                 "and in the tile",
                 100 * share, name, (unsigned long long)other->offset, other->width);
}

static void say_halves_global(const struct observed *observed, double bound, char *message) {
    (void)bound;
    say_halves(observed, GLOBAL_MEMORY, "global", message);
}

static void say_halves_shared(const struct observed *observed, double bound, char *message) {
    (void)bound;
    say_halves(observed, SHARED_MEMORY, "shared", message);
}

/* What all threads go over again and again lies in shared memory, or in global memory if the
 * program has no tile. */
static double whole_bodies(const struct observed *observed) {
    const struct trace_line *other;
    double share = share_of_width(observed, SHARED_MEMORY, 16, &other);

    return share < 0 ? share_of_width(observed, GLOBAL_MEMORY, 16, &other) : share;
}

static void say_whole_bodies(const struct observed *observed, double bound, char *message) {
    const struct trace_line *other;
    double share = share_of_width(observed, SHARED_MEMORY, 16, &other);
    const char *space = share < 0 ? "global" : "shared";

    (void)bound;
    if (share < 0)
        share = share_of_width(observed, GLOBAL_MEMORY, 16, &other);
    if (!other)
        snprintf(message, 512, "no kernel loaded anything, so there is no float4 to look at");
    else
        snprintf(
            message, 512,
            "%.0f%% of the loads from %s memory are of 16 bytes per thread, and those at "
            "{+0x%llx} of %u; most are to be of 16: copy a body's whole float4 into a variable "
            "and take x, y and z from that",
            100 * share, space, (unsigned long long)other->offset, other->width);
}

/* A loop that loads body j for one body of the thread asks for 1 load per interaction, as one
 * vector of four floats; for two bodies for 0.5. The loading of tiles, of the own bodies and of
 * partial sums takes some too. */
static double loads(const struct trace_line *line) {
    return line->stores || line->space == CONSTANT_MEMORY ? 0 : 32 * (double)line->requests;
}

static double loads_per_interaction(const struct observed *observed) {
    const struct tally all = technique_tally(observed, loads);

    return all.most ? all.sum / nbody_interactions(observed) : NAN;
}

static void say_loads(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most = technique_tally(observed, loads).most;

    if (!most)
        snprintf(message, 512,
                 "no kernel loaded anything, so there are no bodies to be kept in registers");
    else
        snprintf(message, 512,
                 "an interaction takes %.2f loads from shared or global memory, most of them at "
                 "{+0x%llx}; at most %.1f are wanted: keep two bodies or more of the thread "
                 "in registers, and use a body j for all of them once it is loaded",
                 loads_per_interaction(observed), (unsigned long long)most->offset, bound);
}

static double threads_per_body(const struct observed *observed) {
    const struct interval *forces = most_roots(&observed->counters);

    return forces ? (double)(forces->blocks * forces->threads) / observed->n : NAN;
}

static void say_threads(const struct observed *observed, double bound, char *message) {
    const struct interval *forces = most_roots(&observed->counters);

    snprintf(message, 512,
             "%s has %llu threads for %d bodies; at least %.0f per body are wanted, lanes of a "
             "warp that share its sum",
             forces ? forces->kernel : "no kernel",
             forces ? (unsigned long long)(forces->blocks * forces->threads) : 0ull, observed->n,
             bound);
}

/* For a body and an iteration: velocity and position, two float4, are 32; where bodies are unpacked
 * before two iterations and packed after them, 36 more. The solution of threads that share bodies
 * has 56: velocity, position twice and potential, 40, and two float4 before two iterations. Sums of
 * several threads that leave their blocks one by one are 12 each. */
static double stored(const struct trace_line *line) {
    return line->space == GLOBAL_MEMORY && line->stores ? (double)line->bytes : 0;
}

static double bytes_stored(const struct observed *observed) {
    return technique_tally(observed, stored).sum / technique_elements(observed);
}

static void say_stored(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "kernels stored %.0f bytes in global memory for a body and an iteration; at most "
             "%.0f are wanted: threads that share a body add up their sums within the block, and "
             "what leaves it is the moved body",
             bytes_stored(observed), bound);
}

/* Of a thread: two for a tile; in the loop over its bodies one or more for each. */
static double barriers_per_interaction(const struct observed *observed) {
    return (double)observed->counters.barriers / nbody_interactions(observed);
}

static void say_barriers(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "a thread comes to %.2f barriers per interaction; at most %.1f are wanted: two per "
             "tile, outside of the loop over its bodies",
             barriers_per_interaction(observed), bound);
}

const struct technique nbody_techniques_memory[] = {
    {.name = "sectors_per_request", .measure = sectors_per_request, .say = say_sectors},
    {.name = "global_bytes_per_interaction",
     .measure = global_bytes,
     .say = say_global_bytes,
     .bound_for = over_threads,
     .per = "/threads"},
    {.name = "constant_bytes_per_interaction",
     .measure = constant_bytes,
     .say = say_constant_bytes},
    {.name = "global_loads_of_2_bytes", .measure = halves_global, .say = say_halves_global},
    {.name = "shared_loads_of_2_bytes", .measure = halves_shared, .say = say_halves_shared},
    {.name = "loads_of_16_bytes", .measure = whole_bodies, .say = say_whole_bodies},
    {.name = "loads_per_interaction", .measure = loads_per_interaction, .say = say_loads},
    {.name = "barriers_per_interaction", .measure = barriers_per_interaction, .say = say_barriers},
    {.name = "threads_per_body", .measure = threads_per_body, .say = say_threads},
    {.name = "bytes_stored_per_body", .measure = bytes_stored, .say = say_stored},
    {NULL},
};
