/* The check: is a program of a step right, clean, and the program the step is about? */
#ifndef CHECK_H
#define CHECK_H

#include "referee/lesson/parts.h"
#include "verdict.h"

struct player;
struct round;

struct check {
    struct verdict verdicts[MOST_VERDICTS];
    int count;
    int one_size;         /* N= asks for one, at which what is to be rejected may be right */
    enum outcome outcome; /* of those not as expected the one nearest to the cause, else accepted */
    char note[PART_BYTES];  /* one line on a part of the source that is not written, or empty */
    struct observed traced; /* the default variant's largest run of the trace build; n = 0: none */
};

/* Checks all variants of a step (or the one named) in the plain build and on the GPU, the default
 * one also with sanitizers and for its idea. Programs are built on the way. A failure to build, or
 * of the system, is returned and was complained of; verdicts are in `check`. A source in steps/
 * with a part that is not written is never accepted; of it only the first program's results are
 * looked at, and where they fail for want of a part the outcome is OUTCOME_UNFINISHED. Where no
 * program could be run it is OUTCOME_UNCHECKED. */
enum outcome check_step(struct programs *programs, const struct options *options,
                        struct check *check);

/* Errors of one program at size n, in a run of so many iterations (0: two) on that distribution and
 * one on the problem's with decimals, for a row of the record. */
enum outcome check_accuracy(const struct programs *programs, const struct program *program, int n,
                            const char *distribution, int iterations, uint64_t seed,
                            struct verdict *verdict);

/* The same, in runs of objects of its own in that player, which is over if one of them failed. */
enum outcome check_iterations(struct player *player, const struct step *step, const char *variant,
                              int n, const char *distribution, int iterations, uint64_t seed,
                              struct verdict *verdict);

/* The error_l2 of an output of one iteration on the round's input, at any n, over a sample of the
 * elements if need be. OUTCOME_INTERNAL: memory is short; what is wrong is told by the verdict. */
enum outcome check_round(const struct problem *problem, const void *parameters,
                         const char *distribution, struct round *round, double tolerance,
                         const void *output, struct verdict *verdict);

/* Whether the verdict is on results, not on memory, races or the step's idea. */
int holds_results(const struct verdict *verdict);

/* Prints what check_step found; JSON if asked for. */
void check_print(const struct programs *programs, const struct options *options,
                 const struct check *check);

#endif
