/* Prints for ever. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    for (;;)
        puts("{\"outcome\": \"accepted\"}");
}
HONEST_DESTROY
