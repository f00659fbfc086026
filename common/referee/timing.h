/* Timed runs: fresh inputs, every output checked, programs compared in turns. */
#ifndef TIMING_H
#define TIMING_H

#include "figures.h"
#include "problem.h"
#include "programs.h"

/* Slower than any program that learners hand in, units of work a second: what a run may take. */
#define SLOWEST_RATE 5e7

enum { REPEATS = 10, SLOW_REPEATS = 3 };

/* What repeated runs of one program took. */
struct timing {
    enum outcome outcome;
    char message[512];
    int iterations, repeats;
    double median, minimum, maximum; /* seconds a run */
    double energy;                   /* J a run, median; negative: not known */
    double others;                   /* cores that other processes kept busy meanwhile */
    struct figures figures;          /* the step's own word on its median run */
    int threads;
};

/* A program with its player, ready for timed runs at one size. */
struct contender;

/* Starts the program, warms it up and chooses the number of iterations: `iterations` if not 0, else
 * the smallest power of ten that makes a run 20 ms, within limits. `threads` 0: all. NULL on
 * failure, which `timing` then tells. */
struct contender *contender_open(const struct programs *programs, const struct program *program,
                                 const char *distribution, int n, int iterations, int threads,
                                 struct timing *timing);

void contender_close(struct contender *contender);

/* Times one program alone. `repeats` 0: REPEATS, or SLOW_REPEATS of a slow one. */
void time_alone(struct contender *contender, uint64_t seed, int repeats, struct timing *timing);

/* Times `second` in turns with `first`, whose time alone is in `alone`: A B A B, each pair on the
 * same fresh input. `first_timing` and `timing` are what each took. If the first slowed by more
 * than 5%, three times over, the second's outcome is OUTCOME_INCONCLUSIVE and its message says so.
 */
void time_pair(struct contender *first, struct contender *second, const struct timing *alone,
               uint64_t seed, struct timing *first_timing, struct timing *timing);

#endif
