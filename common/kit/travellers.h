/* Stars that move by steps of their own: what is kept of each, and the end of a step by Hermite's
 * scheme with Aarseth's criterion. Times are whole numbers of ticks, and steps powers of two of
 * them, so that stars meet exactly. */
#ifndef TRAVELLERS_H
#define TRAVELLERS_H

#include "pulls.h"

typedef unsigned long long ticks;

#define INTERVAL ((ticks)1 << 40) /* ticks per interval, the longest step */
#define NEVER    (~(ticks)0)

/* A star and what it felt, both at its own time; its next step ends at time + step. A step of 0: it
 * has not felt anything yet. */
struct traveller {
    struct star star;
    struct pull felt;
    ticks time, step;
};

/* The step's own: where a star is at a time, if a tick lasts `tick`; and the step that follows one
 * that ends at a time, if `wanted` ticks are short enough. */
__host__ __device__ static inline struct star predict(const struct traveller *traveller, ticks time,
                                                      double tick);
__host__ __device__ static inline ticks next_step(ticks step, ticks time, double wanted);

__host__ __device__ static inline double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The first step, when there is no cubic yet: a 64th of what the criterion gives on a circular
 * orbit. But among many stars some have a jerk that is small by chance. So it is at most a quarter
 * of what it gives on the orbit of another star of that mass which would pull as strongly. */
__host__ __device__ static inline double first_step(const struct star *star,
                                                    const struct pull *felt, double eta) {
    double a = length_of(felt->acceleration), j = length_of(felt->jerk);

    return sqrt(eta) * fmin(a / j / 64, sqrt(sqrt(star->mass / (a * a * a))) / 4);
}

/* The time step that a star allows after one of length dt, by Aarseth's criterion. In a short step
 * the derivatives are mostly rounding errors of the forces; what rounding can contribute is
 * subtracted. A step so short that rounding alone would ask for a shorter one may double. */
__host__ __device__ static inline double
allowed_step(const struct pull *old, const struct pull *felt, double dt, double eta) {
    double a = length_of(felt->acceleration), j = length_of(felt->jerk), s, c;
    double rounding = pulls_rounding * fmax(a, length_of(old->acceleration));
    double snap[3], crackle[3];

    if (eta * dt * j < 6 * rounding)
        return 2 * dt;
    for (int k = 0; k < 3; k++) {
        double change = felt->acceleration[k] - old->acceleration[k];
        double j0 = old->jerk[k], j1 = felt->jerk[k];

        crackle[k] = (6 * dt * (j0 + j1) - 12 * change) / (dt * dt * dt);
        snap[k] = (6 * change - dt * (4 * j0 + 2 * j1)) / (dt * dt) + dt * crackle[k];
    }
    s = fmax(0.0, length_of(snap) - 18 * rounding / (dt * dt));
    c = fmax(0.0, length_of(crackle) - 12 * rounding / (dt * dt * dt));
    return sqrt(eta * (a * s + j * j) / (j * c + s * s));
}

/* Ends a star's step, given what it feels at its predicted place: corrects the star from where it
 * was before the step. Returns when its next step ends. */
__host__ __device__ static inline ticks end_step(struct traveller *traveller,
                                                 const struct pull *felt, ticks time, double tick,
                                                 double eta) {
    struct pull old = traveller->felt;
    double dt = (double)traveller->step * tick;
    int is_first = traveller->step == 0;
    double wanted =
        is_first ? first_step(&traveller->star, felt, eta) : allowed_step(&old, felt, dt, eta);

    for (int c = 0; c < 3 && !is_first; c++) {
        double *x = &traveller->star.x[c], *v = &traveller->star.v[c], before = *v;

        *v += dt / 2 * (old.acceleration[c] + felt->acceleration[c]) +
              dt * dt / 12 * (old.jerk[c] - felt->jerk[c]);
        *x += dt / 2 * (before + *v) + dt * dt / 12 * (old.acceleration[c] - felt->acceleration[c]);
    }
    traveller->felt = *felt;
    traveller->time = time;
    traveller->step = next_step(is_first ? INTERVAL : traveller->step, time, wanted / tick);
    return time + traveller->step;
}

#endif
