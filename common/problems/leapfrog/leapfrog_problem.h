/* The parts of the problem `leapfrog`, as they see each other. */
#ifndef LEAPFROG_PROBLEM_H
#define LEAPFROG_PROBLEM_H

#include <stddef.h>

#include "leapfrog.h"
#include "problems/problem.h"

extern const struct problem leapfrog_problem;

/* Bodies on their way: places and velocities in long double, what they exert in double. A
 * difference of two places is that of their first 53 bits plus that of the rest, so it is good to a
 * rounding of itself however near the two are. */
struct cluster {
    int n;
    double dt, softening_squared;
    long double *x[3], *v[3];
    double *mass, *high[3], *low[3], *a[3];
};

/* oracle.c. Bodies as they come, for free(); NULL when memory is short. */
struct cluster *cluster_new(const struct integration_parameters *parameters, const struct star *in);

/* Accelerations at the present places due to the first `sources` bodies. */
void cluster_accelerate(struct cluster *cluster, int sources);
void cluster_kick(struct cluster *cluster, double dt);
void cluster_drift(struct cluster *cluster, double dt);

/* Kick, drift, kick, so many times over. */
void cluster_run(struct cluster *cluster, int steps);

/* The bodies, rounded to double. */
void cluster_end(const struct cluster *cluster, struct star *out);

/* errors.c: how far an output is from the right one, in units of what the run changed. */
struct leapfrog_errors {
    double kick_l2, kick_p99, kick_max; /* of the changes of velocity */
    double worst;                       /* of any body, in velocity or position */
    int body, component, is_velocity;   /* the worst one's */
    int wrong, first;                   /* bodies above the limit, and the first of them */
};

/* `right` is the cluster after so many `steps` from `in`. Each body's error in a coordinate, beyond
 * a rounding of it in each step, is held against its own change of place or velocity, or the median
 * body's where that is larger. Returns 0, or -1 if memory is short. */
int leapfrog_errors(const struct cluster *right, const struct star *in, const struct star *out,
                    int steps, double limit, struct leapfrog_errors *errors);

/* judge.c */
void leapfrog_judge(const void *parameters, const void *input, const void *answer,
                    const void *output, const char *distribution, int iterations, double tolerance,
                    struct judgement *judgement);
void leapfrog_judge_timed(const void *parameters, const void *input, const void *trusted,
                          const void *output, double tolerance, struct judgement *judgement);

/* diagnosis.c: the likely cause of a wrong output, in words that end a sentence begun with "...: ";
 * else nothing. */
void leapfrog_diagnose(const struct integration_parameters *parameters, const struct star *in,
                       const struct cluster *right, const struct star *out, int steps, char *text,
                       size_t size);

#endif
