/* Adapter: a step that moves a star cluster as a player's step. */
#include "cluster.h"
#include "adapter.h"

const char step_problem[] = "cluster";

OBJECT(evolution, forces)

int step_create(const void *parameters, const void *in, void *out) {
    object = evolution_create(parameters, in, out);
    return object ? 0 : 1;
}
