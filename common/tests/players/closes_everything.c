/* Closes whatever is open, then goes on as if nothing had happened. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    return honest_run(simulation, iterations);
}
