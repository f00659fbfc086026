/* Adapter: a step that computes accelerations by an octree as a player's step. */
#include "adapter.h"
#include "walk.h"

const char step_problem[] = "walk";

OBJECT(walk, passes)
