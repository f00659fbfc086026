/* The player between fork and exec. */
#ifndef PLAYER_CHILD_H
#define PLAYER_CHILD_H

#include "player_process.h"

/* Gives the calling process the player's environment, file descriptors and filter, and becomes its
 * program. `fds` are INPUT_FD to REPLY_FD and then what its stdout and stderr write to. */
_Noreturn void player_child(const struct player_options *options, const int fds[6], pid_t referee);

#endif
