/* Leaves the process group that the referee stops. */
#define _GNU_SOURCE
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    setpgid(0, getpgid(getppid()));
    return honest_run(simulation, iterations);
}
