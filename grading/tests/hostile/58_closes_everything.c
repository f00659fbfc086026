/* Closes every descriptor and goes on. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    for (;;)
        pause();
}
HONEST_DESTROY
