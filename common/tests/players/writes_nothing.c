/* Leaves the output as it is. */
#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    return 0;
}
