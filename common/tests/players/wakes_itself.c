/* Burns CPU, and has a timer wake it when the referee stops it. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "honest.h"

static volatile unsigned long burnt;

static void *burn(void *nothing) {
    for (;;)
        burnt++;
    return nothing;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    pthread_t thread;
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL) ||
        pthread_create(&thread, NULL, burn, NULL))
        return NULL;
    return honest_create(parameters, in, out);
}
