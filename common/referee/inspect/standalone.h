/* A step as a program of its own, for profilers and debuggers. */
#ifndef ALONE_H
#define ALONE_H

#include "referee/build/programs.h"

/* Builds one variant without the referee (common/problems/standalone.c) and prints how to use it.
 */
enum outcome standalone_program(const struct options *options);

#endif
