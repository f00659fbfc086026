/* STEPS=: which steps of the catalogue are meant. */
#ifndef STEPS_H
#define STEPS_H

#include "catalogue.h"

/* Marks the steps of a range, 03-09, or of one step, 05; all for NULL. */
enum outcome steps_read(const char *text, const struct catalogue *catalogue,
                        char chosen[MOST_STEPS]);

/* A step's place in the catalogue. */
int steps_index(const struct catalogue *catalogue, const struct step *step);

#endif
