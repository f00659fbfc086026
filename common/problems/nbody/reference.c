/* The float32 answer that decimals are counted against: to the bit what
 *
 *     for each i: for j = 0 .. n-1: dx = x[j] - x[i], ...; r2 = dx*dx + dy*dy + dz*dz + softening;
 *                 inv = 1.0f / sqrtf(r2); inv3 = inv * inv * inv; Fx += dx * inv3; ...
 *                 vx += dt * Fx; ...
 *     for each i: x += dt * vx; ...
 *
 * gives, every operation rounded to float. Fast all the same: lanes and threads share out i, so
 * that each body's sum keeps its order. Needs -ffp-contract=off and no -ffast-math. */
#include "nbody_problem.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 256 };

struct columns {
    float *x, *y, *z, *vx, *vy, *vz;
};

static void kick_lanes(const struct columns *c, const struct parameters *parameters, int first) {
    const float *restrict x = c->x, *restrict y = c->y, *restrict z = c->z;
    float softening = parameters->softening, dt = parameters->dt;
    float fx[LANES] = {0}, fy[LANES] = {0}, fz[LANES] = {0};

    for (int j = 0; j < parameters->n; j++) {
        for (int lane = 0; lane < LANES; lane++) {
            float dx = x[j] - x[first + lane];
            float dy = y[j] - y[first + lane];
            float dz = z[j] - z[first + lane];
            float r2 = dx * dx + dy * dy + dz * dz + softening;
            float inv = 1.0f / sqrtf(r2);
            float inv3 = inv * inv * inv;
            fx[lane] += dx * inv3;
            fy[lane] += dy * inv3;
            fz[lane] += dz * inv3;
        }
    }
    for (int lane = 0; lane < LANES; lane++) {
        c->vx[first + lane] += dt * fx[lane];
        c->vy[first + lane] += dt * fy[lane];
        c->vz[first + lane] += dt * fz[lane];
    }
}

static void drift(const struct columns *c, const struct parameters *parameters) {
    float dt = parameters->dt;
    for (int i = 0; i < parameters->n; i++) {
        c->x[i] += dt * c->vx[i];
        c->y[i] += dt * c->vy[i];
        c->z[i] += dt * c->vz[i];
    }
}

int nbody_reference(const struct parameters *parameters, const struct body *in, struct body *out,
                    int iterations) {
    int n = parameters->n;
    size_t stride = ((size_t)n + LANES - 1) / LANES * LANES; /* zeros behind the last body */
    float *memory = calloc(6 * stride, sizeof *memory);
    if (!memory)
        return 0;
    struct columns c = {memory,
                        memory + stride,
                        memory + 2 * stride,
                        memory + 3 * stride,
                        memory + 4 * stride,
                        memory + 5 * stride};
    for (int i = 0; i < n; i++) {
        c.x[i] = in[i].x, c.y[i] = in[i].y, c.z[i] = in[i].z;
        c.vx[i] = in[i].vx, c.vy[i] = in[i].vy, c.vz[i] = in[i].vz;
    }
    for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp parallel for schedule(dynamic) if (n >= NBODY_WORTH_THREADS)
        for (int first = 0; first < n; first += LANES)
            kick_lanes(&c, parameters, first);
        drift(&c, parameters);
    }
    for (int i = 0; i < n; i++)
        out[i] = (struct body){c.x[i], c.y[i], c.z[i], c.vx[i], c.vy[i], c.vz[i]};
    free(memory);
    return 1;
}
