/* Step 44: a disk galaxy in equilibrium, spheres by Eddington's inversion, the disk by epicycles.
 */
#include "galaxy.h"

#include <math.h>
#include <stdlib.h>

#include "ascending.h"
#include "bessel.h"
#include "shells.h"
#include "spheroids.h"

/* Speeds of a table, in equal steps of the speed of escape. */
#ifndef SPEEDS
#define SPEEDS 128
#endif

struct galaxy {
    struct galaxy_parameters parameters;
    const uint64_t *seed;
    struct star *out;
    struct shells shells;                   /* radii, and the masses inside them */
    double potential[RADII];                /* of all, (km/s)^2, below 0 and rising */
    double (*slower)[RADII][SPEEDS + 1];    /* of each sphere: the part of bodies at r slower than
                                               k / SPEEDS of the speed of escape */
    double circular2[RADII], kappa2[RADII]; /* of the disk: v_c^2; kappa^2 */
    double sigma_0;                         /* sigma_R in the middle */
};

static inline double cube(double x) {
    return x * x * x;
}

/* The potential of all spheres and the disk: dPotential = M / r^2 dr. */
static void tabulate_potential(struct galaxy *galaxy) {
    const double *all = galaxy->shells.all, *r = galaxy->shells.r;
    double step = galaxy->shells.step;

    /* part 1, 4 lines: The potential is -M / r at the last radius and falls from there inwards. */
    galaxy->potential[RADII - 1] = -all[RADII - 1] / r[RADII - 1];
    for (int i = RADII - 2; i >= 0; i--)
        galaxy->potential[i] =
            galaxy->potential[i + 1] - (all[i] / r[i] + all[i + 1] / r[i + 1]) / 2 * step;
    /* until solved:
    (void)step;
    for (int i = 0; i < RADII; i++)
        galaxy->potential[i] = -all[RADII - 1] / r[i];
    */
    /* end of part 1 */
}

/* Eddington's distribution function f(E) at E = potential[i] of each radius, over a constant:
 *
 *     f(E) = integral from r_i on of 1 / sqrt(potential(r) - E) dg,   g = -d density / d potential
 *
 * (Eddington 1916; Binney and Tremaine 2008, equation 4.46; the density vanishes at infinity). */
static void invert(const struct galaxy *galaxy, int c, double f[RADII]) {
    const struct galaxy_parameters *p = &galaxy->parameters;
    const double *r = galaxy->shells.r, *potential = galaxy->potential;
    double g[RADII], falls[RADII]; /* falls: -dg / d potential in the cell behind a radius */

    for (int i = 0; i < RADII; i++)
        g[i] = -spheroid_density(p, c, r[i]) * spheroid_slope(p, c, r[i]) * r[i] /
               galaxy->shells.all[i];
    for (int j = 0; j < RADII - 1; j++)
        falls[j] = (g[j] - g[j + 1]) / (potential[j + 1] - potential[j]);
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < RADII; i++) {
        double sum = 0;

#pragma omp simd reduction(+ : sum)
        for (int j = i; j < RADII - 1; j++) {
            /* part 2, 3 lines: The cell's share; in a cell, g is linear in the potential. */
            double from = sqrt(potential[j] - potential[i]);
            double to = sqrt(potential[j + 1] - potential[i]);
            sum += falls[j] * 2 * (to - from);
            /* until solved:
            sum += falls[j];
            */
            /* end of part 2 */
        }
        f[i] = sum;
    }
}

/* How many bodies at each radius are slower than each speed: the integral of f(E) 4 pi v^2 dv, E =
 * potential + v^2 / 2, in units of its value at the speed of escape. Among all velocities, those
 * between two speeds are a shell, whose volume is a difference of cubes. */
static void tabulate_speeds(struct galaxy *galaxy, int c, const double f[RADII]) {
#pragma omp parallel for
    for (int i = 0; i < RADII; i++) {
        double *slower = galaxy->slower[c][i];

        slower[0] = 0;
        for (int k = 0; k < SPEEDS; k++) {
            double s = (k + 0.5) / SPEEDS;

            /* part 3, 3 lines: Add f in the middle of the shell times the shell's volume. */
            double energy = galaxy->potential[i] * (1 - s * s);
            double f_there = value_at(f, find_between(galaxy->potential, RADII, energy));
            slower[k + 1] = slower[k] + f_there * (cube(k + 1) - cube(k));
            /* until solved:
            (void)f;
            slower[k + 1] = slower[k] + s;
            */
            /* end of part 3 */
        }
        for (int k = 0; k <= SPEEDS; k++)
            slower[k] /= slower[SPEEDS];
    }
}

/* The disk's rotation curve, its kappa^2, and the sigma_R in the middle that makes the least Q that
 * of the parameters. */
static void tabulate_disk(struct galaxy *galaxy) {
    const struct galaxy_parameters *p = &galaxy->parameters;
    double scale = p->scale[DISK], mass = p->mass[DISK], least = INFINITY;
    const double *r = galaxy->shells.r;
    double *circular2 = galaxy->circular2, *kappa2 = galaxy->kappa2;

#pragma omp parallel for
    for (int i = 0; i < RADII; i++)
        circular2[i] =
            galaxy->shells.spheres[i] / r[i] + thin_disk_speed_squared(mass, scale, r[i]);
    for (int i = 0; i < RADII; i++) {
        int before = i ? i - 1 : i, after = i < RADII - 1 ? i + 1 : i;
        double rise =
            (circular2[after] - circular2[before]) / (after - before) / galaxy->shells.step;
        double surface = mass * exp(-r[i] / scale) / (2 * PI * scale * scale);
        double in_middle = exp(-r[i] / (2 * scale)); /* sigma_R there, if it is 1 in the middle */

        /* part 4, 2 lines: kappa^2 from v_c^2 and its rise with ln R, and the least Q so far. */
        kappa2[i] = (2 * circular2[i] + rise) / (r[i] * r[i]);
        least = fmin(least, in_middle * sqrt(kappa2[i]) / (3.36 * surface));
        /* until solved:
        (void)rise, (void)surface, (void)in_middle;
        kappa2[i] = 0;
        least = 1;
        */
        /* end of part 4 */
    }
    galaxy->sigma_0 = p->least_q / least;
}

/* The speed, in steps of the table, below which a row of the table has that part of the bodies.
 * Inside a shell their number grows with the cube of the speed. */
static inline double speed_of(const double slower[SPEEDS + 1], double part) {
    struct between at = find_between(slower, SPEEDS + 1, part);

    return cbrt(cube(at.cell) + at.part * (cube(at.cell + 1) - cube(at.cell)));
}

static void make_in_sphere(const struct galaxy *galaxy, int c, const double u[GALAXY_NUMBERS],
                           struct star *star) {
    double mass = u[0] * galaxy->parameters.mass[c], r = 0, speed = 0;

    /* part 5, 5 lines: Radius and speed by inversion; between two radii, interpolate speeds. */
    struct between at = find_between(galaxy->shells.inside[c], RADII, mass);
    const double(*slower)[SPEEDS + 1] = &galaxy->slower[c][at.cell];
    double s = (1 - at.part) * speed_of(slower[0], u[3]) + at.part * speed_of(slower[1], u[3]);
    r = shells_radius(&galaxy->shells, at);
    speed = s / SPEEDS * sqrt(-2 * value_at(galaxy->potential, at));
    /* until solved:
    (void)mass;
    */
    /* end of part 5 */
    galaxy_direction(u[1], u[2], star->x);
    galaxy_direction(u[4], u[5], star->v);
    for (int k = 0; k < 3; k++) {
        star->x[k] *= r;
        star->v[k] *= speed;
    }
}

static void make_in_disk(const struct galaxy *galaxy, const double u[GALAXY_NUMBERS],
                         struct star *star) {
    const struct galaxy_parameters *p = &galaxy->parameters;
    double mass = p->mass[DISK], scale = p->scale[DISK], thickness = p->thickness;
    struct between at = find_between(galaxy->shells.inside[DISK], RADII, u[0] * mass);
    double radius = shells_radius(&galaxy->shells, at), azimuth = 2 * PI * u[2];
    double surface = mass * exp(-radius / scale) / (2 * PI * scale * scale);
    double circular2 = value_at(galaxy->circular2, at), kappa2 = value_at(galaxy->kappa2, at);
    double r2 = radius * radius + thickness * thickness;
    double spheres =
        value_at(galaxy->shells.spheres, find_between(galaxy->shells.r, RADII, sqrt(r2)));
    double a = sqrt(-2 * log(u[3])) * cos(2 * PI * u[4]), outwards = 0;
    double b = sqrt(-2 * log(u[3])) * sin(2 * PI * u[4]), forwards = 0;
    double c = sqrt(-2 * log(u[5])) * cos(2 * PI * u[6]), upwards = 0;

    /* part 6, 9 lines: The squared dispersions of the contract, and the velocities they give. */
    double sigma2 = pow(galaxy->sigma_0, 2) * exp(-radius / scale);
    double sigma2_phi = sigma2 * kappa2 * radius * radius / (4 * circular2);
    double sigma2_z =
        PI * surface * thickness + PI * PI / 12 * thickness * thickness * spheres / (r2 * sqrt(r2));
    double stream2 = circular2 + sigma2 * (1 - 2 * radius / scale) - sigma2_phi;
    outwards = a * sqrt(sigma2);
    forwards = sqrt(fmax(0, stream2)) + b * sqrt(sigma2_phi);
    upwards = c * sqrt(sigma2_z);
    /* until solved:
    (void)surface, (void)circular2, (void)kappa2, (void)spheres, (void)a, (void)b, (void)c;
    */
    /* end of part 6 */
    star->x[0] = radius * cos(azimuth);
    star->x[1] = radius * sin(azimuth);
    star->x[2] = thickness * atanh(2 * u[1] - 1);
    star->v[0] = outwards * cos(azimuth) - forwards * sin(azimuth);
    star->v[1] = outwards * sin(azimuth) + forwards * cos(azimuth);
    star->v[2] = upwards;
}

/* Puts the centre of mass at the origin, and at rest. */
static void centre(struct star *stars, int n) {
    for (int c = 0; c < 3; c++) {
        double x = 0, v = 0;

#pragma omp parallel for reduction(+ : x, v)
        for (int i = 0; i < n; i++) {
            x += stars[i].x[c];
            v += stars[i].v[c];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            stars[i].x[c] -= x / n;
            stars[i].v[c] -= v / n;
        }
    }
}

struct galaxy *galaxy_create(const struct galaxy_parameters *parameters, const uint64_t *seed,
                             struct star *out) {
    struct galaxy *galaxy = calloc(1, sizeof *galaxy);

    if (!galaxy || !(galaxy->slower = calloc(SPHEROIDS, sizeof *galaxy->slower))) {
        free(galaxy);
        return NULL;
    }
    galaxy->parameters = *parameters;
    galaxy->seed = seed;
    galaxy->out = out;
    tabulate_shells(&galaxy->shells, parameters);
    tabulate_potential(galaxy);
    for (int c = 0; c < SPHEROIDS; c++) {
        double f[RADII];

        invert(galaxy, c, f);
        tabulate_speeds(galaxy, c, f);
    }
    tabulate_disk(galaxy);
    return galaxy;
}

int galaxy_run(struct galaxy *galaxy, int passes) {
    const struct galaxy_parameters *p = &galaxy->parameters;
    double mass = 0;

    for (int c = 0; c < COMPONENTS; c++)
        mass += p->mass[c] / p->n;
    for (int pass = 0; pass < passes; pass++) {
        for (int c = 0; c < COMPONENTS; c++) {
#pragma omp parallel for
            for (int i = galaxy_first(p, c); i < galaxy_first(p, c + 1); i++) {
                double u[GALAXY_NUMBERS];

                galaxy_draw(*galaxy->seed + (uint64_t)pass, i, u);
                galaxy->out[i].mass = mass;
                if (c == DISK)
                    make_in_disk(galaxy, u, &galaxy->out[i]);
                else
                    make_in_sphere(galaxy, c, u, &galaxy->out[i]);
            }
        }
        centre(galaxy->out, p->n);
    }
    return 0;
}

void galaxy_destroy(struct galaxy *galaxy) {
    free(galaxy->slower);
    free(galaxy);
}
