/* The parts of the problem `orbits`, as they see each other. */
#ifndef ORBITS_PROBLEM_H
#define ORBITS_PROBLEM_H

#include "orbits.h"
#include "problems/technique.h"

extern const struct problem orbits_problem;

/* What a program may do wrong; bodies can be moved with each of them. */
enum orbits_fault {
    ORBITS_RIGHT,
    ORBITS_NO_CORRECTOR,     /* v + a dt, and the predicted place */
    ORBITS_NEW_ALONE,        /* v + a' dt, x + v dt + a' dt^2 / 2 */
    ORBITS_OLD_PLACE,        /* x + v dt, and a right velocity */
    ORBITS_WHOLE_PLACE,      /* x + v dt + (a + a') dt^2 / 2 */
    ORBITS_NEW_VELOCITY,     /* x + v' dt + (a + a') dt^2 / 4 */
    ORBITS_OTHERS_STAY,      /* who is not due is where it was at its own time */
    ORBITS_BY_OWN_STEP,      /* who is not due is predicted to the end of its own step */
    ORBITS_LONG_STEPS,       /* twice as long */
    ORBITS_UNSOFTENED_STEPS, /* sqrt(2 eta / |a|) */
    ORBITS_WHOLE_INTERVALS,  /* one step for each interval */
    ORBITS_LEFT_BEHIND,      /* the last block of all is left out */
    ORBITS_UNSOFTENED,
    ORBITS_UNSQUARED,
    ORBITS_EQUAL_MASSES,
    ORBITS_LAST_FORGOTTEN, /* the last body attracts nobody */
    ORBITS_FAULTS
};

/* How bodies are moved: with block time steps, and a predictor and corrector of the second order
 * (Miki and Umemura 2017, New Astronomy 52, 65). */
struct orbits_scheme {
    double eta;   /* as a share of what the parameters ask for */
    int leapfrog; /* the predicted place is kept */
    int in_float; /* so are all numbers of a body's state */
    int by_tree;  /* forces are those of an octree; `pulls` is not known then */
    enum orbits_fault fault;
    long most_blocks;             /* after which it is given up; 0: never */
    void (*after)(int intervals); /* told when so many are done; NULL: nobody is */
};

/* A body at its own time, and what is known of it beside. */
struct orbits_body {
    double x[3], v[3], a[3];
    double mass;
    double kick, pulls; /* integrals of |a| and of the sum of all pulls' lengths, at most */
    double first;       /* the part of `pulls` that the first acceleration has */
    double off[2];      /* of an answer: how far a right scheme may leave it, place and velocity */
    long time, step;    /* in ticks of the interval */
    int steps;
};

struct orbits_flow {
    long blocks;
    long long forces;            /* on single bodies */
    struct orbits_body bodies[]; /* at the end, that of all intervals */
};

/* flow.c. In double; by direct summation, or an octree. For free(); NULL when memory is short, or
 * the scheme was given up. */
struct orbits_flow *orbits_flow(const struct orbits_parameters *parameters, const struct star *in,
                                int intervals, const struct orbits_scheme *scheme);
void orbits_flow_end(const struct orbits_flow *flow, int n, struct star *out);

/* What steps do, by an octree on this CPU: for galaxies that direct summation has no time for. With
 * the leapfrog, since energies drift less: at the usual eta, 8192 bodies of M31 gain a hundredth in
 * 0.14 of time by Runge-Kutta, and 1e-5 so.
 * Returns 0, or -1 if memory is short. */
int orbits_by_tree(const void *parameters, const void *in, void *out, int intervals);

/* by_tree.c: an octree over all bodies, made anew for each pull. NULL when memory is short. */
struct orbits_tree *orbits_tree_new(const struct orbits_parameters *parameters);
void orbits_tree_free(struct orbits_tree *tree);

/* What `count` bodies feel of all, which are at places `at`: by the angle if their `a` is 0, else
 * by the accuracy (walk.h). NULL when memory is short; it is the tree's, and has room for all. */
const double (*orbits_tree_pull(struct orbits_tree *tree, const double *mass, double *const at[3],
                                const int *due, int count, const struct orbits_body *bodies))[3];

/* judge.c: the flow at a sixteenth of eta, and in `off` how far from it those at eta come. */
void *orbits_answer(const void *parameters, const void *input, const char *distribution,
                    int intervals);
void orbits_judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int intervals, double tolerance,
                  struct judgement *judgement);
void orbits_judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement);

/* techniques.c */
extern const struct technique *const orbits_techniques[];

#endif
