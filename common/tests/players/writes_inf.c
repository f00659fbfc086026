/* One body in the middle is infinitely far away. */
#include <math.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    simulation->out[simulation->parameters.n / 2].z = INFINITY;
    return 0;
}
