/* Fails if it finds a file of the referee's open. */
#include <fcntl.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    for (int fd = REPLY_FD + 1; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return 9;
    return honest_run(simulation, iterations);
}
