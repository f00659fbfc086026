/* What passes between the referee and a player: three shared buffers and two pipes. The player is
 * trusted with nothing; the referee never reads a result from the byte that answers. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdint.h>

#include "counters.h"
#include "figures.h"

/* File descriptors a player starts with. */
enum {
    INPUT_FD = 3, /* memfd: a page with a struct turn, then the input */
    OUTPUT_FD,    /* memfd: the output */
    FIGURES_FD,   /* memfd: a struct own_figures */
    COMMAND_FD,   /* pipe: one byte a turn, a TURN_ value */
    REPLY_FD      /* pipe: one byte when the turn is over */
};

enum { TURN_CREATE = 'c', TURN_RUN = 'r', TURN_DESTROY = 'd' };

enum { HEADER_BYTES = 4096, PARAMETERS_BYTES = 256, ENDS = 8 };

/* The header page of the input: what the next turn is about. */
struct turn {
    uint64_t input_bytes, output_bytes;         /* in use, after the header page */
    int32_t iterations, unused;                 /* so that a double may begin the parameters */
    unsigned char parameters[PARAMETERS_BYTES]; /* the problem's own struct */
};

/* The player's own word. */
struct own_figures {
    struct figures figures;
    struct counters counters; /* of a player of backend cpucuda */
    int32_t status;           /* what the step's function returned; 0: done */
    int32_t refused_call;     /* number of the system call that the filter refused; 0: none */
    int32_t stack_is_full;    /* what ended it was an access beyond its stack */
    uint64_t ended_at[ENDS];  /* offsets into the program: where it was when a signal or exit()
                                 ended it, and what had called that; 0: no more */
};

/* The adapter of a problem: calls the step through its contract. One adapter is linked into each
 * player. Each returns 0 when done. */
extern const char step_problem[]; /* the problem's name */
int step_create(const void *parameters, const void *in, void *out);
int step_run(int iterations);
void step_destroy(void);

/* Of a step that is timed by the device's clock: queues its computation, `repeats` times over. */
void step_enqueue(int repeats);

#endif
