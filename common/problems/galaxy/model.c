/* The galaxy's masses, potential, distribution functions and rotation, worked out apart from any
 * step, by rules of higher order. */
#include "galaxy_problem.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kit/bessel.h"
#include "kit/spheroids.h"

enum { RADII = GALAXY_RADII };

static const double pi = 3.141592653589793;

/* 4 pi r^3 density, the mass of a shell per d ln r. */
static double shell(const struct galaxy_parameters *p, int c, double r) {
    return 4 * pi * r * r * r * spheroid_density(p, c, r);
}

/* How much a table rises there from entry to entry, by five of them. */
static double rise(const double *table, int i) {
    int k = i < 2 ? 2 : i > RADII - 3 ? RADII - 3 : i;

    return (8 * (table[k + 1] - table[k - 1]) - table[k + 2] + table[k - 2]) / 12;
}

/* Gauss's rule of three points in every cell. */
static void integrate_masses(struct galaxy_model *model) {
    static const double node = 0.7745966692414834; /* sqrt(3/5) */
    const struct galaxy_parameters *p = &model->parameters;
    const double *r = model->r;

    for (int c = 0; c < SPHEROIDS; c++) {
        double *inside = model->inside[c], all;

        inside[0] = shell(p, c, r[0]) / 2; /* of a density that goes as 1 / r */
        for (int i = 1; i < RADII; i++) {
            double middle = r[i - 1] * exp(model->step / 2), aside = exp(node * model->step / 2);

            inside[i] =
                inside[i - 1] + model->step / 18 *
                                    (5 * shell(p, c, middle / aside) + 8 * shell(p, c, middle) +
                                     5 * shell(p, c, middle * aside));
        }
        all = inside[RADII - 1];
        for (int i = 0; i < RADII; i++)
            inside[i] *= p->mass[c] / all;
    }
    for (int i = 0; i < RADII; i++) {
        model->inside[DISK][i] = p->mass[DISK] * disk_inside(p->scale[DISK], r[i]);
        for (int c = 0; c < SPHEROIDS; c++)
            model->spheres[i] += model->inside[c][i];
        model->all[i] =
            model->spheres[i] + (model->fault == GALAXY_NO_DISK_MASS ? 0 : model->inside[DISK][i]);
    }
}

/* d potential = M / r d ln r, by the trapezoidal rule with the first correction of Euler and
 * Maclaurin, which takes the slopes at the ends of a cell: here from the neighbours' values. */
static void integrate_potential(const struct galaxy_model *model, const double *mass,
                                double potential[RADII]) {
    const double *r = model->r;

    potential[RADII - 1] = -mass[RADII - 1] / r[RADII - 1];
    for (int i = RADII - 2; i >= 0; i--) {
        int before = i ? i - 1 : 0, after = i + 2 < RADII ? i + 2 : RADII - 1;
        double here = mass[i] / r[i], next = mass[i + 1] / r[i + 1];
        double rise = (next - mass[before] / r[before]) / (i + 1 - before);
        double next_rise = (mass[after] / r[after] - here) / (after - i);

        potential[i] =
            potential[i + 1] - model->step * ((here + next) / 2 + (rise - next_rise) / 12);
    }
}

/* The integral of dg / sqrt(potential - E), g = -d density / d potential (Eddington 1916; Binney
 * and Tremaine, Galactic Dynamics, 2008, equation 4.46). In a cell dg / d potential is a straight
 * line in the potential, and the root is integrated by hand. Densities are those of the component
 * with its mass. */
static void invert(struct galaxy_model *model, int c) {
    const struct galaxy_parameters *p = &model->parameters;
    const double *r = model->r, *potential = model->potential[c];
    const double *mass = model->fault == GALAXY_OWN_POTENTIAL ? model->inside[c] : model->all;
    double g[RADII], falls[RADII], bends[RADII]; /* falls: -dg / d potential; bends: its slope */
    double *f = model->f[c];
    double density = (model->inside[c][RADII / 2 + 1] - model->inside[c][RADII / 2 - 1]) /
                     (2 * model->step * shell(p, c, r[RADII / 2]));

    for (int i = 0; i < RADII; i++)
        g[i] =
            -density * spheroid_density(p, c, r[i]) * spheroid_slope(p, c, r[i]) * r[i] / mass[i];
    for (int i = 0; i < RADII; i++) {
        falls[i] = -rise(g, i) / model->step * r[i] / mass[i];
    }
    for (int j = 0; j < RADII - 1; j++)
        bends[j] = (falls[j + 1] - falls[j]) / (potential[j + 1] - potential[j]);
    for (int i = 0; i < RADII; i++) {
        double sum = 0, above = 0, root = 0;

        for (int j = i; j < RADII - 1; j++) {
            double next = potential[j + 1] - potential[i], next_root = sqrt(next);
            sum += 2 * (falls[j] - bends[j] * above) * (next_root - root) +
                   2.0 / 3 * bends[j] * (next * next_root - above * root);
            above = next;
            root = next_root;
        }
        f[i] = (model->fault == GALAXY_NO_ROOT ? falls[i] : sum) / (sqrt(8) * pi * pi);
    }
}

static void turn_disk(struct galaxy_model *model) {
    const struct galaxy_parameters *p = &model->parameters;
    double mass = p->mass[DISK], scale = p->scale[DISK], least = INFINITY;
    const double *r = model->r;
    double *circular2 = model->circular2;

    for (int i = 0; i < RADII; i++)
        circular2[i] =
            model->spheres[i] / r[i] + (mass > 0 ? thin_disk_speed_squared(mass, scale, r[i]) : 0);
    for (int i = 0; i < RADII; i++) {
        double surface = mass * exp(-r[i] / scale) / (2 * pi * scale * scale);

        model->kappa2[i] = (2 * circular2[i] + rise(circular2, i) / model->step) / (r[i] * r[i]);
        if (model->fault == GALAXY_KEPLER)
            model->kappa2[i] = circular2[i] / (r[i] * r[i]);
        least = fmin(least, exp(-r[i] / (2 * scale)) * sqrt(model->kappa2[i]) / (3.36 * surface));
    }
    model->sigma_0 = p->least_q / least;
}

static void tabulate(struct galaxy_model *model, const struct galaxy_parameters *parameters,
                     enum galaxy_fault fault) {
    double innermost = 1e-4;

    memset(model, 0, sizeof *model);
    model->parameters = *parameters;
    model->fault = fault;
    model->step = log(10 * parameters->truncation / innermost) / (RADII - 1);
    for (int i = 0; i < RADII; i++)
        model->r[i] = innermost * exp(model->step * i);
    integrate_masses(model);
    for (int c = 0; c < SPHEROIDS; c++)
        if (parameters->mass[c] > 0) {
            integrate_potential(model,
                                fault == GALAXY_OWN_POTENTIAL ? model->inside[c] : model->all,
                                model->potential[c]);
            invert(model, c);
        }
    turn_disk(model);
}

/* Whether models differ in nothing but their number of bodies, of which tables know nothing. */
static int are_alike(const struct galaxy_parameters *a, const struct galaxy_parameters *b) {
    for (int c = 0; c < COMPONENTS; c++)
        if (a->mass[c] != b->mass[c] || a->scale[c] != b->scale[c])
            return 0;
    return a->index == b->index && a->truncation == b->truncation && a->thickness == b->thickness &&
           a->least_q == b->least_q;
}

/* A check judges many outputs of one galaxy, so the last models stay for the next call. */
struct galaxy_model *galaxy_model_new(const struct galaxy_parameters *parameters,
                                      enum galaxy_fault fault) {
    enum { KEPT = 2 * GALAXY_FAULTS };
    static struct galaxy_model kept[KEPT];
    static int oldest, count;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct galaxy_model *model = malloc(sizeof *model);
    int at = 0;

    if (!model)
        return NULL;
    pthread_mutex_lock(&mutex);
    while (at < count && (kept[at].fault != fault || !are_alike(&kept[at].parameters, parameters)))
        at++;
    if (at == count) {
        at = count < KEPT ? count++ : oldest++ % KEPT;
        tabulate(&kept[at], parameters, fault);
    }
    memcpy(model, &kept[at], sizeof *model);
    pthread_mutex_unlock(&mutex);
    model->parameters = *parameters;
    return model;
}

/* The cell of an ascending table that a value is in. */
static int cell_of(const double *table, double value) {
    int low = 0, high = RADII - 1;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        *(table[middle] <= value ? &low : &high) = middle;
    }
    return low;
}

/* The value at `x` of the cubic through four points (Lagrange). */
static double cubic(const double x[4], const double y[4], double at) {
    double sum = 0;

    for (int i = 0; i < 4; i++) {
        double above = y[i], below = 1;

        for (int j = 0; j < 4; j++)
            if (j != i) {
                above *= at - x[j];
                below *= x[i] - x[j];
            }
        sum += above / below;
    }
    return sum;
}

/* Of four entries of a table around a cell, the first. */
static int first_of_four(int cell) {
    return cell < 1 ? 0 : cell > RADII - 3 ? RADII - 4 : cell - 1;
}

double galaxy_radius(const struct galaxy_model *model, int component, double mass) {
    const double *inside = model->inside[component];
    int cell = cell_of(inside, mass), i = first_of_four(cell);
    double place = cell; /* beyond nearly all mass nothing is left to interpolate */

    if (mass <= inside[0])
        place = 0;
    else if (inside[i + 3] > inside[i + 2])
        place = i + cubic(inside + i, (const double[]){0, 1, 2, 3}, mass);
    return model->r[0] * exp(model->step * place);
}

double galaxy_at(const struct galaxy_model *model, const double *table, double radius) {
    double place = fmin(fmax(log(radius / model->r[0]) / model->step, 0), RADII - 1);
    int i = first_of_four((int)place);

    return cubic((const double[]){0, 1, 2, 3}, table + i, place - i);
}

double galaxy_f(const struct galaxy_model *model, int component, double energy) {
    const double *potential = model->potential[component], *f = model->f[component];
    int i = first_of_four(cell_of(potential, energy));

    return cubic(potential + i, f + i, fmin(fmax(energy, potential[0]), potential[RADII - 1]));
}
