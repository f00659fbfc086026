/* Parameters of the problem `nbody_masses`, as they pass to the player. Its input is n bodies, then
 * n masses. */
#ifndef NBODY_MASSES_PARAMETERS_H
#define NBODY_MASSES_PARAMETERS_H

#include "nbody.h"

struct nbody_masses_parameters {
    struct parameters parameters; /* first, so that a pointer to this is one to that */
    int has_masses;               /* 0: all are 1, whatever the input holds */
};

#endif
