/* Adapter: a step that adds up an array as a player's step. */
#include "adapter.h"
#include "reduce.h"

const char step_problem[] = "reduce";

OBJECT(reduction, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = reduction_create(parameters, in, out);
    return object ? 0 : 1;
}
