/* Adapter: a step that adds up an array as a player's step. */
#include "adapter.h"
#include "reduce.h"

const char step_problem[] = "reduce";

OBJECT(reduction, passes)
