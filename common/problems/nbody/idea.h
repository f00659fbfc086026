/* Idea checks of the N-body steps: is a right program also the program the step is about? */
#ifndef NBODY_IDEA_H
#define NBODY_IDEA_H

#include "problem.h"

int nbody_idea(const char *step, const struct observed *observed, char *message);

/* Ideas with a file of their own, idea_NN.c. */
int nbody_shares_bodies(const struct observed *observed, char *message);

#endif
