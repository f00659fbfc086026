/* `make calibrate`: ramps of the rubric's item speed, for the machine it runs on. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <stdio.h>

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

enum { CALIBRATE_REPEATS = 3 };

/* Times the solutions of `steps` (03-09, or 05; NULL: all), and those of the steps they
 * build on in their place, and prints a proposal for each to `out`. It takes minutes a step. Steps
 * that cannot be timed here get a comment. The first failure of the system is returned, and was
 * complained of. */
enum outcome calibrate(const struct catalogue *catalogue, const char *steps, int level, FILE *out);

/* The proposal for a step, lines of a rubric: a ramp, or a comment that says why there is none.
 * `own` are results (measure/task.h) of comparing its solution with itself, `previous` those of the
 * solution of the step it builds on; `previous_count` is 0 if that one runs elsewhere. Returns
 * whether there is a ramp. */
int calibrate_propose(const struct step *step, const char *const *own, int own_count,
                      const char *const *previous, int previous_count, FILE *out);

#endif
