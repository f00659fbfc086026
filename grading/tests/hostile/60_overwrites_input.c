/* Makes the input fit its answer: all bodies at rest at one place. Nothing right. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    (void)iterations;
    memset((void *)simulation->in, 0, (size_t)simulation->parameters.n * sizeof *simulation->in);
    return wrong_run(simulation);
}
HONEST_DESTROY
