/* What a problem measures of a step's program beside its time (`survey` of problem.h). */
#ifndef SURVEY_H
#define SURVEY_H

#include "problems/problem.h"
#include "referee/build/programs.h"
#include "referee/record/record.h"

/* Runs the survey of the step's problem on one program. Its figures become `count` facts of the
 * run, for free(). A run that fails is complained of. A problem without a survey has none.
 * Elements are as many as the survey takes of itself if n is 0. Without `program` it is the
 * problem's trusted one, and the facts' step is `trusted`. */
enum outcome survey_program(const struct problem *problem, const struct programs *programs,
                            const struct program *program, int n, const char *run,
                            struct fact **facts, int *count);

#endif
