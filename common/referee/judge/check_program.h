/* The check of one program: a variant in one build. */
#ifndef CHECK_PROGRAM_H
#define CHECK_PROGRAM_H

#include "verdict.h"

/* Whether the step expects its variant to be rejected, and its results were. */
int rejected_as_expected(const struct step *step, const struct verdict *verdict);

/* The rank of an outcome from the cause to its symptoms: of two failures of a step the one with the
 * smaller rank is told. */
size_t rank_of_cause(const struct step *step, enum outcome outcome);

/* Runs all cases of the program's build and judges them. `observed`, which may be NULL, gets what
 * was seen of the largest. A cpucuda program that fails, other than as expected, runs again with
 * one worker, and the message says whether it fails again. Failures of the system are returned and
 * were complained of. */
enum outcome check_program(const struct programs *programs, const struct program *program,
                           const struct options *options, struct verdict *verdict,
                           struct observed *observed);

#endif
