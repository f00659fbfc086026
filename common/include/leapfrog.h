/* The contract of a step that moves stars by the leapfrog: a step defines these functions and its
 * own struct integration. Nothing else of the harness is visible to it. */
#ifndef LEAPFROG_H
#define LEAPFROG_H

#include "stars.h"

#ifdef __cplusplus
extern "C" {
#endif

struct integration_parameters {
    int n;            /* number of bodies, at least 1 */
    double dt;        /* time step */
    double softening; /* a length, 0 or more; its square is added to r^2 */
};

/* The step's own. */
struct integration;

/* Prepares an integration of parameters->n bodies; not timed. `in` and `out` (n bodies each) stay
 * where they are until integration_destroy; their contents are not defined yet. Returns NULL on
 * failure. */
struct integration *integration_create(const struct integration_parameters *parameters,
                                       const struct star *in, struct star *out);

/* Timed. Reads `in`, which is filled anew before every call, advances all bodies by `steps` time
 * steps (1 or more) and writes `out`, masses included. A step is a half kick, a drift and a half
 * kick,
 *
 *     v += dt/2 a(x),   x += dt v,   v += dt/2 a(x),
 *
 * so that positions and velocities are of the same time again. With G = 1
 *
 *     a_i = sum over all j of m_j (x_j - x_i) / (r^2 + softening^2)^(3/2),   r = |x_j - x_i|,
 *
 * where bodies at one place, such as a body and itself, exert nothing on each other. All in double
 * precision; sums may be added up in any order. Returns 0 when done; any other value is reported as
 * the step's own error. */
int integration_run(struct integration *integration, int steps);

void integration_destroy(struct integration *integration);

#ifdef __cplusplus
}
#endif

#endif
