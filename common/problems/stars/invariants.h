/* What a star system keeps while it moves, as the referee computes it from the bodies. */
#ifndef INVARIANTS_H
#define INVARIANTS_H

#include "stars.h"

struct invariants {
    double mass;
    double kinetic, potential; /* of a pair -m_i m_j / sqrt(r^2 + softening^2); G = 1 */
    double momentum[3], angular_momentum[3], centre[3];
};

/* The sums over n bodies, in double: those over a body's partners plain, those over bodies
 * compensated, all in an order that does not depend on the number of threads. `softening` is a
 * length; bodies at one place without softening have an infinite potential energy. Returns 0, or -1
 * if memory is short. */
int stars_invariants(const struct star *stars, int n, double softening,
                     struct invariants *invariants);

double stars_energy(const struct invariants *invariants);

#endif
