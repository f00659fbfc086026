/* The parts of the problem `walk`, as they see each other. */
#ifndef WALK_PROBLEM_H
#define WALK_PROBLEM_H

#include "problems/technique.h"
#include "problems/tree/tree_problem.h"
#include "walk.h"

extern const struct problem walk_problem;

/* Pulls as they should be, and as usual faults make them. */
enum walk_rule {
    RIGHT_PULL,
    OPPOSITE_PULL,
    UNSOFTENED_PULL,
    UNSQUARED_PULL,
    TOO_LONG_PULL,
    WALK_RULES
};

struct pulled {
    double a[3];
    double all;   /* the sum of the lengths of all pulls */
    double known; /* |a| in the pass before; in the first pass 0 */
};

/* oracle.c: what body i feels, by direct summation. */
struct pulled walk_pull(const struct walk_parameters *parameters, const struct tree_body *bodies,
                        int i, enum walk_rule rule);

/* A struct pulled for each body, in the last of so many passes. */
void *walk_answer(const void *parameters, const void *input, const char *distribution, int passes);

/* The same for a sample, of which element i is a struct sampled. */
int walk_trusted(const void *parameters, const void *input, void *output, int passes);
double walk_sampled_error(const void *parameters, const void *input, const void *output);

struct sampled {
    float a[3], all, known;
    int is_first; /* a pass without known accelerations */
};

/* Numbers of the sample: first, first + step, ...; body 0 is not in it. */
int walk_sample(const struct walk_parameters *parameters, const struct tree_body *input, int *step);

/* judge.c */
void walk_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int passes, double tolerance,
                struct judgement *judgement);
void walk_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement);

/* survey.c: of 2^12 bodies of a Plummer sphere, relative errors of accelerations against sums in
 * double, at 1, 50, 90, 99 per cent of the bodies and the largest, and parts per body:
 *
 *     accuracy_09_p01 to _max, _parts    by the accuracy 2^-9, of 2^-1 to 2^-20
 *     angle_03_p01 to _max, _parts       by the angle 2^(-3/2), of 2^(-1/2) to 2^-6
 *     direct_p01 to _max                 of sums over all pairs in float, by the referee */
int walk_survey(const struct surveyed *program);

/* techniques.c */
extern const struct technique *const walk_techniques[];

#endif
