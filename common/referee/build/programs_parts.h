/* The parts of a build, as they see each other. */
#ifndef PROGRAMS_PARTS_H
#define PROGRAMS_PARTS_H

#include <stdio.h>

#include "programs.h"

/* Whether the variant is to be built. */
int is_wanted(const struct programs *programs, const char *variant);

/* Opens what a build wrote. A stranger's may have left a link, a pipe or somebody's file there:
 * then NULL. */
FILE *open_built(const struct programs *programs, const char *path);

/* Shows what the compiler said of the default variant or the one that is asked for, and of one that
 * does not compile, which is the outcome; of programs from that place in the list on. */
enum outcome find_failures(struct programs *programs, int from);

#endif
