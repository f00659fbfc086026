#include <stdio.h>

#include "techniques.h"

/* Floats of a vector, at least: AVX2's, or NEON's, which has no wider ones. */
#ifdef __x86_64__
enum { LEAST_LANES = 8 };
#else
enum { LEAST_LANES = 4 };
#endif

/* A program without a root of the machine's is let through: it may have its own estimate. */
static double roots_in_vectors(const struct observed *observed) {
    return !observed->root_lanes || observed->root_lanes >= LEAST_LANES;
}

static void say_lanes(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "the machine code takes square roots of %d float%s at a time; %d or more are wanted: "
             "with an array for each coordinate, a vector holds that of as many bodies i",
             observed->root_lanes, observed->root_lanes == 1 ? "" : "s", LEAST_LANES);
}

const struct technique nbody_techniques_c[] = {
    TECHNIQUE_WORK_OF_OTHERS,
    {.name = "roots_in_vectors", .measure = roots_in_vectors, .say = say_lanes, .unbounded = 1},
    {NULL},
};
