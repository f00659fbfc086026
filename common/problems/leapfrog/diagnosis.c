/* What a wrong output comes from: the faults that are usual here are made on purpose, and that one
 * is named which gives the same bodies. */
#include "leapfrog_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to here a fault is made in a moment. */
enum { MOST_BODIES = 2100 };

/* A fault explains an output to so much of a body's change; one of float, as far as floats go. */
static const double same = 1e-7, same_in_float = 1e-3;

static void leapfrog(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void kick_drift(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
}

static void drift_kick(struct cluster *cluster) {
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt);
}

/* Both from what was there before the step. */
static void explicit_euler(struct cluster *cluster) {
    cluster_drift(cluster, cluster->dt);
    cluster_kick(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
}

static void drift_kick_drift(struct cluster *cluster) {
    cluster_drift(cluster, cluster->dt / 2);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt);
    cluster_drift(cluster, cluster->dt / 2);
}

static void no_closing_kick(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
}

static void no_opening_kick(struct cluster *cluster) {
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void old_acceleration(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_kick(cluster, cluster->dt / 2);
    cluster_accelerate(cluster, cluster->n);
}

static void first_acceleration(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_kick(cluster, cluster->dt / 2);
}

static void whole_kicks(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt);
}

static void half_drift(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt / 2);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void backward_drift(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, -cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void kicks_of_1(struct cluster *cluster) {
    cluster_kick(cluster, 1);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, 1);
}

static void drift_of_1(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, 1);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void backwards(struct cluster *cluster) {
    cluster_kick(cluster, -cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, -cluster->dt / 2);
}

static void without_last(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n - 1);
    cluster_kick(cluster, cluster->dt / 2);
}

/* With a factor m_i in the place of m_j; sources are as if of mass 1. */
static void accelerate_by_own(struct cluster *cluster, const double *own) {
    cluster_accelerate(cluster, cluster->n);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->a[c][i] *= own[i];
}

/* A coordinate that is kept in float from step to step. */
static void round_places(struct cluster *cluster) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->x[c][i] = (float)cluster->x[c][i];
}

enum masses { OF_OTHERS, OF_NOBODY, OWN };

static const struct fault {
    void (*step)(struct cluster *cluster);
    enum { SQUARED, UNSQUARED, LEFT_OUT } softening;
    enum masses masses;
    int in_float, one_less; /* the closing kick of the last step is missing */
    int no_last;            /* the last body exerts nothing from the start on */
    const char *name;
} faults[] = {
    {kick_drift, .name = "this is semi-implicit Euler, a whole kick and then a drift: where is the "
                         "kick in two halves, one before the drift and one after it?"},
    {drift_kick, .name = "this is semi-implicit Euler, a drift and then a whole kick: where is the "
                         "kick in two halves, one before the drift and one after it?"},
    {explicit_euler, .name = "this is explicit Euler: places move with the velocities from before "
                             "the step, and velocities by the forces from before it"},
    {drift_kick_drift,
     .name = "this is the leapfrog as drift, kick, drift; kick, drift, kick is asked for"},
    {leapfrog, .one_less = 1,
     .name = "the closing half kick of the last step is missing: velocities are half a step behind "
             "the positions"},
    {no_closing_kick, .name = "the half kick after the drift is missing in every step"},
    {no_opening_kick, .name = "the half kick before the drift is missing in every step"},
    {old_acceleration, .name = "the half kick after the drift is made with the accelerations of "
                               "before it: they are to be computed anew at the new positions"},
    {first_acceleration, .name = "all kicks are made with the accelerations of the start: they are "
                                 "to be computed anew after every drift"},
    {whole_kicks, .name = "both kicks are by dt: each is one of dt / 2"},
    {half_drift, .name = "the drift is by dt / 2; it is one of dt"},
    {backward_drift, .name = "positions move against the velocities: x += dt v is wanted"},
    {kicks_of_1, .name = "velocities change by a, not by a times the time of the kick"},
    {drift_of_1, .name = "positions change by v, not by v times the time of the drift"},
    {backwards, .name = "bodies repel each other: is x_j - x_i the wrong way round?"},
    {leapfrog, .softening = UNSQUARED,
     .name = "the softening is added to r^2 as it is: it is a length, and its square is to be "
             "added"},
    {leapfrog, .softening = LEFT_OUT, .name = "the softening is left out"},
    {leapfrog, .masses = OF_NOBODY,
     .name = "all bodies pull as if their masses were 1: is m_j left out of the pull?"},
    {leapfrog, .masses = OWN,
     .name = "the pull on body i has its own mass m_i as a factor; that of body j is wanted"},
    {without_last, .no_last = 1,
     .name = "the last body attracts nobody: does the loop over j end at n - 1?"},
    {leapfrog, .in_float = 1,
     .name = "positions are kept in float: 24 bits are too few for the distance of two neighbours"},
};

/* The fault's bodies after so many steps; NULL when memory is short. */
static struct cluster *make(const struct fault *fault,
                            const struct integration_parameters *parameters, const struct star *in,
                            int steps) {
    struct cluster *cluster = cluster_new(parameters, in);
    double *own = malloc((size_t)parameters->n * sizeof *own);

    for (int i = 0; cluster && own && i < cluster->n; i++) {
        own[i] = fault->masses == OWN ? cluster->mass[i] : 1;
        cluster->mass[i] = fault->masses == OF_OTHERS ? cluster->mass[i] : 1;
    }
    if (!cluster || !own) {
        free(cluster);
        free(own);
        return NULL;
    }
    if (fault->softening)
        cluster->softening_squared = fault->softening == UNSQUARED ? parameters->softening : 0;
    if (fault->in_float)
        round_places(cluster);
    cluster_accelerate(cluster, cluster->n - fault->no_last);
    for (int step = 0; step < steps; step++) {
        if (fault->masses == OF_OTHERS && !fault->in_float) {
            fault->step(cluster);
        } else {
            for (int c = 0; c < 3 && !step; c++)
                for (int i = 0; i < cluster->n; i++)
                    cluster->a[c][i] *= own[i];
            cluster_kick(cluster, cluster->dt / 2);
            cluster_drift(cluster, cluster->dt);
            if (fault->in_float)
                round_places(cluster);
            accelerate_by_own(cluster, own);
            cluster_kick(cluster, cluster->dt / 2);
        }
    }
    if (fault->one_less)
        cluster_kick(cluster, -cluster->dt / 2);
    for (int i = 0; i < cluster->n; i++)
        cluster->mass[i] = in[i].mass;
    free(own);
    return cluster;
}

static double worst_error(const struct cluster *made, const struct star *in, const struct star *out,
                          int steps) {
    struct leapfrog_errors errors;

    return made && !leapfrog_errors(made, in, out, steps, 1, &errors) ? errors.worst : INFINITY;
}

/* Whether so many steps, other than those asked for, give the output. */
static int steps_made(const struct integration_parameters *parameters, const struct star *in,
                      const struct star *out, int steps) {
    int found = -1;

    for (int made = 0; made <= steps + 1 && found < 0; made++) {
        struct cluster *cluster = cluster_new(parameters, in);

        if (cluster && made != steps) {
            cluster_run(cluster, made);
            found = worst_error(cluster, in, out, steps) < same ? made : -1;
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
    if ((made = steps_made(parameters, in, out, steps)) == 0) {
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
        if (error < same || (faults[f].in_float && error < same_in_float && error < 0.5 * own)) {
            snprintf(text, size, "%s", faults[f].name);
            return;
        }
    }
}
