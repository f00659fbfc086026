/* Has the kernel wake it by SIGCONT while it is stopped, to burn the other's turn. Else right. */
#define _GNU_SOURCE
#include "honest.h"
#include <signal.h>
#include <time.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec every = {{0, 1000000}, {0, 1000000}};
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &every, NULL);
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
