/* What the clients share: stars, a Plummer sphere of them, forces in calls of as many bodies as
 * the library takes, energies, a clock. G = 1; the library's cluster 0 is open. */
#ifndef SPHERE_H
#define SPHERE_H

#include <grape6.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct stars {
    int n, *index; /* index[i] = i */
    double *mass, (*x)[3], (*v)[3];
};

/* Zeros; without memory the program ends. */
static inline void *room_for(size_t count, size_t size) {
    void *room = calloc(count, size);

    if (!room) {
        fprintf(stderr, "memory is short for %zu items of %zu bytes\n", count, size);
        exit(1);
    }
    return room;
}

static inline double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* A number of the command line. */
static inline double argument(int argc, char **argv, int k, double if_none) {
    char *end;
    double value = if_none;

    if (k < argc) {
        value = strtod(argv[k], &end);
        if (end == argv[k] || *end || !isfinite(value)) {
            fprintf(stderr, "%s is not a number\n", argv[k]);
            exit(1);
        }
    }
    return value;
}

/* A call of the library; what was wrong it has said itself. */
static inline void must(int code) {
    if (code)
        exit(1);
}

/* Of bodies j at addresses 0 to nj - 1 on ni bodies i; with `nearest` unless it is NULL. */
static inline void forces(int nj, int ni, int index[], double x[][3], double v[][3], double eps,
                          double acc[][3], double jerk[][3], double pot[], int nearest[]) {
    int pipes = g6_npipes();
    double eps2 = eps * eps;

    for (int i = 0; i < ni; i += pipes) {
        int count = ni - i < pipes ? ni - i : pipes;

        g6calc_firsthalf(0, nj, count, index + i, x + i, v + i, acc + i, jerk + i, pot + i, eps2,
                         NULL);
        must(nearest ? g6calc_lasthalf2(0, nj, count, index + i, x + i, v + i, eps2, NULL, acc + i,
                                        jerk + i, pot + i, nearest + i)
                     : g6calc_lasthalf(0, nj, count, index + i, x + i, v + i, eps2, NULL, acc + i,
                                       jerk + i, pot + i));
    }
}

static inline double kinetic_energy(const struct stars *stars) {
    double sum = 0;

    for (int i = 0; i < stars->n; i++)
        for (int k = 0; k < 3; k++)
            sum += stars->mass[i] * stars->v[i][k] * stars->v[i][k] / 2;
    return sum;
}

/* By a direct sum through the library. Its memory holds the stars afterwards, at rest. */
static inline double potential_energy(const struct stars *stars, double eps) {
    double(*unused)[3] = room_for(stars->n, sizeof *unused), sum = 0;
    double *pot = room_for(stars->n, sizeof *pot);

    for (int j = 0; j < stars->n; j++)
        must(g6_set_j_particle_mxonly(0, j, j, stars->mass[j], stars->x[j]));
    must(g6_set_ti(0, 0));
    forces(stars->n, stars->n, stars->index, stars->x, stars->v, eps, unused, unused, pot, NULL);
    for (int i = 0; i < stars->n; i++)
        sum += stars->mass[i] * pot[i] / 2;
    free(unused);
    free(pot);
    return sum;
}

/* Without the library, in double. */
static inline double potential_energy_here(const struct stars *stars, double eps) {
    double *pot = room_for(stars->n, sizeof *pot), sum = 0;

#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < stars->n; i++)
        for (int j = 0; j < i; j++) {
            double r2 = eps * eps;

            for (int k = 0; k < 3; k++)
                r2 += (stars->x[j][k] - stars->x[i][k]) * (stars->x[j][k] - stars->x[i][k]);
            pot[i] -= stars->mass[j] / sqrt(r2);
        }
    for (int i = 0; i < stars->n; i++)
        sum += stars->mass[i] * pot[i];
    free(pot);
    return sum;
}

/* In [0, 1): Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators. */
static inline double draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline void draw_direction(uint64_t *state, double length, double a[3]) {
    double z = 2 * draw(state) - 1, angle = 2 * M_PI * draw(state);

    a[0] = length * sqrt(1 - z * z) * cos(angle);
    a[1] = length * sqrt(1 - z * z) * sin(angle);
    a[2] = length * z;
}

static inline struct stars make_stars(int n) {
    struct stars stars = {n, room_for(n, sizeof(int)), room_for(n, sizeof(double)),
                          room_for(n, sizeof(double[3])), room_for(n, sizeof(double[3]))};

    for (int i = 0; i < n; i++) {
        stars.index[i] = i;
        stars.mass[i] = 1.0 / n;
    }
    return stars;
}

/* Equal masses after Aarseth, Henon and Wielen (1974), cut at 0.999 of the mass, in Henon's units:
 * mass 1, at rest at the origin, kinetic energy 1/4, potential energy -1/2 without softening; that
 * of a large sphere, whose sum takes long on a CPU, is what the model has in the mean. */
static inline struct stars plummer_sphere(int n, uint64_t seed) {
    struct stars stars = make_stars(n);
    double in_the_mean = -0.50097223 * 3 * M_PI / 16, scale_x, scale_v;

    for (int i = 0; i < n; i++) {
        double r = 1 / sqrt(pow(0.999 * (1 - draw(&seed)), -2.0 / 3) - 1), q, y;

        do {
            q = draw(&seed);
            y = 0.1 * draw(&seed);
        } while (y > q * q * pow(1 - q * q, 3.5));
        draw_direction(&seed, r, stars.x[i]);
        draw_direction(&seed, q * M_SQRT2 * pow(1 + r * r, -0.25), stars.v[i]);
    }
    for (int k = 0; k < 3; k++) {
        double x = 0, v = 0;

        for (int i = 0; i < n; i++)
            x += stars.x[i][k] / n, v += stars.v[i][k] / n;
        for (int i = 0; i < n; i++)
            stars.x[i][k] -= x, stars.v[i][k] -= v;
    }
    scale_x = (n > 65536 ? in_the_mean : potential_energy(&stars, 0)) / -0.5;
    scale_v = sqrt(0.25 / kinetic_energy(&stars));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            stars.x[i][k] *= scale_x, stars.v[i][k] *= scale_v;
    return stars;
}

#endif
