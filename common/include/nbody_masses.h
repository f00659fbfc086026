/* The contract of an N-body step whose bodies have masses, Part II on: that of nbody.h, except for
 * the first function. Bodies and masses are two arrays, since only positions and velocities
 * change. */
#ifndef NBODY_MASSES_H
#define NBODY_MASSES_H

#include "nbody.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In place of simulation_create. `masses`: n floats, none below 0; a body of mass 0 attracts
 * nobody and is attracted by all. NULL if each is 1, so that a step may leave them out. They stay
 * where they are and are filled anew as `in` is. */
struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out);

#ifdef __cplusplus
}
#endif

#endif
