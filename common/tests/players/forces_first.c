/* Forces in the first iteration only. */
#include <string.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration == 0)
            honest_velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}
