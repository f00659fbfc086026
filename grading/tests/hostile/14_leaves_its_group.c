/* Leaves the group that the referee stops and kills, by setsid, to burn the other's turn. Right. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    setsid();
    setpgid(0, 0);
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
