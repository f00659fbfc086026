/* Never answers. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    for (;;)
        pause();
}
