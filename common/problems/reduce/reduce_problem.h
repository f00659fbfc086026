/* The parts of the problem `reduce`, as they see each other. */
#ifndef REDUCE_PROBLEM_H
#define REDUCE_PROBLEM_H

#include "problems/technique.h"
#include "reduce.h"

extern const struct problem reduce_problem;

/* What a pass adds up to. */
struct sum {
    unsigned of_integers;
    double of_floats, of_magnitudes; /* the sum of |x|, which errors are relative to */
};

/* One pass over the first n elements, after the sum `last`: exact for integers, in double for
 * floats. */
struct sum reduce_pass(const struct reduce_parameters *parameters, const void *in, int n,
                       const struct sum *last);

/* The last of `passes` passes over the first n elements. */
struct sum reduce_sum(const struct reduce_parameters *parameters, const void *in, int n,
                      int passes);

/* judge.c */
void reduce_judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement);
void reduce_judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement);

/* techniques.c */
extern const struct technique *const reduce_techniques[];

#endif
