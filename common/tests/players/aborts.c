/* As a failed assert() would. */
#include <stdlib.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    abort();
}
