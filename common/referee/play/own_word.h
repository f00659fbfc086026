/* What a player says of its own run, cut to what can be: a player may write anything. */
#ifndef OWN_WORD_H
#define OWN_WORD_H

#include "protocol/player.h"

/* Times out of their range become 0. */
struct figures figures_in_range(struct figures said);

/* Counts of lists become at most their lengths, texts end, times are in order or 0. */
struct counters counters_in_range(struct counters said);

#endif
