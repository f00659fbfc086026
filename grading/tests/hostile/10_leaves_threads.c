/* Leaves threads behind that keep every core busy, in its own turns and those of others. Right. */
#include "honest.h"
#include <pthread.h>

static void *burn(void *nothing) {
    for (volatile unsigned long burnt = 0;;)
        burnt++;
    return nothing;
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    static int burning;
    struct simulation *simulation = malloc(sizeof *simulation);
    pthread_t thread;

    for (; burning < 2; burning++)
        if (pthread_create(&thread, NULL, burn, NULL))
            return NULL;
    if (simulation)
        *simulation = (struct simulation){*parameters, in, out};
    return simulation;
}
HONEST_RUN
HONEST_DESTROY
