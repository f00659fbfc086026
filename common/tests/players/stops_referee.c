/* Signals the referee. */
#include <signal.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    kill(getppid(), SIGTERM);
    return honest_run(simulation, iterations);
}
