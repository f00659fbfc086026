#include <stdio.h>

#include "idea.h"

/* Floats of a vector, at least: AVX2's, or NEON's, which has no wider ones. */
#ifdef __x86_64__
enum { LEAST_LANES = 8 };
#else
enum { LEAST_LANES = 4 };
#endif

/* A program without a root of the machine's is let through: it may have its own estimate. */
int nbody_uses_vectors(const struct observed *observed, char *message) {
    if (!nbody_shares_work(observed, message))
        return 0;
    if (!observed->root_lanes || observed->root_lanes >= LEAST_LANES)
        return 1;
    snprintf(message, 512,
             "the machine code takes square roots of %d float%s at a time; %d or more are wanted: "
             "with an array for each coordinate, a vector holds that of as many bodies i",
             observed->root_lanes, observed->root_lanes == 1 ? "" : "s", LEAST_LANES);
    return 0;
}
