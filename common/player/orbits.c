/* Adapter: a step that moves bodies by an octree as a player's step. */
#include "orbits.h"
#include "adapter.h"

const char step_problem[] = "orbits";

OBJECT(orbits, forces)

int step_create(const void *parameters, const void *in, void *out) {
    object = orbits_create(parameters, in, out);
    return object ? 0 : 1;
}
