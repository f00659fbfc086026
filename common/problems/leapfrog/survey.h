/* What the problem `leapfrog` measures of a program beside its time: how it moves bodies whose path
 * or whose constants are known. All figures come from the bodies that the program returns. */
#ifndef LEAPFROG_SURVEY_H
#define LEAPFROG_SURVEY_H

#include "problems/problem.h"

/* All of what follows; 0, or -1 when a run failed. */
int leapfrog_survey(const struct surveyed *program);

/* Two bodies on a Kepler orbit of eccentricity 0.5 and 0.9 from the pericentre on, 16 looks per
 * orbit. Over one orbit of 64, 128 ... 65536 steps, at the worst look:
 *
 *     error_kepler05_64    distance from where Kepler has the one relative to the other, in
 *                          semi-major axes
 *     phase_kepler05_64    the angle between the two directions, in radians
 *     energy_kepler05_64   |dE / E|
 */
int leapfrog_survey_orders(const struct surveyed *program);

/* The same for eccentricity 0.5 in 256 steps per orbit, in the 1st, 2nd, 4th ... 32nd orbit:
 * phase_orbit_1, energy_orbit_1; and in 64 steps the places of the first three orbits, path_x_000,
 * path_y_000. */
int leapfrog_survey_orbits(const struct surveyed *program);

/* The largest difference of a coordinate from where the bodies began after as many steps there as
 * back: reversal_kepler05 and reversal_kepler09, an orbit of 1024 steps; reversal_sphere, 256 steps
 * of a softened Plummer sphere. */
int leapfrog_survey_reversal(const struct surveyed *program);

/* dE / E of a Plummer sphere of 512 bodies, with a softening of 1/32 (soft) and without (bare): at
 * times 1/4, 2/4 ... 4 in steps of 1/256, soft_quarter_1; and the largest |dE / E| of four looks up
 * to time 1 in steps of 1/16, 1/32 ... 1/1024, soft_steps_16. And |dP|, the change of the momentum,
 * at time 4: soft_momentum. */
int leapfrog_survey_sphere(const struct surveyed *program);

/* Two bodies close together in a softening of 1, where they swing with a frequency of 1: how many
 * times further apart they are after 32 steps of 1.00, 1.50 ... at the worst step, growth_150. */
int leapfrog_survey_growth(const struct surveyed *program);

#endif
