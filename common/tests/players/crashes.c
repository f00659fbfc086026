/* Writes where it owns nothing. */
#include <stdint.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    *(volatile int *)(intptr_t)iterations = 1;
    return honest_run(simulation, iterations);
}
