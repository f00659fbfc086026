/* The errors and times of the step's program that no row of a record has: the error on orbits of
 * two stars over eta, and for Plummer spheres the change of energy over eta and the time over n.
 *
 *     make -C common ../build/problems.a
 *     nvcc -O3 -std=c++17 -arch=native -ftz=true FLAGS -Icommon -Icommon/include -Icommon/kit \
 *         -Xcompiler -fopenmp -o measure solutions/32_hermite/measure.cu \
 *         build/problems.a
 *     ./measure kepler
 *     ./measure energy N SOFTENING TIME
 *     ./measure seconds N SOFTENING TIME ETA
 *
 * with the flags of a variant, of the step's manifest. It prints lines `name value unit`. */
#include "cluster.cu"

#include <time.h>

extern "C" {
#include "problems/stars/invariants.h"
#include "problems/stars/systems.h"
}

static double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Moves stars by a time, twice; `taken` becomes the seconds of the second run. */
static void move(struct cluster_parameters parameters, double time, const struct star *in,
                 struct star *out, double *taken) {
    struct evolution *evolution;

    parameters.interval = time;
    evolution = evolution_create(&parameters, in, out);
    evolution_run(evolution, 1); /* the first run loads kernels */
    *taken = seconds();
    evolution_run(evolution, 1);
    *taken = seconds() - *taken;
    evolution_destroy(evolution);
}

/* How far two stars are from their start after one period, in semi-major axes. */
static void measure_orbits(void) {
    static const double eccentricities[] = {0.5, 0.9};
    double period = 2 * acos(-1), taken;

    for (int k = 0; k < 2; k++)
        for (double eta = 0.04; eta > 1e-4; eta /= 4) {
            struct kepler orbit = stars_kepler(eccentricities[k], 1);
            struct star in[2], out[2];
            double error = 0;

            stars_kepler_start(&orbit, in);
            move({2, 0, eta, 0}, period, in, out, &taken);
            for (int c = 0; c < 3; c++)
                error = hypot(error, (out[1].x[c] - in[1].x[c]) - (out[0].x[c] - in[0].x[c]));
            printf("kepler_error_%g_%g %.3g 1\n", eccentricities[k], eta, error);
        }
}

static double energy_of(const struct star *stars, int n, double softening) {
    struct invariants sums;

    if (stars_invariants(stars, n, softening, &sums))
        exit(1);
    return stars_energy(&sums);
}

static void measure_sphere(int n, double softening, double time, double eta, int with_energy) {
    struct star *in, *out;
    double taken, before, after;

    host_malloc(&in, n * sizeof *in);
    host_malloc(&out, n * sizeof *out);
    stars_plummer(in, n, 1);
    move({n, softening, eta, 0}, time, in, out, &taken);
    printf("seconds_%d_%g %.4f s\n", n, eta, taken);
    if (with_energy) {
        before = energy_of(in, n, softening);
        after = energy_of(out, n, softening);
        printf("energy_error_%d_%g %.3g 1\n", n, eta, fabs((after - before) / before));
    }
    fflush(stdout);
    free(in);
    free(out);
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "kepler"))
        measure_orbits();
    else if (argc == 5 && !strcmp(argv[1], "energy"))
        for (double eta = 0.04; eta > 1e-4; eta /= 4)
            measure_sphere(atoi(argv[2]), atof(argv[3]), atof(argv[4]), eta, 1);
    else if (argc == 6 && !strcmp(argv[1], "seconds"))
        measure_sphere(atoi(argv[2]), atof(argv[3]), atof(argv[4]), atof(argv[5]), 1);
    else
        return fprintf(stderr, "usage: measure kepler | energy N SOFTENING TIME | seconds N "
                               "SOFTENING TIME ETA\n"),
               1;
    return 0;
}
