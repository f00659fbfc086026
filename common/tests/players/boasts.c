/* Right result; its figures are no times at all. */
#include <math.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    figures->force_seconds = NAN;
    figures->position_seconds = -1;
    figures->device_seconds = 1e30;
    return honest_run(simulation, iterations);
}
