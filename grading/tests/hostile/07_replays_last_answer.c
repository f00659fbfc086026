/* Computes a simulation's first run, and hands in that answer in all later ones. A check runs small
 * simulations twice, and finds it. */
#include "honest.h"

static struct body *kept;

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    size_t bytes = (size_t)simulation->parameters.n * sizeof *kept;

    if (kept) {
        memcpy(simulation->out, kept, bytes);
        return 0;
    }
    honest_run(simulation, iterations);
    if ((kept = malloc(bytes)))
        memcpy(kept, simulation->out, bytes);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    free(kept);
    kept = NULL;
    free(simulation);
}
