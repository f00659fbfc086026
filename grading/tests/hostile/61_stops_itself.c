/* Stops itself in its turn, so that the referee waits. */
#include "honest.h"
#include <signal.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    raise(SIGSTOP);
    return 0;
}
HONEST_DESTROY
