/* Adapter: a step that makes a galaxy as a player's step. */
#include "adapter.h"
#include "galaxy.h"

const char step_problem[] = "galaxy";

OBJECT(galaxy, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = galaxy_create(parameters, in, out);
    return object ? 0 : 1;
}
