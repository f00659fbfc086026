/* Starts another process by system(). */
#include <stdlib.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    if (system("true"))
        return 1;
    return honest_run(simulation, iterations);
}
