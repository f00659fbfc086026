/* What a problem measures of a step's program beside its time (`survey` of problem.h). */
#ifndef SURVEY_H
#define SURVEY_H

#include "referee/build/programs.h"
#include "referee/record/record.h"

/* Runs the survey of the step's problem on one program. Its figures become `count` facts of the
 * run, for free(). A run that fails is complained of. A problem without a survey has none. */
enum outcome survey_program(const struct programs *programs, const struct program *program,
                            const char *run, struct fact **facts, int *count);

#endif
