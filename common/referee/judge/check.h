/* The check: is a program of a step right, clean, and the program the step is about? */
#ifndef CHECK_H
#define CHECK_H

#include "problems/problem.h"
#include "referee/lesson/parts.h"

enum { MOST_CASES = 40 };

/* A case of a verdict: one size of one distribution. */
struct case_verdict {
    int n;
    const char *distribution;
    enum outcome outcome;
    char message[768]; /* empty if accepted */
};

/* The verdict on one program. */
struct verdict {
    char variant[40];
    char aspect[16]; /* a build of programs.h, or idea */
    enum outcome outcome;
    int skipped;   /* not looked at; the message says why */
    int unrun;     /* not run, and failed like another that was */
    int suspected; /* a race that no sanitizer reported: cpucuda saw it beside a wrong result */
    char message[1536];                    /* one line; empty if accepted */
    double error_l2, error_p99, error_max; /* the worst of all cases */
    int first_wrong_decimal;               /* 0: no such case */
    long decimals[DECIMALS];
    struct case_verdict cases[MOST_CASES]; /* as far as they were run */
    int case_count;
};

enum { MOST_VERDICTS = MOST_PROGRAMS + 6 };

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

/* Errors of one program at size n, in two runs of two iterations, for a row of the record. */
enum outcome check_accuracy(const struct programs *programs, const struct program *program, int n,
                            uint64_t seed, struct verdict *verdict);

/* The error_l2 of one iteration, at any n, over a sample of the elements if need be: of a program
 * that is timed by the device's clock. */
enum outcome check_one_iteration(const struct programs *programs, const struct program *program,
                                 int n, const char *distribution, uint64_t seed,
                                 struct verdict *verdict);

/* Whether the verdict is on results, not on memory, races or the step's idea. */
int holds_results(const struct verdict *verdict);

/* Prints what check_step found; JSON if asked for. */
void check_print(const struct programs *programs, const struct options *options,
                 const struct check *check);

#endif
