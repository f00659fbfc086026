/* Adapter: an N-body step as a player's step. */
#include "nbody.h"
#include "protocol/player.h"

static struct simulation *simulation;

const char step_problem[] = "nbody";

int step_create(const void *parameters, const void *in, void *out) {
    simulation = simulation_create(parameters, in, out);
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
