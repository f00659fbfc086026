/* What the referee measures of a step's program beside its time: the order on orbits of two stars,
 * and what becomes of the energy of a sphere, over eta. */
#include <math.h>
#include <stdio.h>

#include "cluster_problem.h"
#include "problems/stars/invariants.h"
#include "problems/stars/systems.h"

/* The smallest eta is 0.04 / 4^3, that of a sphere 0.04 / 4^2: below, a step reads the noise of
 * float forces in their higher derivatives, and shrinks with it without end. On an H200 a sphere of
 * 1024 stars took 23 times as long at 0.04 / 4^3 as at 0.04 / 4^2, and one of 256 did not end. */
enum { MOST_HALVED = 3, MOST_HALVED_OF_SPHERE = 2 };

/* Eta when the step has been halved so many times. */
static double eta_of(int halved) {
    return 0.04 * pow(0.25, halved);
}

static void say(const struct surveyed *program, double value, const char *what, int halved,
                const char *unit) {
    char name[64];

    snprintf(name, sizeof name, "%s_%d", what, halved);
    program->say(program->referee, name, value, unit);
}

/* After a period, how far one star is from where it should be, seen from the other, in semi-major
 * axes. */
static int go_round(const struct surveyed *program, double eccentricity, int halved,
                    const char *name) {
    const struct cluster_parameters parameters = {2, 0, eta_of(halved), 2 * acos(-1)};
    const struct kepler orbit = stars_kepler(eccentricity, 1);
    struct star in[2], out[2];
    double error = 0;

    stars_kepler_start(&orbit, in);
    if (program->run(program->referee, &parameters, 2, 1, in, out))
        return -1;
    for (int c = 0; c < 3; c++)
        error = hypot(error, (out[1].x[c] - in[1].x[c]) - (out[0].x[c] - in[0].x[c]));
    say(program, error, name, halved, "a");
    return 0;
}

static int look_at_sphere(const struct surveyed *program, int halved) {
    enum { STARS = 256 };
    const struct cluster_parameters parameters = {STARS, 1.0 / 256, eta_of(halved), 1.0 / 4};
    static struct star in[STARS], out[STARS];
    struct invariants before, after;

    stars_plummer(in, STARS, 1);
    if (program->run(program->referee, &parameters, STARS, 1, in, out) ||
        stars_invariants(in, STARS, parameters.softening, &before) ||
        stars_invariants(out, STARS, parameters.softening, &after))
        return -1;
    say(program, fabs(stars_energy(&after) / stars_energy(&before) - 1), "energy_halved", halved,
        "of E");
    return 0;
}

int cluster_survey(const struct surveyed *program) {
    for (int halved = 0; halved <= MOST_HALVED; halved++)
        if (go_round(program, 0.5, halved, "error_kepler05_halved") ||
            go_round(program, 0.9, halved, "error_kepler09_halved") ||
            (halved <= MOST_HALVED_OF_SPHERE && look_at_sphere(program, halved)))
            return -1;
    return 0;
}
