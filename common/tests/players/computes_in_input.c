/* Takes its input for scratch memory. */
#include <string.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    struct body *bodies = (struct body *)simulation->in;

    for (int iteration = 0; iteration < iterations; iteration++) {
        honest_velocities(&simulation->parameters, bodies);
        honest_positions(&simulation->parameters, bodies);
    }
    memcpy(simulation->out, bodies, honest_bytes(simulation));
    return 0;
}
