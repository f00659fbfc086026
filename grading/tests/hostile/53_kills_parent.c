/* Kills the referee. Else right. */
#include "honest.h"
#include <signal.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    kill(getppid(), SIGKILL);
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
