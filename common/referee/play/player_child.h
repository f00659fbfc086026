/* The player between fork and exec. */
#ifndef PLAYER_CHILD_H
#define PLAYER_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct problem;

struct player_options {
    const char *path;              /* the program */
    const char *name;              /* how messages call it */
    const struct problem *problem; /* by whose words they call an iteration; NULL: iteration */
    size_t input_bytes;            /* the largest input and output of any turn, bytes */
    size_t output_bytes;
    int threads;   /* OMP_NUM_THREADS; 0: all this process may use */
    int sanitized; /* built with a sanitizer: it may start its symbolizer */
    int passive;   /* OpenMP threads sleep while they wait, so that CPU time is work */
    int workers;   /* threads that cpucuda's engine works with; 0: no program of cpucuda */
    uint64_t seed; /* of the orders that cpucuda shuffles; at most INT64_MAX */
    int trusted;   /* our own: it needs no sandbox */
    double grace;  /* seconds for a turn that has nothing to compute; 0: 10 */
};

/* Gives the calling process the player's environment, file descriptors and filter, and becomes its
 * program. `fds` are INPUT_FD to REPLY_FD and then what its stdout and stderr write to. */
_Noreturn void player_child(const struct player_options *options, const int fds[6], pid_t referee);

#endif
