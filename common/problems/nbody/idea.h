/* Idea checks of the N-body steps: is a right program also the program the step is about? */
#ifndef NBODY_IDEA_H
#define NBODY_IDEA_H

#include "problem.h"

int nbody_idea(const char *step, const struct observed *observed, char *message);

/* Of single steps; the same without the step's name. */
int nbody_shares_work(const struct observed *observed, char *message);
int nbody_uses_vectors(const struct observed *observed, char *message);
int nbody_blocks_registers(const struct observed *observed, char *message);
int nbody_shares_bodies(const struct observed *observed, char *message);
int nbody_uses_tensors(const struct observed *observed, char *message);
int nbody_uses_all_devices(const struct observed *observed, char *message);

#endif
