/* What a wrong output comes from: the faults that are usual here are made on purpose, and that one
 * is named which gives the same bodies. */
#include "leapfrog_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to here a fault is made in a moment. */
enum { MOST_BODIES = 2100 };

/* A fault explains an output to so much of a body's change; one of float, as far as floats go.
 * Nothing else is wrong by so little as a float in a sum, a kick or a drift. */
static const double same = 1e-7, same_in_float = 1e-3, of_a_float = 1e-5;

enum masses { OF_OTHERS, OF_NOBODY, OWN };

/* A step is a word of moves: kicks by dt / 2 (k), dt (K), -dt / 2 (m) and 1 (l); drifts by dt (d),
 * dt / 2 (h), -dt (b) and 1 (u); and accelerations at the new places (a). */
static const struct fault {
    const char *step;
    enum { SQUARED, UNSQUARED, LEFT_OUT } softening;
    enum masses masses;
    int in_float, one_less; /* the closing kick of the last step is missing */
    int no_last;            /* the last body exerts nothing */
    const char *name;
} faults[] = {
    {"Kda", .name = "this is semi-implicit Euler, a whole kick and then a drift: where is the "
                    "kick in two halves, one before the drift and one after it?"},
    {"daK", .name = "this is semi-implicit Euler, a drift and then a whole kick: where is the "
                    "kick in two halves, one before the drift and one after it?"},
    {"dKa", .name = "this is explicit Euler: places move with the velocities from before the step, "
                    "and velocities by the forces from before it"},
    {"haKh", .name = "this is the leapfrog as drift, kick, drift; kick, drift, kick is asked for"},
    {"kdak", .one_less = 1,
     .name = "the closing half kick of the last step is missing: velocities are half a step behind "
             "the positions"},
    {"kda", .name = "the half kick after the drift is missing in every step"},
    {"dak", .name = "the half kick before the drift is missing in every step"},
    {"kdka", .name = "the half kick after the drift is made with the accelerations of before it: "
                     "they are to be computed anew at the new positions"},
    {"kdk", .name = "all kicks are made with the accelerations of the start: they are to be "
                    "computed anew after every drift"},
    {"KdaK", .name = "both kicks are by dt: each is one of dt / 2"},
    {"khak", .name = "the drift is by dt / 2; it is one of dt"},
    {"kbak", .name = "positions move against the velocities: x += dt v is wanted"},
    {"ldal", .name = "velocities change by a, not by a times the time of the kick"},
    {"kuak", .name = "positions change by v, not by v times the time of the drift"},
    {"mdam", .name = "bodies repel each other: is x_j - x_i the wrong way round?"},
    {"kdak", .softening = UNSQUARED,
     .name = "the softening is added to r^2 as it is: it is a length, and its square is to be "
             "added"},
    {"kdak", .softening = LEFT_OUT, .name = "the softening is left out"},
    {"kdak", .masses = OF_NOBODY,
     .name = "all bodies pull as if their masses were 1: is m_j left out of the pull?"},
    {"kdak", .masses = OWN,
     .name = "the pull on body i has its own mass m_i as a factor; that of body j is wanted"},
    {"kdak", .no_last = 1,
     .name = "the last body attracts nobody: does the loop over j end at n - 1?"},
    {"kdak", .in_float = 1,
     .name = "positions are kept in float: 24 bits are too few for the distance of two neighbours"},
};

static void accelerate(struct cluster *cluster, const struct fault *fault, const struct star *in) {
    cluster_accelerate(cluster, cluster->n - fault->no_last);
    for (int c = 0; c < 3 && fault->masses == OWN; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->a[c][i] *= in[i].mass;
}

/* A coordinate that is kept in float from step to step. */
static void round_places(struct cluster *cluster) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->x[c][i] = (float)cluster->x[c][i];
}

static void make_step(struct cluster *cluster, const struct fault *fault, const struct star *in) {
    double dt = cluster->dt;

    for (const char *move = fault->step; *move; move++)
        if (*move == 'a') {
            accelerate(cluster, fault, in);
        } else if (strchr("kKml", *move)) {
            cluster_kick(cluster, *move == 'k'   ? dt / 2
                                  : *move == 'K' ? dt
                                  : *move == 'm' ? -dt / 2
                                                 : 1);
        } else {
            cluster_drift(cluster, *move == 'd'   ? dt
                                   : *move == 'h' ? dt / 2
                                   : *move == 'b' ? -dt
                                                  : 1);
            if (fault->in_float)
                round_places(cluster);
        }
}

/* The fault's bodies after so many steps; NULL when memory is short. */
static struct cluster *make(const struct fault *fault,
                            const struct integration_parameters *parameters, const struct star *in,
                            int steps) {
    struct cluster *cluster = cluster_new(parameters, in);

    if (!cluster)
        return NULL;
    for (int i = 0; i < cluster->n && fault->masses != OF_OTHERS; i++)
        cluster->mass[i] = 1;
    if (fault->softening)
        cluster->softening_squared = fault->softening == UNSQUARED ? parameters->softening : 0;
    if (fault->in_float)
        round_places(cluster);
    accelerate(cluster, fault, in);
    for (int step = 0; step < steps; step++)
        make_step(cluster, fault, in);
    if (fault->one_less)
        cluster_kick(cluster, -cluster->dt / 2);
    return cluster;
}

static double worst_error(const struct cluster *made, const struct star *in, const struct star *out,
                          int steps) {
    struct leapfrog_errors errors;

    return made && !leapfrog_errors(made, in, out, steps, 1, &errors) ? errors.worst : INFINITY;
}

/* A fault that changes nothing here leaves the output's own error, however small that is. */
static int explains(double error, double own, double limit) {
    return error < limit && error < 0.5 * own;
}

/* Whether so many steps, other than those asked for, give the output. */
static int steps_made(const struct integration_parameters *parameters, const struct star *in,
                      const struct star *out, int steps, double own) {
    int found = -1;

    for (int made = 0; made <= steps + 1 && found < 0; made++) {
        struct cluster *cluster = cluster_new(parameters, in);

        if (cluster && made != steps) {
            cluster_run(cluster, made);
            found = explains(worst_error(cluster, in, out, steps), own, same) ? made : -1;
        }
        free(cluster);
    }
    return found;
}

void leapfrog_diagnose(const struct integration_parameters *parameters, const struct star *in,
                       const struct cluster *right, const struct star *out, int steps, char *text,
                       size_t size) {
    enum { MOST_STEPS_MADE = 10 };
    double own = worst_error(right, in, out, steps);
    int made = -1;

    *text = 0;
    if (parameters->n > MOST_BODIES || steps > MOST_STEPS_MADE)
        return;
    if ((made = steps_made(parameters, in, out, steps, own)) == 0) {
        snprintf(text, size, "the bodies hold their input: are they moved, and copied to `out`?");
        return;
    }
    if (made > 0) {
        snprintf(text, size, "this is the state after %d step%s, and %d were asked for", made,
                 made > 1 ? "s" : "", steps);
        return;
    }
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct cluster *cluster = make(&faults[f], parameters, in, steps);
        double error = worst_error(cluster, in, out, steps);

        free(cluster);
        if (explains(error, own, faults[f].in_float ? same_in_float : same)) {
            snprintf(text, size, "%s", faults[f].name);
            return;
        }
    }
    if (own < of_a_float)
        snprintf(text, size,
                 "so small an error is that of a float: is every number in the sums, kicks and "
                 "drifts a double?");
}
