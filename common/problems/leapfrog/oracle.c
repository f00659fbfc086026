#include "leapfrog_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bodies whose sums one thread holds in its first-level cache. */
enum { LANES = 64 };

/* In one piece of memory: the struct, the long doubles, the doubles. */
struct cluster *cluster_new(const struct integration_parameters *parameters,
                            const struct star *in) {
    enum { STATE = 6, DOUBLES = 10, HEAD = 256 };
    size_t n = (size_t)parameters->n, padded = (n + LANES - 1) / LANES * LANES;
    char *memory =
        calloc(1, HEAD + padded * (STATE * sizeof(long double) + DOUBLES * sizeof(double)));
    struct cluster *cluster = (struct cluster *)memory;
    long double *state;
    double *doubles;

    _Static_assert(sizeof(struct cluster) <= HEAD, "the struct fits before its arrays");
    if (!memory)
        return NULL;
    state = (long double *)(memory + HEAD);
    doubles = (double *)(state + STATE * padded);
    *cluster = (struct cluster){.n = parameters->n,
                                .dt = parameters->dt,
                                .softening_squared = parameters->softening * parameters->softening,
                                .mass = doubles};
    for (size_t c = 0; c < 3; c++) {
        cluster->x[c] = state + c * padded;
        cluster->v[c] = state + (3 + c) * padded;
        cluster->high[c] = doubles + (1 + c) * padded;
        cluster->low[c] = doubles + (4 + c) * padded;
        cluster->a[c] = doubles + (7 + c) * padded;
    }
    for (size_t i = 0; i < n; i++) {
        cluster->mass[i] = in[i].mass;
        for (int c = 0; c < 3; c++) {
            cluster->x[c][i] = in[i].x[c];
            cluster->v[c][i] = in[i].v[c];
        }
    }
    return cluster;
}

/* The distance is that of all bits: two bodies may be at one place in the first 53. */
static void accelerate_lanes(const struct cluster *cluster, int sources, int first) {
    const double *x = cluster->high[0], *y = cluster->high[1], *z = cluster->high[2];
    const double *xl = cluster->low[0], *yl = cluster->low[1], *zl = cluster->low[2];
    double softening_squared = cluster->softening_squared;
    double ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0};

    for (int j = 0; j < sources; j++) {
        double mass = cluster->mass[j];

        for (int lane = 0; lane < LANES; lane++) {
            int i = first + lane;
            double dx = (x[j] - x[i]) + (xl[j] - xl[i]);
            double dy = (y[j] - y[i]) + (yl[j] - yl[i]);
            double dz = (z[j] - z[i]) + (zl[j] - zl[i]);
            double d2 = dx * dx + dy * dy + dz * dz;
            double together = d2 == 0; /* then r2 is not 0, and the pull is */
            double r2 = d2 + softening_squared + together;
            double scale = mass / (r2 * sqrt(r2));

            ax[lane] += dx * scale;
            ay[lane] += dy * scale;
            az[lane] += dz * scale;
        }
    }
    memcpy(cluster->a[0] + first, ax, sizeof ax);
    memcpy(cluster->a[1] + first, ay, sizeof ay);
    memcpy(cluster->a[2] + first, az, sizeof az);
}

void cluster_accelerate(struct cluster *cluster, int sources) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++) {
            cluster->high[c][i] = (double)cluster->x[c][i];
            cluster->low[c][i] = (double)(cluster->x[c][i] - cluster->high[c][i]);
        }
#pragma omp parallel for schedule(dynamic) if (cluster->n >= WORTH_THREADS / 8)
    for (int first = 0; first < cluster->n; first += LANES)
        accelerate_lanes(cluster, sources, first);
}

void cluster_kick(struct cluster *cluster, double dt) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->v[c][i] += (long double)dt * cluster->a[c][i];
}

void cluster_drift(struct cluster *cluster, double dt) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->x[c][i] += dt * cluster->v[c][i];
}

void cluster_run(struct cluster *cluster, int steps) {
    cluster_accelerate(cluster, cluster->n);
    for (int step = 0; step < steps; step++) {
        cluster_kick(cluster, cluster->dt / 2);
        cluster_drift(cluster, cluster->dt);
        cluster_accelerate(cluster, cluster->n);
        cluster_kick(cluster, cluster->dt / 2);
    }
}

void cluster_end(const struct cluster *cluster, struct star *out) {
    for (int i = 0; i < cluster->n; i++) {
        out[i].mass = cluster->mass[i];
        for (int c = 0; c < 3; c++) {
            out[i].x[c] = (double)cluster->x[c][i];
            out[i].v[c] = (double)cluster->v[c][i];
        }
    }
}
