/* Starts another process by vfork(). */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    if (vfork() == 0)
        _exit(0);
    return honest_run(simulation, iterations);
}
