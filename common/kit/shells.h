/* The masses of a galaxy's components, tabulated inside spheres whose radii go from the middle to
 * beyond everything. */
#ifndef SHELLS_H
#define SHELLS_H

#include "ascending.h"
#include "galaxy.h"
#include "spheroids.h"

#define PI 3.141592653589793

enum { RADII = 2048 };

struct shells {
    double step, r[RADII];                                        /* kpc, in equal steps of ln r */
    double inside[COMPONENTS][RADII], spheres[RADII], all[RADII]; /* masses inside r */
};

/* Integrates the spheres' densities by the trapezoidal rule, dM = 4 pi r^3 density d ln r, up to
 * ten times the radius of truncation, and scales them to the components' masses. Inside the first
 * radius the density goes about as 1 / r, so 2 pi r^3 density is there. */
static inline void tabulate_shells(struct shells *shells, const struct galaxy_parameters *p) {
    double innermost = 1e-4, outermost = 10 * p->truncation;

    shells->step = log(outermost / innermost) / (RADII - 1);
    for (int i = 0; i < RADII; i++)
        shells->r[i] = innermost * exp(shells->step * i);
    for (int c = 0; c < SPHEROIDS; c++) {
        double *inside = shells->inside[c], before = 0;

        for (int i = 0; i < RADII; i++) {
            double shell = 4 * PI * pow(shells->r[i], 3) * spheroid_density(p, c, shells->r[i]);

            inside[i] = i ? inside[i - 1] + (before + shell) / 2 * shells->step : shell / 2;
            before = shell;
        }
        for (int i = 0; i < RADII; i++)
            inside[i] = inside[i] / inside[RADII - 1] * p->mass[c];
    }
    for (int i = 0; i < RADII; i++) {
        shells->inside[DISK][i] = p->mass[DISK] * disk_inside(p->scale[DISK], shells->r[i]);
        shells->spheres[i] =
            shells->inside[HALO][i] + shells->inside[STELLAR_HALO][i] + shells->inside[BULGE][i];
        shells->all[i] = shells->spheres[i] + shells->inside[DISK][i];
    }
}

/* The radius of a point between two of the table. */
static inline double shells_radius(const struct shells *shells, struct between at) {
    return shells->r[0] * exp(shells->step * (at.cell + at.part));
}

#endif
