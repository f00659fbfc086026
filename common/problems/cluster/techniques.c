/* What the problem `cluster` offers for technique checks. */
#include <math.h>
#include <stdio.h>

#include "cluster_problem.h"
#include "problems/stars/systems.h"
#include "problems/technique.h"

/* Of `binaries` the steps are known: Aarseth's criterion gives circular orbits steps of sqrt(eta) /
 * velocity, which do not change. The check's intervals
 * hold some 20 of the fast pairs'. A scheme with one evaluation of all forces per step, which is
 * theirs, takes 1.1 times as many, since the first step is short, the one before the end of an
 * interval, too, and forces are needed before the first; one with two takes 2.1. Where each pair
 * has steps of its own, the slow ones' being an eighth as many, it is 0.4; a power of two below the
 * criterion's step for all pairs is 1.6, slow pairs that keep their first step 1.3, and a criterion
 * without crackle 0.82. */
static double evaluations_per_step(const struct observed *observed) {
    struct cluster_parameters parameters;
    double pairs = (double)observed->n * observed->n, steps;

    cluster_problem.set_parameters(&parameters, "binaries", observed->n, observed->iterations);
    steps = observed->iterations * parameters.interval * BINARY_SPEED / sqrt(parameters.accuracy);
    return (double)(observed->counters.rsqrtf_calls + observed->counters.other_roots) /
           (pairs * steps);
}

static void say_evaluations(const struct observed *observed, double bound, char *message) {
    double value = evaluations_per_step(observed);

    if (value > bound)
        snprintf(message, 512,
                 "%.1f forces per pair of stars and step of Aarseth's criterion, at most %.1f are "
                 "wanted: is there one evaluation per step, and is the step as long as eta allows, "
                 "with the signs and factors of its derivatives?",
                 value, bound);
    else
        snprintf(message, 512,
                 "%.1f forces per pair of stars and step of Aarseth's criterion, at least %.1f are "
                 "wanted: are forces computed once in every step, and is the step no longer than "
                 "eta allows? Without the crackle it is longer",
                 value, bound);
}

static void say_shared(const struct observed *observed, double bound, char *message) {
    snprintf(
        message, 512,
        "%.2f forces per pair of stars and step of the fastest stars, at most %.2f are wanted: "
        "is a star moved only when its own step ends, and are steps doubled where the "
        "criterion allows it?",
        evaluations_per_step(observed), bound);
}

/* Copies of an interval, either way. */
static double copies_per_interval(const struct observed *observed) {
    return (double)(observed->counters.copies_in + observed->counters.copies_out) /
           observed->iterations;
}

static void say_copies(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "%.1f copies between host and device per interval, at most %.1f are wanted: stars go "
             "to the device at the beginning of a run, come back at its end, and the host has no "
             "part in a block step",
             copies_per_interval(observed), bound);
}

const struct technique *const cluster_techniques[] = {
    (const struct technique[]){
        {.name = "evaluations_per_step", .measure = evaluations_per_step, .say = say_evaluations},
        {.name = "forces_per_shared_step", .measure = evaluations_per_step, .say = say_shared},
        {.name = "copies_per_interval", .measure = copies_per_interval, .say = say_copies},
        {NULL},
    },
    NULL,
};
