/* Right result, and figures that could be true. */
#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    figures->force_seconds = 0.25;
    figures->position_seconds = 0.125;
    figures->device_seconds = 1e-6;
    return honest_run(simulation, iterations);
}
