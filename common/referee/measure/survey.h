/* What a problem measures of a step's program beside its time (`survey` of problem.h). */
#ifndef SURVEY_H
#define SURVEY_H

#include "problems/problem.h"
#include "referee/build/programs.h"
#include "referee/record/record.h"

/* Runs the survey of the step's problem on one program. Its figures become `count` facts of the
 * run, for free(). A run that fails is complained of. A problem without a survey has none. */
enum outcome survey_program(const struct problem *problem, const struct programs *programs,
                            const struct program *program, const char *run, struct fact **facts,
                            int *count);

/* The same of bodies that there are; the facts are those of the step and variant that made them. */
enum outcome survey_bodies(const struct problem *problem, const char *step, const char *variant,
                           const struct snapshot *bodies, const char *run, struct fact **facts,
                           int *count);

/* One run of n elements as surveys have them, complained of if it fails. Without `program` it is
 * the problem's trusted one. */
enum outcome survey_run(const struct problem *problem, const struct programs *programs,
                        const struct program *program, const void *parameters, int n,
                        const void *input, void *output);

#endif
