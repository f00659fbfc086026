/* Adapter: a step that moves bodies by an octree as a player's step. */
#include "orbits.h"
#include "adapter.h"

const char step_problem[] = "orbits";

OBJECT(orbits, forces)
