/* A step as a program of its own, for profilers and debuggers. */
#ifndef ALONE_H
#define ALONE_H

#include "programs.h"

/* Builds one variant without the referee (common/player/alone.c) and prints how to use it. */
enum outcome alone(const struct step *step, const struct options *options);

#endif
