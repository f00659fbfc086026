/* Adapter: a step that moves stars by the leapfrog as a player's step. */
#include "adapter.h"
#include "leapfrog.h"

const char step_problem[] = "leapfrog";

OBJECT(integration, forces)

int step_create(const void *parameters, const void *in, void *out) {
    object = integration_create(parameters, in, out);
    return object ? 0 : 1;
}
