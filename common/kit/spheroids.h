/* The spheres of a galaxy: their densities, with the factor that gives them their masses left out,
 * and the slopes of these. */
#ifndef SPHEROIDS_H
#define SPHEROIDS_H

#include <math.h>

#include "galaxy.h"

/* The exponent p of a Sersic profile's density in space (Prugniel and Simien 1997; Lima Neto,
 * Gerbal and Marquez 1999, equation 19), and the number b that makes its scale the radius of half
 * the light (Ciotti and Bertin 1999, equation 18). */
static inline double sersic_p(double index) {
    return 1 - 0.6097 / index + 0.05463 / (index * index);
}

static inline double sersic_b(double index) {
    return 2 * index - 1.0 / 3 + 4 / (405 * index) + 46 / (25515 * index * index);
}

/* The density at radius r (kpc) over a constant, with the taper; the formulas are in galaxy.h. */
static inline double spheroid_density(const struct galaxy_parameters *parameters, int component,
                                      double r) {
    double x = r / parameters->scale[component], of_truncation = r / parameters->truncation;
    double taper = exp(-of_truncation * of_truncation);

    if (component == HALO)
        return taper / (x * (1 + x) * (1 + x));
    if (component == BULGE)
        return taper / (x * (1 + x) * (1 + x) * (1 + x));
    return taper * pow(x, -sersic_p(parameters->index)) *
           exp(-sersic_b(parameters->index) * pow(x, 1 / parameters->index));
}

/* d ln density / d ln r: minus the exponent of the power law that touches it there. */
static inline double spheroid_slope(const struct galaxy_parameters *parameters, int component,
                                    double r) {
    double x = r / parameters->scale[component], of_truncation = r / parameters->truncation;
    double of_taper = -2 * of_truncation * of_truncation;

    if (component == HALO)
        return of_taper - (1 + 3 * x) / (1 + x);
    if (component == BULGE)
        return of_taper - (1 + 4 * x) / (1 + x);
    return of_taper - sersic_p(parameters->index) -
           sersic_b(parameters->index) / parameters->index * pow(x, 1 / parameters->index);
}

/* The mass of a disk inside a cylinder of radius R, over all of it. */
static inline double disk_inside(double scale, double radius) {
    double x = radius / scale;

    return x < 1e-3 ? x * x * (0.5 - x / 3) : 1 - (1 + x) * exp(-x);
}

/* A point of the unit sphere from two numbers that are uniform between 0 and 1. */
static inline void galaxy_direction(double u, double v, double direction[3]) {
    double z = 2 * u - 1, across = sqrt(1 - z * z), azimuth = 2 * 3.141592653589793 * v;

    direction[0] = across * cos(azimuth);
    direction[1] = across * sin(azimuth);
    direction[2] = z;
}

#endif
