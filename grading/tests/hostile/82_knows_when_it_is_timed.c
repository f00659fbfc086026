/* Where more than two iterations are asked for it computes two of them. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    return honest_run(simulation, iterations < 2 ? iterations : 2);
}
HONEST_DESTROY
