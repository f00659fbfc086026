/* The parts of the problem `grape`, as they see each other. */
#ifndef GRAPE_PROBLEM_H
#define GRAPE_PROBLEM_H

#include "problems/jerk/jerk_problem.h"
#include "problems/technique.h"
#include "protocol/grape_layout.h"

extern const struct problem grape_problem;

/* inputs.c: the distributions, NULL at the end; bodies that are written again. As many ask as
 * jerk_targets_of() says. */
extern const char *const grape_distributions[];
int grape_written_of(const char *distribution, int n);
void grape_generate(void *input, const char *distribution, int n, uint64_t seed);

/* How bodies are predicted, by the contract or with one of the faults that are usual here. */
enum grape_rule {
    PREDICTED,
    NOT_PREDICTED,
    BACKWARDS,
    VELOCITY_STAYS,
    NO_SNAP,
    SNAP_WITHOUT_FACTOR,
    FACTORS_TWICE,
    POWERS_OF_VELOCITY,
    POSITION_WITHOUT_JERK,
    BEFORE_THE_WRITES,
    GRAPE_RULES
};

/* prediction.c: the sums that a call asks for, as the problem `jerk` has them: its input, which the
 * caller frees, and parameters. NULL when memory is short. */
struct particle *grape_as_jerk(const struct grape_parameters *parameters, const void *input,
                               enum grape_rule rule, struct jerk_parameters *as_jerk);

/* judge.c */
void *grape_answer(const void *parameters, const void *input, const char *distribution,
                   int iterations);
void grape_judge(const void *parameters, const void *input, const void *answer, const void *output,
                 const char *distribution, int iterations, double tolerance,
                 struct judgement *judgement);
int grape_trusted(const void *parameters, const void *input, void *output, int iterations);
double grape_sampled_error(const void *parameters, const void *input, const void *output);
void grape_judge_timed(const void *parameters, const void *input, const void *trusted,
                       const void *output, double tolerance, struct judgement *judgement);

/* lists.c: whether the neighbours are right; else says so in `judgement`. */
int grape_lists_are_right(const struct grape_parameters *parameters, const struct particle *as_jerk,
                          const void *input, const void *output, struct judgement *judgement);

#endif
