/* The contract of a step that moves a star cluster: a step defines these functions and its own
 * struct evolution. Nothing else of the harness is visible to it. */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "stars.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each star feels the acceleration
 *
 *     a = sum of m r / (r^2 + softening^2)^(3/2)
 *
 * over all other stars, where m is the other star's mass and r leads to it. */
struct cluster_parameters {
    int n;            /* stars, 1 or more; no two of them at one place */
    double softening; /* a length, 0 or more */
    double accuracy;  /* eta of Aarseth's criterion for the time step, below 1 */
    double interval;  /* of time, above 0 */
};

/* The step's own. */
struct evolution;

/* Prepares to move n stars from `in` to `out`; not timed. Both stay where they are until
 * evolution_destroy; their contents are not defined yet. Returns NULL on failure. */
struct evolution *evolution_create(const struct cluster_parameters *parameters,
                                   const struct star *in, struct star *out);

/* Timed. Reads `in`, which is filled anew before every call, moves the stars by `intervals` (1 or
 * more) intervals of time and writes them to `out`, in the same order: masses as they were, all
 * positions and velocities at the end of the last interval. Time steps are the program's choice:
 * what Aarseth's criterion gives, in a scheme of the fourth order, is enough. Returns 0 when done;
 * any other value is reported as the step's own error. */
int evolution_run(struct evolution *evolution, int intervals);

void evolution_destroy(struct evolution *evolution);

#ifdef __cplusplus
}
#endif

#endif
