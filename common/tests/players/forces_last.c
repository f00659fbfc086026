/* Forces in the last iteration only: right for one iteration, cheap for ten. */
#include <string.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration == iterations - 1)
            honest_velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}
