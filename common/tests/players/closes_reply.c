/* Closes the pipe it should answer on and stays. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    close(REPLY_FD);
    for (;;)
        pause();
}
