/* The trusted program of timed runs on the GPU: build/trusted_<problem>, a player like a step's,
 * started once and given a turn for each output that is compared. Where it is not there, timed runs
 * fall back on the problem's own trusted program for the CPU. */
#ifndef TRUSTED_PLAYER_H
#define TRUSTED_PLAYER_H

#include "player_process.h"
#include "problem.h"

struct trusted {
    const struct problem *problem;
    struct player *player; /* NULL: there is no GPU, or nothing was built for it */
    int n;                 /* of the simulation that exists; 0: none */
    unsigned char parameters[PARAMETERS_BYTES];
};

/* Checks the program against fp64 and starts it for runs of up to `most` elements. A machine
 * without a GPU is no failure. */
enum outcome trusted_open(struct trusted *trusted, const struct problem *problem, int most,
                          uint64_t seed);

void trusted_close(struct trusted *trusted);

/* The trusted output of a run: of `trusted` if that is a player for `problem`, else of the CPU. On
 * failure `message` (512 bytes) says why. */
enum outcome trusted_run(struct trusted *trusted, const struct problem *problem,
                         const void *parameters, int n, const void *input, void *output,
                         int iterations, char *message);

#endif
