/* Adapter: an N-body step with masses as a player's step. */
#include "adapter.h"
#include "nbody_masses.h"
#include "protocol/nbody_masses_parameters.h"

const char step_problem[] = "nbody_masses";

static struct simulation *create(const void *parameters, const void *in, void *out) {
    const struct nbody_masses_parameters *massive = parameters;
    const struct body *bodies = in;
    const float *masses = (const float *)(bodies + massive->parameters.n);

    return simulation_create_with_masses(&massive->parameters, bodies,
                                         massive->has_masses ? masses : 0, out);
}

OBJECT_BY(simulation, forces, create)
