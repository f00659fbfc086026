/* Adapter: an N-body step with masses as a player's step. */
#include "adapter.h"
#include "nbody_masses.h"
#include "protocol/nbody_masses_parameters.h"

const char step_problem[] = "nbody_masses";

OBJECT(simulation, forces)

int step_create(const void *parameters, const void *in, void *out) {
    const struct nbody_masses_parameters *massive = parameters;
    const struct body *bodies = in;
    const float *masses = (const float *)(bodies + massive->parameters.n);

    object = simulation_create_with_masses(&massive->parameters, bodies,
                                           massive->has_masses ? masses : 0, out);
    return object ? 0 : 1;
}
