/* The contract of a step that makes a disk galaxy in equilibrium: a step defines these functions
 * and its own struct galaxy. Nothing else of the harness is visible to it. */
#ifndef GALAXY_H
#define GALAXY_H

#include <stdint.h>

#include "stars.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lengths are in kpc, velocities in km/s, and G = 1. So a mass of 1 is this many solar masses (1 /
 * 4.30091727e-6, from the IAU's GM of the sun and its kpc), and a time of 1 is this many years. */
#define SOLAR_MASSES 232508.54
#define YEARS        9.7779222e8

/* What a galaxy is made of, in the order of its bodies. The first three are spheres. */
enum { HALO, STELLAR_HALO, BULGE, DISK, COMPONENTS, SPHEROIDS = DISK };

/* With x = r / scale and taper = exp(-(r / truncation)^2), the densities are
 *
 *     HALO          taper / (x (1 + x)^2)                       Navarro, Frenk and White 1997
 *     STELLAR_HALO  taper x^-p exp(-b x^(1 / index))            Prugniel and Simien 1997
 *     BULGE         taper / (x (1 + x)^3)                       Hernquist 1990
 *     DISK          exp(-R / scale) / cosh(z / thickness)^2
 *
 * times what gives each component its mass. p and b are functions of the index (spheroids.h). */
struct galaxy_parameters {
    int n;                                      /* number of bodies, at least 1 */
    double mass[COMPONENTS], scale[COMPONENTS]; /* a mass may be 0, not all of them */
    double index;                               /* Sersic's, of the stellar halo */
    double truncation, thickness;
    double least_q; /* the least value of Toomre's Q in the disk */
};

/* The step's own. */
struct galaxy;

/* Prepares a model of parameters->n bodies; not timed. `seed` and `out` (n bodies) stay where they
 * are until galaxy_destroy; their contents are not defined yet. Returns NULL on failure. */
struct galaxy *galaxy_create(const struct galaxy_parameters *parameters, const uint64_t *seed,
                             struct star *out);

/* Timed. Makes the model `passes` times, from the seeds *seed, *seed + 1 and so on, and leaves the
 * bodies of the last pass in `out`. *seed is new in every call. All bodies have the same mass, that
 * of the galaxy over n. Body i is made of its numbers u[0] to u[6] (galaxy_draw):
 *
 * In a sphere, its radius r is such that a part u[0] of the component's mass is inside. Its
 * direction is that of u[1] and u[2] (galaxy_direction). Its speed is such that a part u[3] of the
 * bodies at r are slower; the direction of its velocity is that of u[4] and u[5]. Speeds follow
 * from Eddington's inversion in the total potential, in which the disk is spread over spheres:
 * inside r it has the mass M (1 - (1 + r / scale) exp(-r / scale)), which is that of the disk in a
 * cylinder of radius r.
 *
 * In the disk, its radius R is such that a part u[0] of the disk's mass is in the cylinder inside;
 * z is thickness x artanh(2 u[1] - 1), and the azimuth is 2 pi u[2]. From three normal deviates
 *     a = sqrt(-2 ln u[3]) cos(2 pi u[4]),   b = sqrt(-2 ln u[3]) sin(2 pi u[4]),
 *     c = sqrt(-2 ln u[5]) cos(2 pi u[6])
 * come its velocities: outwards a sigma_R, forwards V + b sigma_phi, upwards c sigma_z, where
 *     v_c^2       = M(r) / R of the spheres + that of a razor-thin exponential disk (bessel.h),
 *     kappa^2     = 2 v_c^2 / R^2 (1 + d ln v_c / d ln R),
 *     sigma_R     = s exp(-R / (2 scale)), where s makes the least Q = sigma_R kappa / (3.36 Sigma)
 *                   the parameter least_q, Sigma = M exp(-R / scale) / (2 pi scale^2),
 *     sigma_phi^2 = sigma_R^2 kappa^2 R^2 / (4 v_c^2),
 *     V^2         = v_c^2 + sigma_R^2 (1 - 2 R / scale) - sigma_phi^2, or 0 if that is less,
 *     sigma_z^2   = pi Sigma thickness + pi^2 / 12 thickness^2 M(r) / r^3, M(r) of the spheres
 *                   inside r^2 = R^2 + thickness^2.
 *
 * At last all bodies are shifted so that their centre of mass is at the origin and at rest. Returns
 * 0 when done; any other value is reported as the step's own error. */
int galaxy_run(struct galaxy *galaxy, int passes);

void galaxy_destroy(struct galaxy *galaxy);

/* The first body of a component; n for COMPONENTS. */
static inline int galaxy_first(const struct galaxy_parameters *parameters, int component) {
    double before = 0, all = 0;

    for (int c = 0; c < COMPONENTS; c++) {
        before += c < component ? parameters->mass[c] : 0;
        all += parameters->mass[c];
    }
    return component == COMPONENTS ? parameters->n : (int)(before / all * parameters->n + 0.5);
}

/* Numbers that a body is made of. */
enum { GALAXY_NUMBERS = 7 };

/* Body i's numbers, uniform between 0 and 1, both excluded: splitmix64 (Steele, Lea and Flood
 * 2014), started at a place of its own for each seed and body. */
static inline void galaxy_draw(uint64_t seed, int i, double u[GALAXY_NUMBERS]) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t state = seed;

    for (int k = -2; k < GALAXY_NUMBERS; k++) {
        uint64_t z = state += golden;

        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        if (k == -2)
            state = z + (uint64_t)i * golden;
        else if (k == -1)
            state = z;
        else
            u[k] = ((double)(z >> 12) + 0.5) * 0x1p-52;
    }
}

#ifdef __cplusplus
}
#endif

#endif
