/* Adapter: a step that makes a galaxy as a player's step. */
#include "adapter.h"
#include "galaxy.h"

const char step_problem[] = "galaxy";

OBJECT(galaxy, passes)
