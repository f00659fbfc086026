/* Adapter: a step that computes accelerations by an octree as a player's step. */
#include "adapter.h"
#include "walk.h"

const char step_problem[] = "walk";

OBJECT(walk, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = walk_create(parameters, in, out);
    return object ? 0 : 1;
}
