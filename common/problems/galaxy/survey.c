#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "galaxy_problem.h"

static const double pi = 3.141592653589793;

/* Rings and shells, equal in ln r. */
enum { BINS = 48 };
static const double innermost = 0.1, outermost = 400; /* kpc */

/* What is counted in a ring or shell. */
struct bin {
    int bodies[COMPONENTS];
    double mass[COMPONENTS];    /* solar masses */
    double forwards, outwards2; /* sums over the disk's bodies */
};

static double edge_of(int bin) {
    return innermost * pow(outermost / innermost, (double)bin / BINS);
}

static int bin_of(double radius) {
    return (int)floor(BINS * log(radius / innermost) / log(outermost / innermost));
}

static void count(const struct snapshot *all, struct bin bins[BINS]) {
    for (int c = 0; c < COMPONENTS; c++)
        for (int i = all->first[c]; i < all->first[c + 1]; i++) {
            const double *x = all->stars[i].x, *v = all->stars[i].v;
            double across = hypot(x[0], x[1]), radius = c == DISK ? across : hypot(across, x[2]);
            int k = bin_of(fmin(fmax(radius, 1e-9), 1e9));

            if (k < 0 || k >= BINS)
                continue;
            bins[k].bodies[c]++;
            bins[k].mass[c] += all->stars[i].mass * SOLAR_MASSES;
            if (c == DISK) {
                bins[k].forwards += (x[0] * v[1] - x[1] * v[0]) / across;
                bins[k].outwards2 += pow((x[0] * v[0] + x[1] * v[1]) / across, 2);
            }
        }
}

static void say(const struct surveyed *program, int bin, double value, const char *unit,
                const char *what) {
    char name[40];

    snprintf(name, sizeof name, "%s_%02d", what, bin);
    program->say(program->referee, name, value, unit);
}

/* Fewer tell more of chance than of the galaxy. */
enum { FEWEST = 10 };

static void say_bin(const struct surveyed *program, const struct galaxy_model *model, int k,
                    const struct bin *bin) {
    static const char *const names[][2] = {{"halo", "model_halo"},
                                           {"stellar", "model_stellar"},
                                           {"bulge", "model_bulge"},
                                           {"disk", "model_disk"}};
    const struct galaxy_parameters *p = &model->parameters;
    double low = edge_of(k), high = edge_of(k + 1), middle = sqrt(low * high);
    double surface =
        p->mass[DISK] * exp(-middle / p->scale[DISK]) / (2 * pi * p->scale[DISK] * p->scale[DISK]);
    double circular2 = galaxy_at(model, model->circular2, middle);
    double kappa2 = galaxy_at(model, model->kappa2, middle);
    double sigma2 = pow(model->sigma_0, 2) * exp(-middle / p->scale[DISK]);
    double stream2 = circular2 + sigma2 * (1 - 2 * middle / p->scale[DISK]) -
                     sigma2 * kappa2 * middle * middle / (4 * circular2);
    int in_disk = bin->bodies[DISK];

    say(program, k, middle, "kpc", "radius");
    for (int c = 0; c < COMPONENTS; c++) {
        const char *unit = c == DISK ? "solar masses per kpc^2" : "solar masses per kpc^3";
        double room =
            c == DISK ? pi * (high * high - low * low) : 4 * pi / 3 * (pow(high, 3) - pow(low, 3));
        double right =
            (galaxy_at(model, model->inside[c], high) - galaxy_at(model, model->inside[c], low)) *
            SOLAR_MASSES;

        if (bin->bodies[c] >= FEWEST)
            say(program, k, bin->mass[c] / room, unit, names[c][0]);
        if (right > 1e-7 * p->mass[c] * SOLAR_MASSES)
            say(program, k, right / room, unit, names[c][1]);
    }
    if (in_disk >= FEWEST) {
        double sigma = sqrt(bin->outwards2 / in_disk);

        say(program, k, bin->forwards / in_disk, "km/s", "rotation");
        say(program, k, sigma * sqrt(kappa2) / (3.36 * surface), "", "q");
    }
    say(program, k, sqrt(fmax(0, stream2)), "km/s", "model_rotation");
    say(program, k, sqrt(circular2), "km/s", "model_circular");
    say(program, k, sqrt(sigma2) * sqrt(kappa2) / (3.36 * surface), "", "model_q");
}

int galaxy_m31(int n, struct galaxy_parameters *parameters, struct snapshot *bodies,
               char *message) {
    int counts[COMPONENTS];

    galaxy_problem.set_parameters(parameters, galaxy_problem.distributions[0], n, 1);
    for (int c = 0; c < COMPONENTS; c++)
        counts[c] = galaxy_first(parameters, c + 1) - galaxy_first(parameters, c);
    return snapshot_new(bodies, counts, message);
}

int galaxy_survey(const struct surveyed *program) {
    const int n = galaxy_problem.sizes->on_cpu;
    const uint64_t seed = 1;
    struct snapshot made = {NULL};
    struct bin bins[BINS] = {0};
    struct galaxy_parameters parameters;
    struct galaxy_model *model = NULL;
    char message[WHAT_BYTES];
    int failed;

    galaxy_problem.set_parameters(&parameters, galaxy_problem.distributions[0], n, 1);
    failed =
        !program->bodies && (galaxy_m31(n, &parameters, &made, message) ||
                             program->run(program->referee, &parameters, n, 1, &seed, made.stars));
    if (!failed && (model = galaxy_model_new(&parameters, GALAXY_RIGHT))) {
        count(program->bodies ? program->bodies : &made, bins);
        for (int k = 0; k < BINS; k++)
            say_bin(program, model, k, &bins[k]);
    }
    free(made.stars);
    failed = !model;
    free(model);
    return failed ? -1 : 0;
}
