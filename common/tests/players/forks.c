/* Starts another process by fork(). */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    if (fork() == 0)
        _exit(0);
    return honest_run(simulation, iterations);
}
