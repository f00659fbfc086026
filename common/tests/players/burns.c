/* Leaves threads behind that keep every core busy in the turns of others. */
#include <pthread.h>
#include <stdlib.h>

#include "honest.h"

enum { THREADS = 4 };

static volatile unsigned long burnt;

static void *burn(void *nothing) {
    for (;;)
        burnt++;
    return nothing;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    pthread_t thread;

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, NULL, burn, NULL))
            return NULL;
    return honest_create(parameters, in, out);
}
