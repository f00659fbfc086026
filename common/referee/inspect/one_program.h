/* One program of a step, to be looked at: for trace, timeline and standalone. Nothing is judged. */
#ifndef ONE_PROGRAM_H
#define ONE_PROGRAM_H

#include "protocol/counters.h"
#include "referee/build/programs.h"

/* The variant that was asked for, else the name of the default one. */
const char *one_variant(const struct step *step, const char *asked);

/* Builds a variant of the step that `programs` chose in that one build; NULL: all of them, of which
 * the first is meant. `program` is NULL if this machine cannot make that build. */
enum outcome one_program(struct programs *programs, const char *build, const char *variant,
                         const struct program **program);

/* Creates, runs and destroys a simulation of n elements; `counters` gets what was counted of the
 * run. On a GPU it is the second of two: the first one loads the kernels. A failure of the program
 * is complained of. */
enum outcome count_run(const struct programs *programs, const struct program *program, int n,
                       int iterations, uint64_t seed, struct counters *counters);

/* Prints whose code it is, which variant, backend, size and iterations: a line, or the
 * beginning of a JSON object. */
void print_run(const struct programs *programs, const struct program *program, int n,
               int iterations, int json);

#endif
