/* What contender.c and timing.c share. */
#ifndef TIMING_PARTS_H
#define TIMING_PARTS_H

#include "problems/problem.h"

struct player;
struct timing;
struct trusted;
struct verdict;

struct contender {
    const struct problem *problem;
    struct player *player;
    char name[96]; /* step and variant */
    const char *distribution;
    int n, iterations, threads;
    int on_gpu, wrong; /* wrong: it is known to be, and timed all the same */
    int device_clock;  /* kernel-only: the computation is timed without copies, by the device's own
                          clock */
    struct trusted *trusted;
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    double tolerance, estimate; /* the step's; seconds of one run */
    struct verdict *errors;     /* those of the first timed run become this; NULL: not wanted */
};

/* Puts the outcome and the message into `timing`. Returns 0. */
int timing_fail(struct timing *timing, enum outcome outcome, const char *message);

/* A run of the contender's own number of iterations. `output` becomes where its output lies, until
 * the next run of any contender. */
enum outcome contender_turn(struct contender *contender, const void *input, const void **output,
                            double *seconds);

#endif
