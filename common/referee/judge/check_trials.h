/* What a wrong program does right: the words that tell a constant from a counter. */
#ifndef CHECK_TRIALS_H
#define CHECK_TRIALS_H

#include "check_cases.h"

/* Runs a program that was wrong on `task` again, in a process of its own: as it was, as the first
 * run of an object, after each number of iterations, and with each drawn parameter as usual, which
 * is also held against the answers for its double, its square and their like. Appends to `text`
 * (`size` bytes) what makes the difference, begun with "; ", or nothing. */
void trials_tell(struct player *player, const struct task *task, int patience, double tolerance,
                 char *text, size_t size);

#endif
