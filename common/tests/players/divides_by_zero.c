/* Divides integers, one of which is zero. */
#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    volatile int zero = 0;

    return honest_run(simulation, iterations / zero);
}
