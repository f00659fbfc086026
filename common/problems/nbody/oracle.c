#include "nbody_problem.h"

#include <math.h>
#include <string.h>

/* Bodies whose sums one thread holds in its first-level cache: 3 x 8 x 128 bytes of sums and as
 * many of positions. */
enum { LANES = 128 };

static size_t padded(int n) {
    return ((size_t)n + ORACLE_PADDING - 1) / ORACLE_PADDING * ORACLE_PADDING;
}

size_t oracle_doubles(int n) {
    return 7 * padded(n);
}

void oracle_start(struct oracle *oracle, double *memory, const struct body *in, const float *masses,
                  int n) {
    size_t stride = padded(n);
    memset(memory, 0, oracle_doubles(n) * sizeof *memory);
    *oracle = (struct oracle){n,
                              memory,
                              memory + stride,
                              memory + 2 * stride,
                              memory + 3 * stride,
                              memory + 4 * stride,
                              memory + 5 * stride,
                              memory + 6 * stride};
    for (int i = 0; i < n; i++) {
        oracle->x[i] = in[i].x;
        oracle->y[i] = in[i].y;
        oracle->z[i] = in[i].z;
        oracle->vx[i] = in[i].vx;
        oracle->vy[i] = in[i].vy;
        oracle->vz[i] = in[i].vz;
    }
    for (size_t i = 0; i < stride; i++)
        oracle->m[i] = !masses ? 1 : i < (size_t)n ? (double)masses[i] : 0;
}

/* F_i = sum over j of m_j r_ij / (r_ij^2 + softening)^(3/2), r_ij = x_j - x_i, in the order of j. A
 * body's own term is 0 / softening^(3/2) = 0. */
static void kick_lanes(struct oracle *oracle, double dt, double softening, int sources, int first) {
    const double *restrict x = oracle->x, *restrict y = oracle->y, *restrict z = oracle->z;
    const double *restrict m = oracle->m;
    double fx[LANES] = {0}, fy[LANES] = {0}, fz[LANES] = {0};

    for (int j = 0; j < sources; j++) {
        for (int lane = 0; lane < LANES; lane++) {
            double dx = x[j] - x[first + lane];
            double dy = y[j] - y[first + lane];
            double dz = z[j] - z[first + lane];
            double r2 = dx * dx + dy * dy + dz * dz + softening;
            double scale = m[j] / (r2 * sqrt(r2));
            fx[lane] += dx * scale;
            fy[lane] += dy * scale;
            fz[lane] += dz * scale;
        }
    }
    for (int i = first; i < first + LANES && i < oracle->n; i++) {
        oracle->vx[i] += dt * fx[i - first];
        oracle->vy[i] += dt * fy[i - first];
        oracle->vz[i] += dt * fz[i - first];
    }
}

void oracle_kick(struct oracle *oracle, const struct parameters *parameters, int sources) {
#pragma omp parallel for schedule(dynamic) if (oracle->n >= NBODY_WORTH_THREADS)
    for (int first = 0; first < oracle->n; first += LANES)
        kick_lanes(oracle, parameters->dt, parameters->softening, sources, first);
}

void oracle_drift(struct oracle *oracle, const struct parameters *parameters) {
    double dt = parameters->dt;
    for (int i = 0; i < oracle->n; i++) {
        oracle->x[i] += dt * oracle->vx[i];
        oracle->y[i] += dt * oracle->vy[i];
        oracle->z[i] += dt * oracle->vz[i];
    }
}

void oracle_run(struct oracle *oracle, const struct parameters *parameters, int iterations) {
    for (int iteration = 0; iteration < iterations; iteration++) {
        oracle_kick(oracle, parameters, oracle->n);
        oracle_drift(oracle, parameters);
    }
}
