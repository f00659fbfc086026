/* Warnings, twice as many at each of 180 levels. */
#include "honest.h"

#ifndef DEPTH
#define DEPTH
HONEST_STEP
#endif
#warning                                                                                           \
    "a line of output that says nothing at all, and is very long, so that the disk is full soon"
#if __INCLUDE_LEVEL__ < 180
#include "nbody.c"
#include "nbody.c"
#endif
