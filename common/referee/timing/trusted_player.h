/* The trusted programs of timed runs on the GPU: build/trusted_<problem>, players like a step's,
 * started once and given a turn for each output that is compared. Where there is none, timed runs
 * fall back on the problem's own trusted program for the CPU. */
#ifndef TRUSTED_PLAYER_H
#define TRUSTED_PLAYER_H

#include "referee/play/player_process.h"
#include "problems/problem.h"

/* Problems whose programs are timed in one session. */
enum { MOST_TRUSTED = 4 };

struct trusted {
    struct trusted_program {
        const struct problem *problem;
        struct player *player;
        int n; /* of the simulation that exists; 0: none */
        _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    } programs[MOST_TRUSTED];
    int count;
};

/* Checks the problem's program against fp64 and starts it for runs of up to `most` elements, unless
 * that was done before. `trusted` is zero at first. A machine without a GPU is no failure. */
enum outcome trusted_open(struct trusted *trusted, const struct problem *problem, int most,
                          uint64_t seed);

void trusted_close(struct trusted *trusted);

/* The processes of the players to `pids` (MOST_TRUSTED); returns how many there are. */
int trusted_pids(const struct trusted *trusted, pid_t *pids);

/* The trusted output of a run: of a player of `trusted` (NULL: none) for the problem, else of the
 * CPU. On failure `message` (512 bytes) says why. */
enum outcome trusted_run(struct trusted *trusted, const struct problem *problem,
                         const void *parameters, const char *distribution, int n, const void *input,
                         void *output, int iterations, char *message);

#endif
