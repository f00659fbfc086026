/* Adapter: an N-body step with masses as a player's step. */
#include "nbody_masses.h"
#include "protocol/nbody_masses_parameters.h"
#include "protocol/player.h"

static struct simulation *simulation;

const char step_problem[] = "nbody_masses";

int step_create(const void *parameters, const void *in, void *out) {
    const struct nbody_masses_parameters *massive = parameters;
    const struct body *bodies = in;
    const float *masses = (const float *)(bodies + massive->parameters.n);

    simulation = simulation_create_with_masses(&massive->parameters, bodies,
                                               massive->has_masses ? masses : 0, out);
    return simulation ? 0 : 1;
}

int step_run(int iterations) {
    return simulation_run(simulation, iterations);
}

void step_destroy(void) {
    simulation_destroy(simulation);
    simulation = 0;
}

void simulation_forces(struct simulation *, int) __attribute__((weak)); /* a step may have none */

void step_enqueue(int repeats) {
    if (simulation_forces)
        simulation_forces(simulation, repeats);
}
