/* The parts of the problem `radix_sort`, as they see each other. */
#ifndef SORT_PROBLEM_H
#define SORT_PROBLEM_H

#include <stdint.h>

#include "problems/technique.h"
#include "radix_sort.h"

extern const struct problem radix_sort_problem;

/* Value i of an input is its value 0 plus i times this, so that a value tells which key was its. */
#define VALUE_STEP 0x9e3779b1u

/* Key i of an array, as it is, and as an unsigned number that is ordered as keys of its kind are.
 */
uint64_t key_bits(const struct radix_sort_parameters *parameters, const void *array, int i);
uint64_t key_order(const struct radix_sort_parameters *parameters, uint64_t bits);

/* Value i of an array whose keys have values. */
unsigned key_value(const struct radix_sort_parameters *parameters, const void *array, int i);

/* What the last of `sorts` sorts gives, by merging, for the eye; and by radix, on all cores. The
 * output has the form of the input. Returns 0, or -1 if memory is short. */
int sort_simply(const struct radix_sort_parameters *parameters, const void *input, void *output,
                int sorts);
int sort_fast(const struct radix_sort_parameters *parameters, const void *input, void *output,
              int sorts);

/* judge.c */
void sort_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement);
void sort_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement);

/* techniques.c */
extern const struct technique *const sort_techniques[];

#endif
