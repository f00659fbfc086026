#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_problem.h"

/* Stars whose sums one thread holds in its first-level cache. */
enum { LANES = 32 };

const struct scheme hermite = {.accuracy = 1,
                               .first = 1,
                               .place_a = 1.0 / 2,
                               .place_j = 1.0 / 6,
                               .speed_j = 1.0 / 2,
                               .speed = 1,
                               .place = 1,
                               .jerk = 1};

struct flow *flow_new(const struct cluster_parameters *parameters, const struct star *in) {
    enum { ARRAYS = 26, VECTORS = 8 };
    size_t n = (size_t)parameters->n, padded = (n + LANES - 1) / LANES * LANES;
    struct flow *flow = calloc(1, sizeof *flow + ARRAYS * padded * sizeof(double));
    double *next;

    if (!flow)
        return NULL;
    flow->n = parameters->n;
    flow->softening_squared = parameters->softening * parameters->softening;
    flow->accuracy = parameters->accuracy;
    flow->interval = parameters->interval;
    next = (double *)(flow + 1);
    flow->mass = next;
    flow->kick = next += padded;
    {
        double **vectors[VECTORS] = {flow->x,     flow->v,     flow->a,     flow->j,
                                     flow->x_new, flow->v_new, flow->a_new, flow->j_new};

        for (int k = 0; k < VECTORS; k++)
            for (int c = 0; c < 3; c++)
                vectors[k][c] = next += padded;
    }
    for (size_t i = 0; i < n; i++) {
        flow->mass[i] = in[i].mass;
        for (int c = 0; c < 3; c++) {
            flow->x[c][i] = in[i].x[c];
            flow->v[c][i] = in[i].v[c];
        }
    }
    return flow;
}

void flow_end(const struct flow *flow, struct star *out) {
    for (int i = 0; i < flow->n; i++) {
        out[i].mass = flow->mass[i];
        for (int c = 0; c < 3; c++) {
            out[i].x[c] = flow->x[c][i];
            out[i].v[c] = flow->v[c][i];
        }
    }
}

/* The new accelerations and jerks of LANES stars, from the new places and velocities. */
static void force_lanes(const struct flow *flow, const double *mass, int sources,
                        double softening_squared, int first) {
    double *const *x = flow->x_new, *const *v = flow->v_new;
    double *const *a = flow->a_new, *const *jerk = flow->j_new;

    double ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0};
    double jx[LANES] = {0}, jy[LANES] = {0}, jz[LANES] = {0};

    for (int j = 0; j < sources; j++) {
        double xj = x[0][j], yj = x[1][j], zj = x[2][j], m = mass[j];
        double vxj = v[0][j], vyj = v[1][j], vzj = v[2][j];

        for (int lane = 0; lane < LANES; lane++) {
            int i = first + lane;
            double dx = xj - x[0][i], dy = yj - x[1][i], dz = zj - x[2][i];
            double dvx = vxj - v[0][i], dvy = vyj - v[1][i], dvz = vzj - v[2][i];
            double own = i == j;
            double inverse2 = 1 / (dx * dx + dy * dy + dz * dz + softening_squared + own);
            double scale = m * inverse2 * sqrt(inverse2);
            double approach = 3 * inverse2 * (dx * dvx + dy * dvy + dz * dvz);

            ax[lane] += scale * dx;
            ay[lane] += scale * dy;
            az[lane] += scale * dz;
            jx[lane] += scale * (dvx - approach * dx);
            jy[lane] += scale * (dvy - approach * dy);
            jz[lane] += scale * (dvz - approach * dz);
        }
    }
    memcpy(a[0] + first, ax, sizeof ax);
    memcpy(a[1] + first, ay, sizeof ay);
    memcpy(a[2] + first, az, sizeof az);
    memcpy(jerk[0] + first, jx, sizeof jx);
    memcpy(jerk[1] + first, jy, sizeof jy);
    memcpy(jerk[2] + first, jz, sizeof jz);
}

/* The new forces, as the scheme has them. */
static void compute_forces(const struct flow *flow, const struct scheme *scheme,
                           const double *mass) {
    int n = flow->n;
    double softening_squared = scheme->softening == UNSOFTENED  ? 0
                               : scheme->softening == UNSQUARED ? sqrt(flow->softening_squared)
                                                                : flow->softening_squared;

#pragma omp parallel for schedule(dynamic) if (n >= WORTH_THREADS / 8)
    for (int first = 0; first < n; first += LANES)
        force_lanes(flow, mass, n - scheme->sources_left_out, softening_squared, first);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < n; i++) {
            flow->a_new[c][i] *= scheme->masses == OWN_MASS ? flow->mass[i] : 1;
            flow->j_new[c][i] *= scheme->jerk * (scheme->masses == OWN_MASS ? flow->mass[i] : 1);
        }
}

static void predict(const struct flow *flow, const struct scheme *scheme, double dt) {
    double a_factor = scheme->place_a * dt * dt, j_factor = scheme->place_j * dt * dt * dt;

    for (int c = 0; c < 3; c++) {
        const double *x = flow->x[c], *v = flow->v[c], *a = flow->a[c], *j = flow->j[c];

        for (int i = 0; i < flow->n; i++) {
            flow->x_new[c][i] = x[i] + dt * v[i] + a_factor * a[i] + j_factor * j[i];
            flow->v_new[c][i] = v[i] + dt * a[i] + scheme->speed_j * dt * dt * j[i];
        }
    }
}

static void correct(const struct flow *flow, const struct scheme *scheme, double dt) {
    double of_speed = scheme->speed * dt * dt / 12, of_place = scheme->place * dt * dt / 12;
    int from_new = scheme->correct == CORRECT_FROM_NEW;

    for (int c = 0; c < 3; c++) {
        double *x = flow->x_new[c], *v = flow->v_new[c];
        const double *a0 = flow->a[c], *a1 = flow->a_new[c];
        const double *j0 = flow->j[c], *j1 = flow->j_new[c];

        for (int i = 0; i < flow->n; i++) {
            double x0 = from_new ? x[i] : flow->x[c][i], v0 = from_new ? v[i] : flow->v[c][i];
            double speed = v0 + (a0[i] + a1[i]) * (dt / 2) + (j0[i] - j1[i]) * of_speed;
            double used = scheme->correct == CORRECT_SWAPPED ? v[i] : speed;
            double place = x0 + (v0 + used) * (dt / 2) + (a0[i] - a1[i]) * of_place;

            if (scheme->correct != CORRECT_PLACE)
                v[i] = speed;
            if (scheme->correct != CORRECT_SPEED)
                x[i] = place;
        }
    }
}

static double length_of(double *const vector[3], int i) {
    return sqrt(vector[0][i] * vector[0][i] + vector[1][i] * vector[1][i] +
                vector[2][i] * vector[2][i]);
}

/* Of all stars the least; stars that feel nothing have none. */
static double first_step(const struct flow *flow, double share) {
    double least = INFINITY;

    for (int i = 0; i < flow->n; i++)
        least = fmin(least, share * length_of(flow->a, i) / length_of(flow->j, i));
    return least;
}

/* Aarseth's criterion (1985, in Brackbill and Cohen, Multiple Time Scales, 377), with the second
 * and third derivatives of the acceleration at the end of a step of length dt; twice that step at
 * most. */
static double next_step(const struct flow *flow, double accuracy, double dt) {
    double least = INFINITY;

    for (int i = 0; i < flow->n; i++) {
        double a2 = 0, j2 = 0, s2 = 0, c2 = 0;

        for (int c = 0; c < 3; c++) {
            double change = flow->a[c][i] - flow->a_new[c][i];
            double j0 = flow->j[c][i], j1 = flow->j_new[c][i], a1 = flow->a_new[c][i];
            double crackle = (12 * change + 6 * dt * (j0 + j1)) / (dt * dt * dt);
            double snap = (-6 * change - dt * (4 * j0 + 2 * j1)) / (dt * dt) + dt * crackle;

            a2 += a1 * a1;
            j2 += j1 * j1;
            s2 += snap * snap;
            c2 += crackle * crackle;
        }
        least = fmin(least, accuracy * (sqrt(a2 * s2) + j2) / (sqrt(j2 * c2) + s2));
    }
    return fmin(sqrt(least), 2 * dt);
}

static void take(double *const to[3], double *const from[3], int n) {
    for (int c = 0; c < 3; c++)
        memcpy(to[c], from[c], (size_t)n * sizeof(double));
}

static void move(struct flow *flow, const struct scheme *scheme, const double *mass, double dt) {
    predict(flow, scheme, dt);
    compute_forces(flow, scheme, mass);
    for (int i = 0; i < flow->n; i++) {
        double a = length_of(flow->a_new, i);

        flow->kick[i] += dt * a;
        flow->closeness =
            fmax(flow->closeness, length_of(flow->x_new, i) * sqrt(a / flow->mass[i]));
    }
    flow->step = next_step(flow, scheme->accuracy * flow->accuracy, dt);
    if (scheme->correct != CORRECT_NOTHING)
        correct(flow, scheme, dt);
    take(flow->x, flow->x_new, flow->n);
    take(flow->v, flow->v_new, flow->n);
    take(flow->a, flow->a_new, flow->n);
    take(flow->j, flow->j_new, flow->n);
    flow->steps++;
}

/* The rest of an interval is cut into equal steps: a very short one at its end would leave nothing
 * of a difference of forces but its rounding. */
static int run(struct flow *flow, const struct scheme *scheme, const double *mass, int intervals) {
    take(flow->x_new, flow->x, flow->n);
    take(flow->v_new, flow->v, flow->n);
    compute_forces(flow, scheme, mass);
    take(flow->a, flow->a_new, flow->n);
    take(flow->j, flow->j_new, flow->n);
    flow->step = first_step(flow, scheme->first * sqrt(scheme->accuracy * flow->accuracy) / 4);
    for (int k = 0; k < intervals; k++)
        for (double left = flow->interval; left > 0;) {
            double steps = ceil(left / flow->step), dt = steps > 1 ? left / steps : left;

            move(flow, scheme, mass, dt);
            left = steps > 1 ? left - dt : 0;
            if (scheme->most_steps && flow->steps >= scheme->most_steps)
                return -1;
        }
    return 0;
}

int flow_run(struct flow *flow, const struct scheme *scheme, int intervals) {
    double *mean = NULL, total = 0;
    int result;

    if (scheme->masses == MEAN_MASS && (mean = malloc((size_t)flow->n * sizeof *mean))) {
        for (int i = 0; i < flow->n; i++)
            total += flow->mass[i];
        for (int i = 0; i < flow->n; i++)
            mean[i] = total / flow->n;
    }
    result = run(flow, scheme, mean ? mean : flow->mass, intervals);
    free(mean);
    return result;
}

struct flow *flow_reference(const struct cluster_parameters *parameters, const struct star *in,
                            int intervals) {
    struct scheme finer = hermite;
    struct flow *flow = flow_new(parameters, in);

    finer.accuracy = 1.0 / 16;
    if (flow)
        flow_run(flow, &finer, intervals);
    return flow;
}
