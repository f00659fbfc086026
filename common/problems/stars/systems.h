/* Star systems that runs begin with, G = 1. The same seed gives the same bytes on every machine. */
#ifndef SYSTEMS_H
#define SYSTEMS_H

#include <stddef.h>
#include <stdint.h>

#include "problems/random.h"
#include "stars.h"

/* Members of a problem whose input is n stars, and of its `motion`. */
size_t stars_bytes(const char *distribution, int n);
void stars_sharpen(void *input, const void *before, const char *distribution, int n);
#define MOTION_OF_STARS                                                                            \
    .element = sizeof(struct star), .position = offsetof(struct star, x),                          \
    .velocity = offsetof(struct star, v), .is_double = 1, .has_mass = 1

/* Gives a body that is alone a velocity: at rest it would tell nothing. */
void stars_push_alone(struct star *stars, int n, uint64_t seed);

/* Up to so many bodies a Plummer sphere's own potential energy is summed over all pairs. */
enum { PLUMMER_SUMMED = 16384 };

/* Place and velocity of a body of Plummer's model in Henon units. Mass beyond the radius that holds
 * 99.9% of it is left out. */
void stars_draw_plummer(struct star *star, struct random *random);

/* A Plummer sphere of n bodies in Henon units: total mass 1, centre of mass at rest at the origin,
 * kinetic energy 1/4 and, up to PLUMMER_SUMMED bodies, potential energy -1/2, without softening.
 * Above, the lengths are scaled by the model's potential energy instead, so that of the bodies is
 * off by about 1 / sqrt(n) of itself. A body alone lies at rest at the origin. */
void stars_plummer(struct star *stars, int n, uint64_t seed);

/* The same with masses from 1/2 to 3/2 of the mean. */
void stars_plummer_of_masses(struct star *stars, int n, uint64_t seed);

/* Two bodies of masses 1 - lighter and lighter, on orbits around their centre of mass, which is at
 * rest at the origin. The distance of one from the other has the semi-major axis 1, so the period
 * is 2 pi. */
struct kepler {
    double eccentricity, lighter;
    double towards[3],
        across[3]; /* unit vectors in the plane: to the pericentre, and of the motion there */
};

/* An orbit whose plane and second mass, from 0.1 to 0.4, are drawn from the seed. */
struct kepler stars_kepler(double eccentricity, uint64_t seed);

/* The two bodies at the pericentre. */
void stars_kepler_start(const struct kepler *orbit, struct star stars[2]);

/* The two bodies at a time after the pericentre, by Kepler's equation, to rounding; by libm, so not
 * to the last bit the same everywhere. */
void stars_kepler_at(const struct kepler *orbit, double time, struct star stars[2]);

/* Pairs of two equal stars on circles around each other, in a plane drawn from the seed, on a
 * lattice so wide that other pairs do next to nothing; of each sixteen one is fast. The last of an
 * odd number is alone. */
#define BINARY_SPEED 1.0 /* the angular velocity of a fast pair; others have an eighth of it */
void stars_binaries(struct star *stars, int n, uint64_t seed);

/* Two spheres of half the mass each, a Henon unit apart, that fall towards each other and pass. */
void stars_merger(struct star *stars, int n, uint64_t seed);

#endif
