/* The skeleton that students of a step begin with. */
#ifndef SKELETON_H
#define SKELETON_H

#include "referee/build/catalogue.h"

/* Whether a source and its flags say no more than the step's skeleton: comments, layout and names
 * count for nothing. 0 if there is no solution to derive the skeleton from. */
int skeleton_is(const struct step *step, const char *source, const char *flags);

#endif
