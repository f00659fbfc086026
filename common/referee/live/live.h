/* Bodies in motion, in a browser. */
#ifndef LIVE_H
#define LIVE_H

#include "referee/base/options.h"

/* Has a step's program, or without a step the fastest one for N-body, move a scene for those who
 * watch it, until Ctrl-C; it rests while nobody does. */
enum outcome live(const struct options *options);

#endif
