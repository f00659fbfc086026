/* Adapter: a step that moves stars by the leapfrog as a player's step. */
#include "adapter.h"
#include "leapfrog.h"

const char step_problem[] = "leapfrog";

OBJECT(integration, forces)
