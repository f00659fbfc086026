/* Adapter: an N-body step as a player's step. */
#include "adapter.h"
#include "nbody.h"

const char step_problem[] = "nbody";

OBJECT(simulation, forces)

int step_create(const void *parameters, const void *in, void *out) {
    object = simulation_create(parameters, in, out);
    return object ? 0 : 1;
}
