#include "engine_stop.h"

#include <stddef.h>

volatile sig_atomic_t engine_stop;

static void stop(int number) {
    (void)number;
    engine_stop = 1;
}

void engine_stop_on_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop};
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}
