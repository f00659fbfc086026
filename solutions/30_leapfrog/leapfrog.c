/* Step 30: stars moved by the leapfrog, kick, drift, kick, in double precision. */
#include "leapfrog.h"

#include <math.h>
#include <stdlib.h>

/* What a position is kept in. */
#ifndef POSITION
#define POSITION double
#endif

/* Whether a step is that of Parts I and II, semi-implicit Euler. */
#ifndef EULER
#define EULER 0
#endif

/* An array for each coordinate, so that a vector holds that of several bodies. */
struct integration {
    struct integration_parameters parameters;
    const struct star *in;
    struct star *out;
    double *mass, *v[3], *a[3];
    POSITION *x[3];
};

/* a_i = sum of m_j r_ij / (r_ij^2 + softening^2)^(3/2) at the present positions. The threads share
 * out the bodies i; the manifest's flags let the compiler add up a sum in lanes. */
static void accelerate(struct integration *integration) {
    const double *mass = integration->mass;
    const POSITION *x = integration->x[0], *y = integration->x[1], *z = integration->x[2];
    double softening = integration->parameters.softening;
    int n = integration->parameters.n;

#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;

        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double distance_squared = dx * dx + dy * dy + dz * dz;
            double r2 = distance_squared + softening * softening;
            /* Bodies at the same place, such as i and i itself, exert nothing on each other. */
            double scale = distance_squared > 0 ? mass[j] / (r2 * sqrt(r2)) : 0;

            ax += dx * scale;
            ay += dy * scale;
            az += dz * scale;
        }
        integration->a[0][i] = ax;
        integration->a[1][i] = ay;
        integration->a[2][i] = az;
    }
}

/* v += dt a for every body. */
static void kick(struct integration *integration, double dt) {
    for (int c = 0; c < 3; c++) {
        double *v = integration->v[c], *a = integration->a[c];

        /* part 1, 2 lines: Every velocity changes by dt times its acceleration. */
        for (int i = 0; i < integration->parameters.n; i++)
            v[i] += dt * a[i];
        /* until solved:
        (void)v, (void)a, (void)dt;
        */
        /* end of part 1 */
    }
}

/* x += dt v for every body. */
static void drift(struct integration *integration, double dt) {
    for (int c = 0; c < 3; c++) {
        POSITION *x = integration->x[c];
        double *v = integration->v[c];

        /* part 2, 2 lines: Every position changes by dt times its velocity. */
        for (int i = 0; i < integration->parameters.n; i++)
            x[i] += dt * v[i];
        /* until solved:
        (void)x, (void)v, (void)dt;
        */
        /* end of part 2 */
    }
}

/* One step. Before it and after it, the accelerations are those of the present positions. */
static void advance(struct integration *integration) {
    double dt = integration->parameters.dt;

    if (EULER) {
        kick(integration, dt);
        drift(integration, dt);
        accelerate(integration);
    } else {
        /* part 3, 4 lines: Half of the kick before the drift, half of it after the drift. */
        kick(integration, dt / 2);
        drift(integration, dt);
        accelerate(integration);
        kick(integration, dt / 2);
        /* end of part 3 */
    }
}

struct integration *integration_create(const struct integration_parameters *parameters,
                                       const struct star *in, struct star *out) {
    struct integration *integration = calloc(1, sizeof *integration);
    size_t n = (size_t)parameters->n;
    int complete;

    if (!integration)
        return NULL;
    *integration = (struct integration){.parameters = *parameters, .in = in, .out = out};
    complete = (integration->mass = malloc(n * sizeof(double))) != NULL;
    for (int c = 0; c < 3; c++) {
        complete &= (integration->x[c] = malloc(n * sizeof(POSITION))) != NULL;
        complete &= (integration->v[c] = malloc(n * sizeof(double))) != NULL;
        complete &= (integration->a[c] = malloc(n * sizeof(double))) != NULL;
    }
    if (complete)
        return integration;
    integration_destroy(integration);
    return NULL;
}

int integration_run(struct integration *integration, int steps) {
    int n = integration->parameters.n;

    for (int i = 0; i < n; i++) {
        integration->mass[i] = integration->in[i].mass;
        for (int c = 0; c < 3; c++) {
            integration->x[c][i] = integration->in[i].x[c];
            integration->v[c][i] = integration->in[i].v[c];
        }
    }
    accelerate(integration);
    for (int step = 0; step < steps; step++)
        advance(integration);
    for (int i = 0; i < n; i++) {
        integration->out[i].mass = integration->mass[i];
        for (int c = 0; c < 3; c++) {
            integration->out[i].x[c] = integration->x[c][i];
            integration->out[i].v[c] = integration->v[c][i];
        }
    }
    return 0;
}

void integration_destroy(struct integration *integration) {
    free(integration->mass);
    for (int c = 0; c < 3; c++) {
        free(integration->x[c]);
        free(integration->v[c]);
        free(integration->a[c]);
    }
    free(integration);
}
