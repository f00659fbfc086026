/* The contract of a step that moves bodies by forces from an octree: a step defines these functions
 * and its own struct orbits. Nothing else of the harness is visible to it. */
#ifndef ORBITS_H
#define ORBITS_H

#include "stars.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each body feels the acceleration of walk.h, with this leaf, softening, angle and accuracy: by the
 * angle the first time, by the accuracy later. Where it feels the acceleration a, its time step is
 * to be at most
 *
 *     sqrt(2 eta softening / |a|)     (Springel 2005, MNRAS 364, 1105, equation 34)
 *
 * and no longer than an interval. */
struct orbits_parameters {
    int n;                  /* bodies, from 0 to 2^28 */
    int leaf;               /* bodies of a leaf, 1 or more */
    double softening;       /* a length, above 0 */
    double angle, accuracy; /* below 1 */
    double eta;             /* of the time step, below 1 */
    double interval;        /* of time, above 0 */
};

/* The step's own. */
struct orbits;

/* Prepares to move n bodies from `in` to `out`; not timed. Both stay where they are until
 * orbits_destroy; their contents are not defined yet. Returns NULL on failure. */
struct orbits *orbits_create(const struct orbits_parameters *parameters, const struct star *in,
                             struct star *out);

/* Timed. Reads `in`, which is filled anew before every call, moves the bodies by `intervals` (1 or
 * more) intervals of time and writes them to `out`, in the same order: masses as they were, as far
 * as a float can tell, all positions and velocities at the end of the last interval. A scheme of
 * the second order in float is enough. Returns 0 when done; any other value is reported as the
 * step's own error. */
int orbits_run(struct orbits *orbits, int intervals);

void orbits_destroy(struct orbits *orbits);

#ifdef __cplusplus
}
#endif

#endif
