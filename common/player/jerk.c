/* Adapter: a step that computes gravity and its change as a player's step. */
#include "adapter.h"
#include "protocol/jerk_layout.h"

const char step_problem[] = "jerk";

OBJECT(gravity, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = gravity_create(parameters, in, jerk_targets(parameters, in), out);
    return object ? 0 : 1;
}
