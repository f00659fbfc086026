/* Adapter: a step that computes gravity and its change as a player's step. */
#include "adapter.h"
#include "protocol/jerk_layout.h"

const char step_problem[] = "jerk";

static struct gravity *create(const void *parameters, const void *in, void *out) {
    return gravity_create(parameters, in, jerk_targets(parameters, in), out);
}

OBJECT_BY(gravity, passes, create)
