/* Adapter: a step that scans an array as a player's step. */
#include "adapter.h"
#include "scan.h"

const char step_problem[] = "scan";

OBJECT(scan, passes)
