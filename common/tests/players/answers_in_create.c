/* Has its answer to create come in the turn of the run, which never does anything. */
#include <unistd.h>

#include "honest.h"

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    if (write(REPLY_FD, "c", 1) != 1)
        return NULL;
    usleep(300000); /* the referee takes that for the end of the turn */
    return honest_create(parameters, in, out);
}

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    for (;;)
        pause();
}
