/* The parts of the problem `jerk`, as they see each other. */
#ifndef JERK_PROBLEM_H
#define JERK_PROBLEM_H

#include "problems/technique.h"
#include "protocol/jerk_layout.h"

extern const struct problem jerk_problem;

/* inputs.c: the distributions, NULL at the end. */
extern const char *const jerk_distributions[];

/* Targets and softening for n sources. */
int jerk_targets_of(const char *distribution, int n);
double jerk_softening_of(const char *distribution);

/* Numbers of sources: those of their places in another order, or any. */
int jerk_index_of(const char *distribution, int n, uint64_t seed, int j);

void jerk_generate(void *input, const char *distribution, int n, uint64_t seed);
void jerk_sharpen(void *input, const void *before, const char *distribution, int n);

/* The contract's sums, or with one of the faults that are usual here. */
enum jerk_rule {
    RIGHT,
    SELF_IN_POTENTIAL,
    SELF_COUNTS,
    SELF_BY_PLACE,
    INDEX_AS_PLACE,
    FLOAT_PLACES,
    NO_LAST_SOURCE,
    MASS_OF_TARGET,
    NO_SOFTENING,
    SOFTENING_NOT_SQUARED,
    MINUS_R,
    MINUS_V,
    NO_JERK,
    NO_SECOND_TERM,
    NO_FACTOR,
    PLUS_POTENTIAL,
    NO_NEIGHBOUR,
    SELF_AS_NEIGHBOUR,
    SOFTENED_NEIGHBOUR,
    FARTHEST_NEIGHBOUR,
    PLACE_OF_NEIGHBOUR,
    LAST_NEIGHBOUR,
    RULES
};

/* What a target feels, in double, and what errors are held against: sums of the terms' magnitudes,
 * with |v_source| + |v_target| for |v|, which float velocities round. */
struct felt {
    struct force force;
    double of_acceleration, of_jerk, of_potential;
    double nearest2, given2; /* squared distances of the neighbour, and of the one that was given */
};

/* oracle.c: the target's, by that rule; `given` is the index of the neighbour that a step found. */
struct felt jerk_feel(const struct jerk_parameters *parameters, const struct particle *sources,
                      const struct particle *target, enum jerk_rule rule, int given);

/* Those of all targets; the caller frees it. NULL when memory is short. */
void *jerk_answer(const void *parameters, const void *input, const char *distribution,
                  int iterations);

/* What a force is wrong in by more than `tolerance`, the first of these. */
enum jerk_part { NOTHING, ACCELERATION, JERK, POTENTIAL, NEIGHBOUR };
enum jerk_part jerk_wrong(const struct jerk_parameters *parameters, const void *input,
                          const struct particle *target, const struct felt *right,
                          const struct force *force, double tolerance);

/* Whether it is wrong in that, beside what jerk_feel() gives with its neighbour as `given`. */
int jerk_is_off(const struct felt *right, const struct force *force, enum jerk_part part,
                double tolerance);

/* Errors of a force, relative to the magnitudes of its terms. */
void jerk_errors(const struct felt *right, const struct force *force, double errors[3]);

/* trusted.c: a sample of the forces, drawn from the input; others are left as they are. */
int jerk_trusted(const void *parameters, const void *input, void *output, int iterations);
double jerk_sampled_error(const void *parameters, const void *input, const void *output);
void jerk_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement);

/* judge.c; jerk_is_finite() says in `judgement` what was not written, or is no number. */
int jerk_is_finite(const struct force *forces, int targets, struct judgement *judgement);
void jerk_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement);

/* diagnosis.c: the likely cause of forces that are wrong in that part, in words (up to `size`
 * bytes) that end a sentence begun with "...: "; else "". */
void jerk_diagnose(const struct jerk_parameters *parameters, const void *input,
                   const struct felt *right, const struct force *forces, enum jerk_part part,
                   double tolerance, char *cause, size_t size);

/* techniques.c */
extern const struct technique *const jerk_techniques[];

#endif
