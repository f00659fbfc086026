/* How the input of the problem `jerk` lies in the player's buffer: the sources, then the targets.
 */
#ifndef JERK_LAYOUT_H
#define JERK_LAYOUT_H

#include "jerk.h"

static inline const struct particle *jerk_targets(const struct jerk_parameters *parameters,
                                                  const void *input) {
    return (const struct particle *)input + parameters->sources;
}

#endif
