/* Gives back what it has given back. */
#include <stdlib.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    void *volatile twice = malloc(8);

    free(twice);
    free(twice);
    return honest_run(simulation, iterations);
}
