/* The parts of a player, as they see each other. */
#ifndef PLAYER_PARTS_H
#define PLAYER_PARTS_H

#include <sys/stat.h>

#include "player_child.h"
#include "problems/outcome.h"
#include "protocol/player.h"

enum { KEPT_PRINT = 64 * 1024, KEPT_START = 48 * 1024, ALLOWED_PRINT = 1024 * 1024, MESSAGE = 512 };

struct player {
    struct player_options options;
    pid_t pid;  /* our child: the step's process, or a sandbox above it */
    pid_t step; /* the step's process, known from its first answer on; before that our child */
    int over;   /* the process was waited for */
    struct stat program; /* the file that it runs */
    unsigned char *input, *output;
    struct own_figures *own;
    size_t input_mapped, output_mapped;
    size_t input_bytes, output_bytes; /* of this simulation; the player can write the header's */
    int command, reply, print;        /* our ends of the pipes */
    double used;                      /* CPU seconds at the end of the last turn */
    size_t printed;                   /* bytes in all */
    char print_text[KEPT_PRINT + 1];
    char message[MESSAGE];
};

/* Says in its message, behind its name, what it did; returns the outcome. */
__attribute__((format(printf, 3, 4))) enum outcome
player_fail(struct player *player, enum outcome outcome, const char *format, ...);

/* Takes what the player printed. Returns 0 when nothing more can come. */
int player_drain(struct player *player);

/* Ends it, unless it has ended. */
void player_kill(struct player *player);

/* It no longer holds its end of the reply pipe: says what became of it. */
enum outcome player_departed(struct player *player);

/* A function of the step returned an error: says what it printed last, or what cpucuda says of it.
 */
enum outcome player_own_error(struct player *player, char command);

/* It did not answer in time. Before it is ended, cpucuda is asked for which launch and loop that
 * was; of what host code has computed by then nothing is known. */
enum outcome player_hung(struct player *player, char command, double seconds);

#endif
