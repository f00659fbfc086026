/* Adapter: a step that moves a star cluster as a player's step. */
#include "cluster.h"
#include "adapter.h"

const char step_problem[] = "cluster";

OBJECT(evolution, forces)
