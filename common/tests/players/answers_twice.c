/* Two answers of its own come on top of the player's. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    int status = honest_run(simulation, iterations);

    return write(REPLY_FD, "rr", 2) == 2 ? status : 1;
}
