/* Bodies on their way, each with its own time step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "orbits_problem.h"

/* Ticks of an interval; no step is shorter than one. */
static const long whole = 1L << 20;

/* What moves the bodies of a flow. */
struct mover {
    const struct orbits_parameters *parameters;
    const struct orbits_scheme *scheme;
    struct orbits_flow *flow;
    double *mass, *at[3]; /* of sources, at the block's time */
    int *due, count, sources;
    struct orbits_tree *tree; /* NULL: direct summation */
    const double (*felt)[3];  /* by that tree */
    double softening_squared, tick;
};

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double kept(const struct mover *mover, double value) {
    return mover->scheme->in_float ? (float)value : value;
}

/* What one body feels; returns the lengths of all pulls, each of which is at most m / s^2, or 0
 * where a tree knows no pulls. */
static double pull(const struct mover *mover, int i, double a[3]) {
    const double *mass = mover->mass, *x = mover->at[0], *y = mover->at[1], *z = mover->at[2];
    double own_x = x[i], own_y = y[i], own_z = z[i], ax = 0, ay = 0, az = 0, all = 0;
    double eps2 = mover->softening_squared;

    if (mover->tree) {
        memcpy(a, mover->felt[i], 3 * sizeof *a);
        return 0;
    }
#pragma omp simd reduction(+ : ax, ay, az, all)
    for (int j = 0; j < mover->sources; j++) {
        double dx = x[j] - own_x, dy = y[j] - own_y, dz = z[j] - own_z;
        double s2 = dx * dx + dy * dy + dz * dz + eps2;
        double inverse2 = s2 > 0 ? 1 / s2 : 0;
        double part = mass[j] * inverse2, scale = part * sqrt(inverse2);

        ax += scale * dx;
        ay += scale * dy;
        az += scale * dz;
        all += part;
    }
    a[0] = kept(mover, ax);
    a[1] = kept(mover, ay);
    a[2] = kept(mover, az);
    return i < mover->sources && eps2 > 0 ? all - mass[i] / eps2 : all;
}

/* Where all bodies are at that time, as far as those know that are not due. */
static void predict(struct mover *mover, long time) {
    enum orbits_fault fault = mover->scheme->fault;

    for (int i = 0; i < mover->parameters->n; i++) {
        const struct orbits_body *body = &mover->flow->bodies[i];
        int is_due = body->time + body->step == time;
        double dt = (double)(time - body->time) * mover->tick;

        if (!is_due && fault == ORBITS_OTHERS_STAY)
            dt = 0;
        if (!is_due && fault == ORBITS_BY_OWN_STEP)
            dt = (double)body->step * mover->tick;
        for (int c = 0; c < 3; c++)
            mover->at[c][i] = kept(mover, body->x[c] + dt * (body->v[c] + dt / 2 * body->a[c]));
    }
}

/* The step that may follow one that ends at the body's time: half as long as often as is needed,
 * or twice as long where the double step begins at a multiple of itself. */
static void choose_step(const struct mover *mover, struct orbits_body *body) {
    const struct orbits_parameters *p = mover->parameters;
    enum orbits_fault fault = mover->scheme->fault;
    double length = fault == ORBITS_UNSOFTENED_STEPS ? 1 : p->softening;
    double wanted =
        sqrt(2 * p->eta * mover->scheme->eta * length / length_of(body->a)) / mover->tick;

    if (fault == ORBITS_LONG_STEPS)
        wanted *= 2;
    if (fault == ORBITS_WHOLE_INTERVALS)
        wanted = INFINITY;
    if (body->step < whole && body->time % (2 * body->step) == 0 && 2 * body->step <= wanted)
        body->step *= 2;
    while (body->step > 1 && (double)body->step > wanted)
        body->step /= 2;
}

static void correct(const struct mover *mover, int i, const double a[3]) {
    struct orbits_body *body = &mover->flow->bodies[i];
    enum orbits_fault fault = mover->scheme->fault;
    double dt = (double)body->step * mover->tick;

    for (int c = 0; c < 3; c++) {
        double sum = body->a[c] + a[c], old = body->v[c], v = old + dt / 2 * sum, place;

        if (fault == ORBITS_NO_CORRECTOR)
            v = old + dt * body->a[c];
        if (fault == ORBITS_NEW_ALONE)
            v = old + dt * a[c];
        if (mover->scheme->leapfrog || fault == ORBITS_NO_CORRECTOR)
            place = mover->at[c][i];
        else if (fault == ORBITS_NEW_ALONE)
            place = body->x[c] + dt * (old + dt / 2 * a[c]);
        else
            place = body->x[c] + dt * (old + dt / 4 * sum);
        if (fault == ORBITS_OLD_PLACE)
            place = body->x[c] + dt * old;
        if (fault == ORBITS_WHOLE_PLACE)
            place = body->x[c] + dt * (old + dt / 2 * sum);
        if (fault == ORBITS_NEW_VELOCITY)
            place = body->x[c] + dt * (v + dt / 4 * sum);
        body->x[c] = kept(mover, place);
        body->v[c] = kept(mover, v);
        body->a[c] = a[c];
    }
    body->time += body->step;
    body->steps++;
}

/* What bodies do that are due: they feel, and end their steps. At the begin, of length 0. Returns
 * 0, or -1 if memory is short. */
static int move_due(struct mover *mover, int is_first) {
    if (mover->tree &&
        !(mover->felt = orbits_tree_pull(mover->tree, mover->mass, mover->at, mover->due,
                                         mover->count, mover->flow->bodies)))
        return -1;
#pragma omp parallel for schedule(dynamic, 8) if ((double)mover->count * mover->sources >          \
                                                  8.0 * WORTH_THREADS)
    for (int k = 0; k < mover->count; k++) {
        struct orbits_body *body = &mover->flow->bodies[mover->due[k]];
        double a[3], all = pull(mover, mover->due[k], a);
        double dt = is_first ? 0 : (double)body->step * mover->tick;

        body->kick += dt / 2 * (length_of(body->a) + length_of(a));
        body->pulls += dt * all;
        if (is_first)
            for (int c = 0; c < 3; c++)
                body->a[c] = a[c];
        else
            correct(mover, mover->due[k], a);
        choose_step(mover, body);
        if (is_first)
            body->first = all * (double)body->step * mover->tick / 2;
    }
    mover->flow->blocks++;
    mover->flow->forces += mover->count;
    return 0;
}

/* Finds who is due next, of those that all have a step in this interval; returns when. */
static long find_due(struct mover *mover) {
    const struct orbits_body *bodies = mover->flow->bodies;
    long next = whole;

    for (int i = 0; i < mover->parameters->n; i++)
        next = bodies[i].time + bodies[i].step < next ? bodies[i].time + bodies[i].step : next;
    mover->count = 0;
    for (int i = 0; i < mover->parameters->n; i++)
        if (bodies[i].time + bodies[i].step == next)
            mover->due[mover->count++] = i;
    return next;
}

/* Returns 0, or -1 if it was given up, or memory is short. */
static int run(struct mover *mover, int intervals) {
    struct orbits_body *bodies = mover->flow->bodies;
    const struct orbits_scheme *scheme = mover->scheme;

    for (int i = 0; i < mover->parameters->n; i++) {
        for (int c = 0; c < 3; c++)
            mover->at[c][i] = bodies[i].x[c];
        mover->due[mover->count++] = i;
    }
    if (move_due(mover, 1))
        return -1;
    for (int k = 0; k < intervals; k++) {
        for (int i = 0; i < mover->parameters->n; i++)
            bodies[i].time = 0;
        for (long time = 0; time < whole;) {
            time = find_due(mover);
            if (time == whole && k == intervals - 1 && scheme->fault == ORBITS_LEFT_BEHIND)
                return 0;
            predict(mover, time);
            if (move_due(mover, 0))
                return -1;
            if (scheme->most_blocks && mover->flow->blocks >= scheme->most_blocks)
                return -1;
        }
        if (scheme->after)
            scheme->after(k + 1);
    }
    return 0;
}

struct orbits_flow *orbits_flow(const struct orbits_parameters *parameters, const struct star *in,
                                int intervals, const struct orbits_scheme *scheme) {
    size_t n = (size_t)parameters->n;
    struct orbits_flow *flow = calloc(1, sizeof *flow + (n + 1) * sizeof *flow->bodies);
    double *memory = malloc(5 * (n + 1) * sizeof *memory), total = 0;
    struct mover mover = {parameters, scheme, flow};
    enum orbits_fault fault = scheme->fault;

    if (scheme->by_tree)
        mover.tree = orbits_tree_new(parameters);
    if (!flow || !memory || (scheme->by_tree && !mover.tree)) {
        orbits_tree_free(mover.tree);
        free(flow);
        free(memory);
        return NULL;
    }
    mover.mass = memory;
    for (int c = 0; c < 3; c++)
        mover.at[c] = memory + (size_t)(c + 1) * n;
    mover.due = (int *)(memory + 4 * n);
    mover.tick = parameters->interval / (double)whole;
    mover.sources = parameters->n - (fault == ORBITS_LAST_FORGOTTEN && n > 0);
    mover.softening_squared = fault == ORBITS_UNSOFTENED  ? 0
                              : fault == ORBITS_UNSQUARED ? parameters->softening
                                                          : pow(parameters->softening, 2);
    for (size_t i = 0; i < n; i++)
        total += in[i].mass;
    for (size_t i = 0; i < n; i++) {
        struct orbits_body *body = &flow->bodies[i];

        body->mass = in[i].mass;
        mover.mass[i] = fault == ORBITS_EQUAL_MASSES ? total / (double)n : in[i].mass;
        for (int c = 0; c < 3; c++) {
            body->x[c] = kept(&mover, in[i].x[c]);
            body->v[c] = kept(&mover, in[i].v[c]);
        }
        body->step = whole;
    }
    if (run(&mover, intervals)) {
        free(flow);
        flow = NULL;
    }
    orbits_tree_free(mover.tree);
    free(memory);
    return flow;
}

void orbits_flow_end(const struct orbits_flow *flow, int n, struct star *out) {
    for (int i = 0; i < n; i++) {
        out[i].mass = flow->bodies[i].mass;
        for (int c = 0; c < 3; c++) {
            out[i].x[c] = flow->bodies[i].x[c];
            out[i].v[c] = flow->bodies[i].v[c];
        }
    }
}

int orbits_by_tree(const void *parameters, const void *in, void *out, int intervals) {
    const struct orbits_parameters *p = parameters;
    const struct orbits_scheme scheme = {.eta = 1, .leapfrog = 1, .by_tree = 1};
    struct orbits_flow *flow = orbits_flow(p, in, intervals, &scheme);

    if (!flow)
        return -1;
    orbits_flow_end(flow, p->n, out);
    free(flow);
    return 0;
}
