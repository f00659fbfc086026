/* What the problem `jerk` offers for technique checks. */
#include "jerk_problem.h"

#include <math.h>
#include <stdio.h>

static double interactions(const struct observed *observed) {
    return (double)observed->n * jerk_targets_of(*jerk_distributions, observed->n) *
           observed->iterations;
}

/* A pass that computes all there is takes a root for each pair: at least 0.9 is a good bound, since
 * a target has none with itself, which counts where there are few. */
static double roots(const struct observed *observed) {
    return (double)(observed->counters.rsqrtf_calls + observed->counters.other_roots) /
           interactions(observed);
}

static void say_roots(const struct observed *observed, double bound, char *message) {
    snprintf(
        message, 512,
        "an interaction takes %.2f roots, at least %.1f are wanted: compute all forces anew in "
        "every pass",
        roots(observed), bound);
}

/* Loads of shared memory in which a warp has one address, as those of a source are. With three per
 * source, of high parts, low parts and velocity, a thread with four targets has 0.75: 1 is a good
 * bound. */
static double loads(const struct trace_line *line) {
    return line->space == SHARED_MEMORY && !line->stores && 2 * line->broadcasts >= line->requests
               ? (double)line->bytes / line->width
               : 0;
}

static double loads_of_sources(const struct observed *observed) {
    const struct tally all = technique_tally(observed, loads);

    return all.most ? all.sum / interactions(observed) : INFINITY;
}

static void say_loads(const struct observed *observed, double bound, char *message) {
    const struct trace_line *most = technique_tally(observed, loads).most;

    if (!most)
        snprintf(message, 512, "no source is loaded from shared memory for a whole warp");
    else
        snprintf(message, 512,
                 "an interaction takes %.2f loads of sources, most of them at {+0x%llx}; at most "
                 "%.1f are wanted: keep several targets of the thread in registers, and use a "
                 "source for all of them once it is loaded",
                 loads_of_sources(observed), (unsigned long long)most->offset, bound);
}

const struct technique *const jerk_techniques[] = {
    (const struct technique[]){
        {.name = "roots_per_interaction", .measure = roots, .say = say_roots},
        {.name = "loads_of_sources", .measure = loads_of_sources, .say = say_loads},
        {NULL},
    },
    NULL,
};
