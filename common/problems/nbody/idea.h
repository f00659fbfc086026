/* Idea checks of the N-body steps: is a right program also the program the step is about? */
#ifndef NBODY_IDEA_H
#define NBODY_IDEA_H

#include "problem.h"

/* Of one step each: whether it is followed; as nbody_idea. */
int blocks_registers(const struct observed *observed, char *message);

int nbody_idea(const char *step, const struct observed *observed, char *message);

#endif
