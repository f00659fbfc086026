/* The parts of the problem `scan`, as they see each other. */
#ifndef SCAN_PROBLEM_H
#define SCAN_PROBLEM_H

#include "problems/technique.h"
#include "scan.h"

extern const struct problem scan_problem;

/* The results of `passes` scans of `in`, each over those of the one before. Every block of `block`
 * elements begins anew, as if there were no other; 0: there is one. The caller frees them; NULL
 * when memory is short. */
int *scan_serially(const struct scan_parameters *parameters, const int *in, int passes, int block);

/* judge.c */
void scan_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement);
void scan_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement);

/* techniques.c */
extern const struct technique *const scan_techniques[];

#endif
