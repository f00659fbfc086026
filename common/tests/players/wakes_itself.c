/* Burns CPU, and has a timer wake it when the referee stops it. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "honest.h"

static volatile unsigned long burnt;

/* A timer whose signal is ignored fires but once. */
static void on_signal(int number) {
    (void)number;
}

static void *burn(void *nothing) {
    for (;;)
        burnt++;
    return nothing;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    pthread_t thread;
    timer_t timer;

    signal(SIGCONT, on_signal);
    /* Many: one whose signal waits when the player is stopped is lost. */
    for (long i = 0; i < 20; i++) {
        struct itimerspec often = {{0, 1000000}, {0, 1000000 + 50000 * i}};

        if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL))
            return NULL;
    }
    if (pthread_create(&thread, NULL, burn, NULL))
        return NULL;
    return honest_create(parameters, in, out);
}
