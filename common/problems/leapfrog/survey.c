#include "survey.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leapfrog.h"
#include "problems/stars/invariants.h"
#include "problems/stars/systems.h"

enum { LOOKS = 16 };

static const double round_trip = 6.283185307179586; /* 2 pi, the period of all orbits here */

/* Orbits in a plane, so that a picture is flat; masses 3/4 and 1/4. */
static struct kepler orbit_of(double eccentricity) {
    return (struct kepler){eccentricity, 0.25, {1, 0, 0}, {0, 1, 0}};
}

static int moved(const struct surveyed *program, double dt, double softening, int n, int steps,
                 struct star *stars) {
    const struct integration_parameters parameters = {n, dt, softening};

    return program->run(program->referee, &parameters, n, steps, stars, stars);
}

__attribute__((format(printf, 4, 5))) static void say(const struct surveyed *program, double value,
                                                      const char *unit, const char *format, ...) {
    char name[64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    program->say(program->referee, name, value, unit);
}

static double energy_of(const struct star *stars, int n, double softening) {
    struct invariants sums;

    return stars_invariants(stars, n, softening, &sums) ? NAN : stars_energy(&sums);
}

/* The largest of what is looked at. */
struct looks {
    double error, phase, energy;
};

/* Looks at a pair that began at the pericentre `time` ago. */
static void look(const struct kepler *orbit, double time, const struct star pair[2],
                 double energy_before, struct looks *looks) {
    struct star right[2];
    double error = 0, dot = 0, across = 0, axes[2][3];

    stars_kepler_at(orbit, time, right);
    for (int c = 0; c < 3; c++) {
        axes[0][c] = right[1].x[c] - right[0].x[c];
        axes[1][c] = pair[1].x[c] - pair[0].x[c];
        error += pow(axes[1][c] - axes[0][c], 2);
        dot += axes[0][c] * axes[1][c];
    }
    for (int c = 0; c < 3; c++) {
        int next = (c + 1) % 3, last = (c + 2) % 3;

        across += pow(axes[0][next] * axes[1][last] - axes[0][last] * axes[1][next], 2);
    }
    looks->error = fmax(looks->error, sqrt(error));
    looks->phase = fmax(looks->phase, atan2(sqrt(across), dot));
    looks->energy = fmax(looks->energy, fabs(energy_of(pair, 2, 0) / energy_before - 1));
}

/* An orbit of so many steps, the one that ends at `orbits` times the period. */
static int go_round(const struct surveyed *program, const struct kepler *orbit, int steps,
                    int orbits, struct star pair[2], struct looks *looks) {
    struct star start[2];
    double energy;

    stars_kepler_start(orbit, start);
    energy = energy_of(start, 2, 0);
    *looks = (struct looks){0};
    for (int k = 1; k <= LOOKS; k++) {
        if (moved(program, round_trip / steps, 0, 2, steps / LOOKS, pair))
            return -1;
        look(orbit, round_trip * (orbits - 1 + (double)k / LOOKS), pair, energy, looks);
    }
    return 0;
}

int leapfrog_survey_orders(const struct surveyed *program) {
    static const double eccentricities[] = {0.5, 0.9};

    for (int e = 0; e < 2; e++)
        for (int steps = 64; steps <= 65536; steps *= 2) {
            const struct kepler orbit = orbit_of(eccentricities[e]);
            int tenths = (int)round(10 * orbit.eccentricity);
            struct star pair[2];
            struct looks looks;

            stars_kepler_start(&orbit, pair);
            if (go_round(program, &orbit, steps, 1, pair, &looks))
                return -1;
            say(program, looks.error, "semi-major axes", "error_kepler%02d_%d", tenths, steps);
            say(program, looks.phase, "radians", "phase_kepler%02d_%d", tenths, steps);
            say(program, looks.energy, "of E", "energy_kepler%02d_%d", tenths, steps);
        }
    return 0;
}

int leapfrog_survey_orbits(const struct surveyed *program) {
    enum { STEPS = 256, ORBITS = 32, PATH_STEPS = 64, PATH_ORBITS = 3 };
    const struct kepler orbit = orbit_of(0.5);
    struct star pair[2];
    struct looks looks;

    stars_kepler_start(&orbit, pair);
    for (int orbits = 1; orbits <= ORBITS; orbits++) {
        if (go_round(program, &orbit, STEPS, orbits, pair, &looks))
            return -1;
        if (orbits & (orbits - 1))
            continue;
        say(program, looks.phase, "radians", "phase_orbit_%d", orbits);
        say(program, looks.energy, "of E", "energy_orbit_%d", orbits);
    }
    stars_kepler_start(&orbit, pair);
    for (int step = 0; step <= PATH_STEPS * PATH_ORBITS; step++) {
        if (step && moved(program, round_trip / PATH_STEPS, 0, 2, 1, pair))
            return -1;
        say(program, pair[1].x[0] - pair[0].x[0], "semi-major axes", "path_x_%03d", step);
        say(program, pair[1].x[1] - pair[0].x[1], "semi-major axes", "path_y_%03d", step);
    }
    return 0;
}

static void turn_round(struct star *stars, int n) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            stars[i].v[c] = -stars[i].v[c];
}

/* There and back; the largest difference of a coordinate of place or velocity, or -1. */
static double difference_after_return(const struct surveyed *program, double dt, double softening,
                                      int n, int steps, struct star *stars) {
    struct star *start = malloc((size_t)n * sizeof *start);
    double largest = start ? 0 : -1;
    int failed;

    if (!start)
        return -1;
    memcpy(start, stars, (size_t)n * sizeof *start);
    failed = moved(program, dt, softening, n, steps, stars);
    turn_round(stars, n);
    failed = failed || moved(program, dt, softening, n, steps, stars);
    turn_round(stars, n);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            largest = fmax(largest, fabs(stars[i].x[c] - start[i].x[c]));
            largest = fmax(largest, fabs(stars[i].v[c] - start[i].v[c]));
        }
    free(start);
    return failed ? -1 : largest;
}

/* Of the softened sphere and of the bare one. */
enum { SPHERE = 512 };
static const double sphere_softening = 1.0 / 32;

int leapfrog_survey_reversal(const struct surveyed *program) {
    enum { STEPS = 1024, SPHERE_STEPS = 256 };
    static const char *const names[] = {"reversal_kepler05", "reversal_kepler09",
                                        "reversal_sphere"};
    struct star stars[SPHERE];

    for (int k = 0; k < 3; k++) {
        const struct kepler orbit = orbit_of(k ? 0.9 : 0.5);
        double difference;

        if (k < 2)
            stars_kepler_start(&orbit, stars);
        else
            stars_plummer(stars, SPHERE, 1);
        difference = difference_after_return(
            program, k < 2 ? round_trip / STEPS : 1.0 / SPHERE_STEPS, k < 2 ? 0 : sphere_softening,
            k < 2 ? 2 : SPHERE, k < 2 ? STEPS : SPHERE_STEPS, stars);
        if (difference < 0)
            return -1;
        say(program, difference, "of a coordinate", "%s", names[k]);
    }
    return 0;
}

/* The relative change of energy after a further stretch of time. */
static int pass(const struct surveyed *program, double softening, int steps_per_unit, double time,
                double energy_before, struct star *stars, double *change) {
    if (moved(program, 1.0 / steps_per_unit, softening, SPHERE, (int)(time * steps_per_unit),
              stars))
        return -1;
    *change = energy_of(stars, SPHERE, softening) / energy_before - 1;
    return 0;
}

int leapfrog_survey_sphere(const struct surveyed *program) {
    enum { USUAL = 256, FEWEST = 16, MOST = 1024, QUARTERS = 16, QUARTERS_OF_LOOKS = 4 };
    struct star start[SPHERE], stars[SPHERE];

    stars_plummer(start, SPHERE, 1);
    for (int bare = 0; bare < 2; bare++) {
        const char *name = bare ? "bare" : "soft";
        double softening = bare ? 0 : sphere_softening, change;
        double energy = energy_of(start, SPHERE, softening);
        struct invariants sums;

        memcpy(stars, start, sizeof stars);
        for (int quarter = 1; quarter <= QUARTERS; quarter++) {
            if (pass(program, softening, USUAL, 0.25, energy, stars, &change))
                return -1;
            say(program, change, "of E", "%s_quarter_%d", name, quarter);
        }
        if (stars_invariants(stars, SPHERE, softening, &sums))
            return -1;
        say(program,
            sqrt(pow(sums.momentum[0], 2) + pow(sums.momentum[1], 2) + pow(sums.momentum[2], 2)),
            "of Henon units", "%s_momentum", name);
        for (int steps = FEWEST; steps <= MOST; steps *= 2) {
            double largest = 0;

            memcpy(stars, start, sizeof stars);
            for (int quarter = 0; quarter < QUARTERS_OF_LOOKS; quarter++) {
                if (pass(program, softening, steps, 0.25, energy, stars, &change))
                    return -1;
                largest = fmax(largest, fabs(change));
            }
            say(program, largest, "of E", "%s_steps_%d", name, steps);
        }
    }
    return 0;
}

int leapfrog_survey_growth(const struct surveyed *program) {
    enum { STEPS = 32 };
    static const double close = 1e-12;
    static const int hundredths[] = {100, 150, 190, 199, 201, 205, 210, 220, 250};

    for (size_t k = 0; k < sizeof hundredths / sizeof *hundredths; k++) {
        struct star pair[2] = {{0.5, {0}, {0}}, {0.5, {close, 0, 0}, {0}}};
        double furthest = 0;

        for (int step = 0; step < STEPS; step++) {
            if (moved(program, hundredths[k] / 100.0, 1, 2, 1, pair))
                return -1;
            furthest = fmax(furthest, fabs(pair[1].x[0] - pair[0].x[0]));
        }
        say(program, furthest / close, "times", "growth_%d", hundredths[k]);
    }
    return 0;
}

int leapfrog_survey(const struct surveyed *program) {
    return leapfrog_survey_orders(program) || leapfrog_survey_orbits(program) ||
                   leapfrog_survey_reversal(program) || leapfrog_survey_sphere(program) ||
                   leapfrog_survey_growth(program)
               ? -1
               : 0;
}
