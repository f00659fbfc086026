/* The parts of the problem `cluster`, as they see each other. */
#ifndef CLUSTER_PROBLEM_H
#define CLUSTER_PROBLEM_H

#include <stddef.h>

#include "cluster.h"
#include "problems/problem.h"

extern const struct problem cluster_problem;

/* How stars are moved: Hermite's scheme of the fourth order with one time step for all (Makino and
 * Aarseth 1992, PASJ 44, 141), or a faulty one. */
struct scheme {
    double accuracy; /* eta, as a share of what the parameters ask for */
    double
        first; /* steps begin with so many times sqrt(eta) / 4 |a| / |j|; INFINITY: the interval */
    /* The predictor: x + v dt + place_a a dt^2 + place_j j dt^3, v + a dt + speed_j j dt^2. */
    double place_a, place_j, speed_j;
    /* The corrector: v + (a + a') dt / 2 + speed (j - j') dt^2 / 12,
     * x + (v + v') dt / 2 + place (a - a') dt^2 / 12. */
    double speed, place;
    enum {
        CORRECT_BOTH,
        CORRECT_NOTHING,
        CORRECT_SPEED,
        CORRECT_PLACE,    /* and keep the predicted velocity */
        CORRECT_SWAPPED,  /* the place with the predicted velocity, and then the velocity */
        CORRECT_FROM_NEW, /* from the predicted place and velocity in the place of the old ones */
    } correct;
    double jerk; /* a factor of all jerks */
    enum { OTHERS_MASS, OWN_MASS, MEAN_MASS } masses;
    enum { SOFTENED, UNSOFTENED, UNSQUARED } softening;
    int sources_left_out; /* of the last */
    int most_steps;       /* after which it is given up; 0: never */
};

extern const struct scheme hermite; /* as it should be */

/* Stars on their way. */
struct flow {
    int n, steps; /* stars; steps made */
    double softening_squared, accuracy, interval;
    double step; /* the next one, before an end is near; 0: none yet */
    double *mass, *x[3], *v[3], *a[3], *j[3];
    double *x_new[3], *v_new[3], *a_new[3], *j_new[3];
    double *kick; /* the integral of |a| over time so far */
    /* The largest distance of a star from the origin over that at which one other would have pulled
     * it as all did. */
    double closeness;
};

/* flow.c. Stars as they come, for free(); NULL when memory is short. */
struct flow *flow_new(const struct cluster_parameters *parameters, const struct star *in);
/* Returns 0, or -1 if the scheme was given up. */
int flow_run(struct flow *flow, const struct scheme *scheme, int intervals);
void flow_end(const struct flow *flow, struct star *out);

/* The reference: the flow at a sixteenth of the accuracy parameter. NULL when memory is short. */
struct flow *flow_reference(const struct cluster_parameters *parameters, const struct star *in,
                            int intervals);

/* errors.c: how far stars are from where they should be, each in units of what the others did to
 * it: of its kick, and for places of its kick times the time. */
struct cluster_errors {
    double l2, p99, max; /* over stars, of the larger one of the two */
    int worst, is_velocity, component;
};

/* Returns 0, or -1 if memory is short. */
int cluster_errors(const struct flow *right, const struct star *out, double time,
                   struct cluster_errors *errors);

/* judge.c */
void cluster_judge(const void *parameters, const void *input, const void *answer,
                   const void *output, const char *distribution, int iterations, double tolerance,
                   struct judgement *judgement);
void cluster_judge_timed(const void *parameters, const void *input, const void *trusted,
                         const void *output, double tolerance, struct judgement *judgement);

/* diagnosis.c: the likely cause of a wrong output, in words that end a sentence begun with "...; ";
 * else nothing. */
void cluster_diagnose(const struct cluster_parameters *parameters, const struct star *in,
                      const struct flow *right, const struct star *out, int intervals, char *text,
                      size_t size);

/* The name of the fault that an output within its limit has all the same, `own` being its error;
 * NULL: none. Only faults that are told from right programs whatever the input. */
const char *cluster_subtle_fault(const struct cluster_parameters *parameters, const struct star *in,
                                 const struct flow *right, const struct star *out, int intervals,
                                 double own);

/* survey.c, with eta = 0.04, 0.01 ... , that is the steps halved 0 to 3 times:
 * error_kepler05_halved_1 and error_kepler09_halved_1, how far two stars are from each other's
 * right place after a period; energy_halved_1, |dE / E| of a Plummer sphere of 256 stars after a
 * quarter of a time unit. */
int cluster_survey(const struct surveyed *program);

/* techniques.c */
extern const struct technique *const cluster_techniques[];

#endif
