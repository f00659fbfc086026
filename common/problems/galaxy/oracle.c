/* The galaxy's bodies, one by one from the numbers that the contract gives them. */
#include "galaxy_problem.h"

#include <math.h>
#include <stdlib.h>

#include "kit/spheroids.h"

static const double pi = 3.141592653589793;

/* Of which radii of the model a table has a row. */
enum { EVERY = 2, ROWS = GALAXY_RADII / EVERY, SPEEDS = GALAXY_SPEEDS };

static double cube(double x) {
    return x * x * x;
}

/* The part of a sphere's bodies where the potential is `potential` that is slower than k / SPEEDS
 * of the speed of escape, for all k. */
static void fill_row(const struct galaxy_model *model, int c, double potential,
                     double row[SPEEDS + 1]) {
    row[0] = 0;
    for (int k = 0; k < SPEEDS; k++) {
        double s = (k + 0.5) / SPEEDS;
        double kinetic = model->fault == GALAXY_HALF_ENERGY ? fmin(2 * s * s, 1) : s * s;
        double volume = model->fault == GALAXY_NO_WEIGHT ? 1 : cube(k + 1) - cube(k);

        row[k + 1] = row[k] + galaxy_f(model, c, potential * (1 - kinetic)) * volume;
    }
    for (int k = 0; k <= SPEEDS; k++)
        row[k] /= row[SPEEDS];
}

/* The speed over that of escape that a part u of a row is slower than. Slow bodies are as many as
 * the cube of the speed, so in a cell the cube is interpolated. */
static double speed_in(const double row[SPEEDS + 1], double u) {
    int low = 0, high = SPEEDS;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        *(row[middle] <= u ? &low : &high) = middle;
    }
    return cbrt(cube(low) +
                (cube(high) - cube(low)) * (u - row[low]) / fmax(row[high] - row[low], 1e-300)) /
           SPEEDS;
}

/* Rows at the radii of the table. */
typedef double rows_of_sphere[ROWS][SPEEDS + 1];

static void make_in_sphere(const struct galaxy_model *model, const rows_of_sphere *tables, int c,
                           const double u[GALAXY_NUMBERS], struct star *star) {
    const double *of_potential = model->potential[c];
    double r = galaxy_radius(model, c, u[0] * model->parameters.mass[c]), s;
    double potential = galaxy_at(model, of_potential, r);

    if (tables) {
        double place = fmin(fmax(log(r / model->r[0]) / model->step / EVERY, 0), ROWS - 1.001);
        int i = (int)place;

        s = (1 - (place - i)) * speed_in(tables[c][i], u[3]) +
            (place - i) * speed_in(tables[c][i + 1], u[3]);
    } else {
        double row[SPEEDS + 1];

        fill_row(model, c, potential, row);
        s = speed_in(row, u[3]);
    }
    galaxy_direction(u[1], u[2], star->x);
    galaxy_direction(u[4], u[5], star->v);
    for (int k = 0; k < 3; k++) {
        star->x[k] *= r;
        star->v[k] *= s * sqrt(-2 * potential);
    }
}

static void make_in_disk(const struct galaxy_model *model, const double u[GALAXY_NUMBERS],
                         struct star *star) {
    const struct galaxy_parameters *p = &model->parameters;
    double scale = p->scale[DISK], thickness = p->thickness;
    double radius = galaxy_radius(model, DISK, u[0] * p->mass[DISK]), azimuth = 2 * pi * u[2];
    double near = sqrt(radius * radius + thickness * thickness);
    double surface = p->mass[DISK] * exp(-radius / scale) / (2 * pi * scale * scale);
    double circular2 = galaxy_at(model, model->circular2, radius);
    double kappa2 = galaxy_at(model, model->kappa2, radius);
    double of_spheres = galaxy_at(model, model->spheres, near) / pow(near, 3);
    double sigma2_r = pow(model->sigma_0, 2) * exp(-radius / scale);
    double sigma2_phi = sigma2_r * kappa2 * radius * radius / (4 * circular2);
    double sigma2_z = pi * surface * thickness;
    double stream2, outwards, forwards;

    if (model->fault == GALAXY_ROUND)
        sigma2_phi = sigma2_r;
    if (model->fault != GALAXY_SELF_ONLY)
        sigma2_z += pi * pi / 12 * thickness * thickness * of_spheres;
    stream2 = circular2 + sigma2_r * (1 - 2 * radius / scale) - sigma2_phi;
    if (model->fault == GALAXY_NO_DRIFT)
        stream2 = circular2;
    outwards = sqrt(sigma2_r) * sqrt(-2 * log(u[3])) * cos(2 * pi * u[4]);
    forwards =
        sqrt(fmax(0, stream2)) + sqrt(sigma2_phi) * sqrt(-2 * log(u[3])) * sin(2 * pi * u[4]);
    star->x[0] = radius * cos(azimuth);
    star->x[1] = radius * sin(azimuth);
    star->x[2] = thickness * atanh(2 * u[1] - 1);
    star->v[0] = outwards * cos(azimuth) - forwards * sin(azimuth);
    star->v[1] = outwards * sin(azimuth) + forwards * cos(azimuth);
    star->v[2] = sqrt(sigma2_z) * sqrt(-2 * log(u[5])) * cos(2 * pi * u[6]);
}

static void centre(struct star *stars, int n) {
    double sum[6] = {0};

    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            sum[c] += stars[i].x[c];
            sum[3 + c] += stars[i].v[c];
        }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            stars[i].x[c] -= sum[c] / n;
            stars[i].v[c] -= sum[3 + c] / n;
        }
}

int galaxy_make(const struct galaxy_parameters *parameters, enum galaxy_fault fault, int tables,
                uint64_t seed, int passes, struct star *out) {
    struct galaxy_model *model = galaxy_model_new(parameters, fault);
    rows_of_sphere *rows = tables ? malloc(SPHEROIDS * sizeof *rows) : NULL;
    int n = parameters->n;
    double mass = 0;

    if (!model || (tables && !rows)) {
        free(model);
        free(rows);
        return -1;
    }
    for (int c = 0; c < COMPONENTS; c++)
        mass += parameters->mass[c];
    for (int c = 0; c < SPHEROIDS && tables; c++)
#pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            if (parameters->mass[c] > 0)
                fill_row(model, c, model->potential[c][(size_t)EVERY * i], rows[c][i]);
    if (fault != GALAXY_FIRST_SEED)
        seed += (uint64_t)(passes - 1);
#pragma omp parallel for schedule(dynamic, 64) if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        double u[GALAXY_NUMBERS];
        int c = 0;

        while (i >= galaxy_first(parameters, c + 1))
            c++;
        galaxy_draw(seed, i, u);
        out[i].mass = mass / n;
        if (c == DISK)
            make_in_disk(model, u, &out[i]);
        else
            make_in_sphere(model, rows, c, u, &out[i]);
    }
    if (fault != GALAXY_NOT_CENTRED)
        centre(out, n);
    free(rows);
    free(model);
    return 0;
}
