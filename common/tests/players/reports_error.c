/* Says itself that it failed, after a right result. */
#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    return 7;
}
