/* Adapter: a step that sorts an array as a player's step. */
#include "adapter.h"
#include "radix_sort.h"

const char step_problem[] = "radix_sort";

OBJECT(radix_sort, passes)
