#include "invariants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"

/* Bodies whose sums one thread holds at a time. */
enum { LANES = 64 };

/* A sum with what its additions lost (Neumaier 1974, ZAMM 54, 39). */
struct sum {
    double value, lost;
};

static void add(struct sum *sum, double term) {
    double next = sum->value + term;

    sum->lost +=
        fabs(sum->value) >= fabs(term) ? (sum->value - next) + term : (term - next) + sum->value;
    sum->value = next;
}

static double total(const struct sum *sum) {
    return sum->value + sum->lost;
}

/* The potential at bodies `first` and on due to all others. */
static void potential_of(const double *mass, const double *x, const double *y, const double *z,
                         int n, double softening_squared, int first, double *potential) {
    double sums[LANES] = {0};

    for (int j = 0; j < n; j++)
        for (int lane = 0; lane < LANES; lane++) {
            double dx = x[j] - x[first + lane], dy = y[j] - y[first + lane];
            double dz = z[j] - z[first + lane];
            double own = j == first + lane;
            double r2 = dx * dx + dy * dy + dz * dz + softening_squared + own;

            sums[lane] += (1 - own) * mass[j] / sqrt(r2);
        }
    for (int lane = 0; lane < LANES && first + lane < n; lane++)
        potential[first + lane] = -sums[lane];
}

static int sum_potential(const struct star *stars, int n, double softening, double *potential) {
    size_t padded = ((size_t)n + LANES - 1) / LANES * LANES;
    double *mass = calloc(5 * padded + 1, sizeof *mass), *x, *y, *z, *at;
    struct sum sum = {0};

    if (!mass)
        return -1;
    x = mass + padded;
    y = x + padded;
    z = y + padded;
    at = z + padded;
    for (int i = 0; i < n; i++) {
        mass[i] = stars[i].mass;
        x[i] = stars[i].x[0];
        y[i] = stars[i].x[1];
        z[i] = stars[i].x[2];
    }
#pragma omp parallel for schedule(dynamic) if (n >= WORTH_THREADS / 8)
    for (int first = 0; first < n; first += LANES)
        potential_of(mass, x, y, z, n, softening * softening, first, at);
    for (int i = 0; i < n; i++)
        add(&sum, mass[i] * at[i] / 2);
    *potential = total(&sum);
    free(mass);
    return 0;
}

int stars_invariants(const struct star *stars, int n, double softening,
                     struct invariants *invariants) {
    struct sum mass = {0}, kinetic = {0}, momentum[3] = {{0}}, angular[3] = {{0}},
               centre[3] = {{0}};

    for (int i = 0; i < n; i++) {
        double m = stars[i].mass;
        const double *x = stars[i].x, *v = stars[i].v;

        add(&mass, m);
        add(&kinetic, m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2);
        for (int c = 0; c < 3; c++) {
            int next = (c + 1) % 3, last = (c + 2) % 3;

            add(&momentum[c], m * v[c]);
            add(&centre[c], m * x[c]);
            add(&angular[c], m * x[next] * v[last]);
            add(&angular[c], -m * x[last] * v[next]);
        }
    }
    invariants->mass = total(&mass);
    invariants->kinetic = total(&kinetic);
    for (int c = 0; c < 3; c++) {
        invariants->momentum[c] = total(&momentum[c]);
        invariants->angular_momentum[c] = total(&angular[c]);
        invariants->centre[c] = total(&centre[c]) / invariants->mass;
    }
    return sum_potential(stars, n, softening, &invariants->potential);
}

double stars_energy(const struct invariants *invariants) {
    return invariants->kinetic + invariants->potential;
}
