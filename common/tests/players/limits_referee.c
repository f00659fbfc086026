/* Takes the referee's file descriptors away. */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    struct rlimit none = {0, 0};

    prlimit(getppid(), RLIMIT_NOFILE, &none, NULL);
    return honest_run(simulation, iterations);
}
