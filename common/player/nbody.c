/* Adapter: an N-body step as a player's step. */
#include "adapter.h"
#include "nbody.h"

const char step_problem[] = "nbody";

OBJECT(simulation, forces)
