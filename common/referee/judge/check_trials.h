/* What a wrong program does right: the words that tell a constant from a counter. */
#ifndef CHECK_TRIALS_H
#define CHECK_TRIALS_H

#include "check_cases.h"

/* Runs a program that was wrong on `task` again, in the player's process: as it was, as the first
 * run of an object, after each number of iterations, and with each drawn parameter as usual, which
 * is also held against the answers for its double, its square and their like. Returns 1 if it is
 * right as it was. Else appends to `text` (`size` bytes) what makes the difference, begun with
 * "; ", or nothing, and leaves in `one` what one iteration came to, if that was tried. */
int trials_tell(struct player *player, const struct task *task, double tolerance,
                struct judgement *one, char *text, size_t size);

#endif
