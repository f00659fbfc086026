/* Idea checks of the N-body steps: is a right program also the program the step is about? */
#ifndef NBODY_IDEA_H
#define NBODY_IDEA_H

#include "problem.h"

int nbody_idea(const char *step, const struct observed *observed, char *message);

/* The same of one step, in a file of its own. */
int follows_16(const struct observed *observed, char *message);

#endif
