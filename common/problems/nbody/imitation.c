#include "nbody_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void drift_before_kick(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    oracle_drift(oracle, p);
    oracle_kick(oracle, p, oracle->n);
}

/* Each velocity is added to its position before it is changed. */
static void old_velocity(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    struct oracle old = *oracle;
    double *memory = malloc(oracle_doubles(oracle->n) * sizeof *memory);
    if (!memory)
        return;
    size_t bytes = (size_t)oracle->n * sizeof *memory;
    old.vx = memcpy(memory, oracle->vx, bytes);
    old.vy = memcpy(memory + oracle->n, oracle->vy, bytes);
    old.vz = memcpy(memory + 2 * (size_t)oracle->n, oracle->vz, bytes);
    oracle_kick(oracle, p, oracle->n);
    oracle_drift(&old, p); /* moves the positions that both share */
    free(memory);
}

static void force_on(const struct oracle *oracle, int i, double softening, double force[3]) {
    const double *restrict x = oracle->x, *restrict y = oracle->y, *restrict z = oracle->z;
    const double *restrict m = oracle->m;
    double xi = x[i], yi = y[i], zi = z[i], fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int j = 0; j < oracle->n; j++) {
        double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
        double r2 = dx * dx + dy * dy + dz * dz + softening;
        double scale = m[j] / (r2 * sqrt(r2));
        fx += dx * scale;
        fy += dy * scale;
        fz += dz * scale;
    }
    force[0] = fx, force[1] = fy, force[2] = fz;
}

/* Each body moves as soon as its own force is known. In the order of i, as one thread would do it.
 */
static void body_by_body(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    double dt = p->dt, force[3];
    for (int i = 0; i < oracle->n; i++) {
        force_on(oracle, i, p->softening, force);
        oracle->x[i] += dt * (oracle->vx[i] += dt * force[0]);
        oracle->y[i] += dt * (oracle->vy[i] += dt * force[1]);
        oracle->z[i] += dt * (oracle->vz[i] += dt * force[2]);
    }
}

static void kick_without_dt(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    oracle_kick(oracle, &(struct parameters){p->n, 1.0f, p->softening}, oracle->n);
    oracle_drift(oracle, p);
}

static void kick_with_dt_twice(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    oracle_kick(oracle, &(struct parameters){p->n, p->dt * p->dt, p->softening}, oracle->n);
    oracle_drift(oracle, p);
}

static void without_last_body(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    oracle_kick(oracle, p, oracle->n - 1);
    oracle_drift(oracle, p);
}

static void against_the_force(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    oracle_kick(oracle, &(struct parameters){p->n, -p->dt, p->softening}, oracle->n);
    oracle_drift(oracle, p);
}

/* The pulls have the factors that `by_others` and `by_own` say: the mass of the body that pulls,
 * and that of the body that is pulled. */
static void kick_by_masses(struct oracle *oracle, const struct parameters *p, int by_others,
                           int by_own) {
    int n = oracle->n;
    double *m = malloc((size_t)n * 4 * sizeof *m);
    struct oracle weighed = *oracle;

    if (!m)
        return;
    double *vx = m + n, *vy = vx + n, *vz = vy + n;
    for (int i = 0; i < n; i++) {
        m[i] = by_others ? oracle->m[i] : 1;
        vx[i] = oracle->vx[i], vy[i] = oracle->vy[i], vz[i] = oracle->vz[i];
    }
    weighed.m = m;
    oracle_kick(&weighed, p, n);
    for (int i = 0; i < n && by_own; i++) {
        oracle->vx[i] = vx[i] + oracle->m[i] * (oracle->vx[i] - vx[i]);
        oracle->vy[i] = vy[i] + oracle->m[i] * (oracle->vy[i] - vy[i]);
        oracle->vz[i] = vz[i] + oracle->m[i] * (oracle->vz[i] - vz[i]);
    }
    oracle_drift(oracle, p);
    free(m);
}

static void without_masses(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    kick_by_masses(oracle, p, 0, 0);
}

static void with_own_mass(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    kick_by_masses(oracle, p, 0, 1);
}

static void with_both_masses(struct oracle *oracle, const struct parameters *p, int block) {
    (void)block;
    kick_by_masses(oracle, p, 1, 1);
}

static void without_last_block(struct oracle *oracle, const struct parameters *p, int block) {
    oracle_kick(oracle, p, oracle->n - oracle->n % block);
    oracle_drift(oracle, p);
}

static void with_zeros_as_bodies(struct oracle *oracle, const struct parameters *p, int block) {
    oracle_kick(oracle, p, (oracle->n + block - 1) / block * block);
    oracle_drift(oracle, p);
}

/* The last tile has the rest of the tile before it. */
static void with_bodies_twice(struct oracle *oracle, const struct parameters *p, int block) {
    int n = oracle->n;
    double *m = malloc((size_t)n * sizeof *m);
    struct oracle weighed = *oracle;

    if (!m)
        return;
    for (int i = 0; i < n; i++)
        m[i] = oracle->m[i] * (1 + (i >= n - block && i < n - n % block));
    weighed.m = m;
    oracle_kick(&weighed, p, n);
    oracle_drift(oracle, p);
    free(m);
}

static const struct {
    void (*iteration)(struct oracle *oracle, const struct parameters *parameters, int block);
    int block; /* 0: has nothing to do with blocks */
    const char *name;
} imitations[] = {
    {drift_before_kick, 0, "positions are advanced before the velocities, x += dt v comes second"},
    {old_velocity, 0, "positions are advanced with the velocities of before this iteration"},
    {kick_without_dt, 0,
     "the force is not multiplied by dt: velocities change 1 / dt times as far"},
    {kick_with_dt_twice, 0, "the force is multiplied by dt twice"},
    {against_the_force, 0, "bodies repel each other: is r_ij = x_j - x_i the wrong way round?"},
    {body_by_body, 0, "each body is moved before the forces on all others are known"},
    {without_masses, 0, "all bodies pull as if their masses were 1: is m_j left out of the pull?"},
    {with_own_mass, 0,
     "the pull on body i has its own mass m_i as a factor; that of body j is wanted"},
    {with_both_masses, 0,
     "the pull has both masses as factors: a force is divided by m_i before it changes velocities"},
#define OF_BLOCK(block)                                                                            \
    {without_last_block, block,                                                                    \
     "the last n mod " #block                                                                      \
     " bodies attract nobody: the loop over j ends at the last full tile "                         \
     "of " #block},                                                                                \
        {with_zeros_as_bodies, block,                                                              \
         "zeros behind the last body attract as if they were bodies at the origin: the last tile " \
         "of " #block " is summed in full"},                                                       \
        {with_bodies_twice, block,                                                                 \
         "some bodies attract twice: the last tile of " #block                                     \
         " is summed in full, and behind the last body lies the tile before it"},
    OF_BLOCK(1024) OF_BLOCK(512) OF_BLOCK(256) OF_BLOCK(128) OF_BLOCK(64) OF_BLOCK(32) OF_BLOCK(16)
        OF_BLOCK(8) OF_BLOCK(4)
    /* Last, since a tile with one body too many does the same. */
    {without_last_body, 0, "the last body attracts nobody: does the loop over j end at n - 1?"},
#undef OF_BLOCK
};

/* Median over bodies of the relative error of velocity plus that of position, so that a fault of
 * either shows; negative when memory is short. */
static double median_error(const struct oracle *oracle, const struct body *in,
                           const struct body *out) {
    struct errors *errors = errors_of(oracle, in, out);
    if (!errors)
        return -1;
    for (int i = 0; i < errors->n; i++)
        errors->relative[i] = relative_error(errors->kick_error[i], errors->kick[i]) +
                              relative_error(errors->drift_error[i], errors->drift[i]);
    double median = percentile_of(errors->relative, errors->n, 0.5);
    free(errors);
    return median;
}

int nbody_is_state_after(const struct parameters *parameters, const struct body *in,
                         const float *masses, const struct body *out, int iterations) {
    double *memory = malloc(oracle_doubles(parameters->n) * sizeof *memory), error = -1;
    if (memory) {
        struct oracle oracle;
        oracle_start(&oracle, memory, in, masses, parameters->n);
        oracle_run(&oracle, parameters, iterations);
        error = median_error(&oracle, in, out);
    }
    free(memory);
    return error >= 0 && error < 1e-3;
}

/* The bodies, if these bytes are all x, then all y and so on; NULL if memory is short. */
static struct body *of_arrays(const struct body *bytes, int n) {
    struct body *bodies = malloc((size_t)n * sizeof *bodies);
    const float *all = &bytes->x;
    for (int i = 0; bodies && i < n; i++)
        bodies[i] = (struct body){all[i],
                                  all[n + i],
                                  all[2 * (size_t)n + i],
                                  all[3 * (size_t)n + i],
                                  all[4 * (size_t)n + i],
                                  all[5 * (size_t)n + i]};
    return bodies;
}

/* Whether structures took the place of arrays, on the way in or on the way out. */
static const char *mixed_fault(const struct parameters *parameters, const struct body *in,
                               const struct answer *answer, const struct body *out, double least,
                               double *memory) {
    int n = parameters->n;
    struct body *taken = of_arrays(in, n), *given = of_arrays(out, n);
    const char *name = NULL;
    if (taken && given && n > 1) {
        struct oracle oracle;
        oracle_start(&oracle, memory, taken, answer->masses, n);
        oracle_run(&oracle, parameters, answer->iterations);
        double error_in = median_error(&oracle, in, out);
        double error_out = median_error(&answer->oracle, in, given);
        if (error_in >= 0 && error_in < least)
            name = "the bytes of `in`, one body after the other, are used as arrays, all x, then "
                   "all y: is `in` copied, and not the arrays that are made from it?";
        else if (error_out >= 0 && error_out < least)
            name = "`out` has the bytes of arrays, all x, then all y, and not one body after the "
                   "other";
    }
    free(taken);
    free(given);
    return name;
}

/* A fault explains an output if it leaves less than a tenth of the error, and little: numbers that
 * are huge are nearer to any fault that makes huge ones. The one that leaves least is named. */
const char *nbody_imitated_fault(const struct parameters *parameters, const struct body *in,
                                 const struct answer *answer, const struct body *out) {
    int n = parameters->n;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    if (!memory)
        return NULL;
    const char *name = NULL;
    double least = fmin(0.1 * median_error(&answer->oracle, in, out), 0.25);
    for (size_t row = 0; row < sizeof imitations / sizeof *imitations; row++) {
        int block = imitations[row].block;
        /* Below one block nobody would attract, which is what many a fault looks like. */
        int nobody = n < block && imitations[row].iteration != with_zeros_as_bodies;
        if (block && (n % block == 0 || nobody))
            continue;
        struct oracle oracle;
        oracle_start(&oracle, memory, in, answer->masses, n);
        for (int iteration = 0; iteration < answer->iterations; iteration++)
            imitations[row].iteration(&oracle, parameters, block);
        double error = median_error(&oracle, in, out);
        if (error >= 0 && error < least) {
            least = error;
            name = imitations[row].name;
        }
    }
    const char *mixed = mixed_fault(parameters, in, answer, out, least, memory);
    free(memory);
    return mixed ? mixed : name;
}
