/* The trusted program for the CPU: all cores, structure of arrays, lanes along j. Compiled with
 * -ffast-math, so 1 / sqrtf may become an estimate and a Newton step; r2 is at least the softening,
 * so a body's own term stays 0 times a finite number.
 *
 * 12 G/s with gcc 12, 20 with clang 14, on two cores of an AMD EPYC with AVX-512. gcc takes the
 * root and then its reciprocal where clang takes one estimate; two bodies i for each j loaded, or
 * lanes along i, brought gcc nothing. */
#include "nbody_problem.h"

#include <math.h>
#include <stdlib.h>

struct columns {
    float *x, *y, *z, *vx, *vy, *vz, *m;
};

/* v_i += dt F_i */
static void kick(const struct columns *c, const struct parameters *parameters, int i) {
    const float *restrict x = c->x, *restrict y = c->y, *restrict z = c->z, *restrict m = c->m;
    float xi = x[i], yi = y[i], zi = z[i], softening = parameters->softening;
    float fx = 0, fy = 0, fz = 0;

#pragma omp simd reduction(+ : fx, fy, fz)
    for (int j = 0; j < parameters->n; j++) {
        float dx = x[j] - xi;
        float dy = y[j] - yi;
        float dz = z[j] - zi;
        float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
        float inv3 = m[j] * inv * inv * inv;
        fx += dx * inv3;
        fy += dy * inv3;
        fz += dz * inv3;
    }
    c->vx[i] += parameters->dt * fx;
    c->vy[i] += parameters->dt * fy;
    c->vz[i] += parameters->dt * fz;
}

int nbody_trusted_with(const struct parameters *p, const struct body *in, const float *masses,
                       struct body *out, int iterations) {
    int n = p->n;
    size_t stride = ((size_t)n + 15) / 16 * 16;
    float *memory = aligned_alloc(64, 7 * stride * sizeof *memory);
    if (!memory)
        return -1;
    struct columns c = {memory,
                        memory + stride,
                        memory + 2 * stride,
                        memory + 3 * stride,
                        memory + 4 * stride,
                        memory + 5 * stride,
                        memory + 6 * stride};
    for (int i = 0; i < n; i++) {
        c.x[i] = in[i].x, c.y[i] = in[i].y, c.z[i] = in[i].z;
        c.vx[i] = in[i].vx, c.vy[i] = in[i].vy, c.vz[i] = in[i].vz;
        c.m[i] = masses ? masses[i] : 1;
    }
    for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp parallel for if (n >= NBODY_WORTH_THREADS)
        for (int i = 0; i < n; i++)
            kick(&c, p, i);
        for (int i = 0; i < n; i++) {
            c.x[i] += p->dt * c.vx[i];
            c.y[i] += p->dt * c.vy[i];
            c.z[i] += p->dt * c.vz[i];
        }
    }
    for (int i = 0; i < n; i++)
        out[i] = (struct body){c.x[i], c.y[i], c.z[i], c.vx[i], c.vy[i], c.vz[i]};
    free(memory);
    return 0;
}
