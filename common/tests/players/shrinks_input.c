/* Cuts off the input buffer under the referee. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    if (ftruncate(INPUT_FD, 0))
        return 1;
    return honest_run(simulation, iterations);
}
