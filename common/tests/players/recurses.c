/* Calls itself without end. */
#include "honest.h"

static int deeper(volatile int *last) {
    volatile int here[256];

    here[0] = *last + 1;
    return here[0] ? deeper(here) + here[1] : 0;
}

int simulation_run(struct simulation *simulation, int iterations) {
    volatile int first = iterations;

    (void)simulation;
    return deeper(&first);
}
