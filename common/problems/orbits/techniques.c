/* What the problem `orbits` offers for technique checks. */
#include <stdio.h>

#include "orbits_problem.h"

/* Of `binaries` the steps are known: in an interval fast pairs, one of sixteen, have eight, and
 * slow ones have two (test_orbits). */
enum { FAST_STEPS = 8 };

static double steps_of(const struct observed *observed) {
    return (double)observed->iterations * FAST_STEPS;
}

/* Bodies and nodes added, per body and step of the fastest. On cpucuda, with groups of 64, 126 to
 * 139 in two intervals; if slow pairs step as often as fast ones, 409. */
static double forces_per_shared_step(const struct observed *observed) {
    return (double)(observed->counters.rsqrtf_calls + observed->counters.other_roots) /
           (observed->n * steps_of(observed));
}

static void say_shared(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "%.0f parts are added per body and step of the fastest bodies, at most %.0f are "
             "wanted: does a body walk only when its own step ends, and are steps doubled where "
             "its acceleration allows it?",
             forces_per_shared_step(observed), bound);
}

/* Kernels, those of the first forces and of trees too. On cpucuda 4.9, with a new tree at every
 * eighth step 4.2, and at every step 9.1. */
static double launches_per_step(const struct observed *observed) {
    return (double)observed->counters.launches / (steps_of(observed) + 1);
}

static void say_launches(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "a block step takes %.1f kernels, at most %.0f are wanted: is a tree kept over many "
             "block steps, and its nodes updated between?",
             launches_per_step(observed), bound);
}

/* Of a run, however long. A body has 56 bytes in `in`, and as many in `out`. The program that was
 * measured reads 3.6 kB more per block step, which with 512 bodies is 233 bytes of each in two
 * intervals; places and accelerations both ways would be 590. */
static double copied_bytes_per_body(const struct observed *observed) {
    return (double)(observed->counters.bytes_in + observed->counters.bytes_out) / observed->n;
}

static void say_copied(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "%.0f bytes per body are copied between host and device in a run of %d intervals, at "
             "most %.0f are wanted: bodies go to the device at the beginning of a run, come back "
             "at its end, and are moved there",
             copied_bytes_per_body(observed), observed->iterations, bound);
}

const struct technique *const orbits_techniques[] = {
    (const struct technique[]){
        {.name = "forces_per_shared_step", .measure = forces_per_shared_step, .say = say_shared},
        {.name = "launches_per_step", .measure = launches_per_step, .say = say_launches},
        {.name = "copied_bytes_per_body", .measure = copied_bytes_per_body, .say = say_copied},
        {NULL},
    },
    NULL,
};
