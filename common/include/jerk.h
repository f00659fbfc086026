/* The contract of a step that computes what stars feel of each other's gravity: acceleration, its
 * change in time (the jerk), potential and nearest neighbour. A step defines these functions and
 * its own struct gravity. Nothing else of the harness is visible to it. */
#ifndef JERK_H
#define JERK_H

#include "stars.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A star and its number. The numbers of sources are 0 or more, all different, in any order: a
 * number is not a place in an array. A target's number may be that of a source, which then is the
 * same star and exerts no force on it, wherever the two lie; or one that no source has, such as -1:
 * a test point. */
struct particle {
    struct star star;
    int index;
};

/* What a target feels, with r = x_source - x_target, v likewise and s^2 = r^2 + softening^2, summed
 * over all sources of another index:
 *
 *     acceleration = sum of m r / s^3
 *     jerk         = sum of m (v / s^3 - 3 (r.v) r / s^5)
 *     potential    = - sum of m / s
 *
 * where m is the source's mass. The softening may be 0; a source at the target's own place then
 * adds nothing to the three sums. The neighbour is the index of the source of another index with
 * the least r^2, which is not softened; of several equally near ones it is the first in the array,
 * at the target's own place or not; -1 if there is none. */
struct force {
    double acceleration[3], jerk[3], potential;
    int neighbour;
};

struct jerk_parameters {
    int sources, targets; /* how many, 1 or more of each */
    double softening;     /* a length, 0 or more */
};

/* The step's own. */
struct gravity;

/* Prepares passes of so many sources and targets; not timed. `sources`, `targets` and `forces`, one
 * for each target, stay where they are until gravity_destroy; their contents are not defined yet.
 * Returns NULL on failure. */
struct gravity *gravity_create(const struct jerk_parameters *parameters,
                               const struct particle *sources, const struct particle *targets,
                               struct force *forces);

/* Timed. Reads `sources` and makes `passes` passes; `sources` and `targets` are filled anew before
 * every call. Each pass reads the targets anew, like a block of stars that an integrator sends,
 * computes what they feel, and writes it to `forces`. Sums may be added up in any order. Returns 0
 * when done; any other value is reported as the step's own error. */
int gravity_run(struct gravity *gravity, int passes);

void gravity_destroy(struct gravity *gravity);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `passes` further
 * computations of the last run's forces into the default stream, without copies, and waits for
 * none. What it leaves behind is never looked at. */
void gravity_passes(struct gravity *gravity, int passes);

#ifdef __cplusplus
}
#endif

#endif
