/* Never answers, and says what cpucuda says of a kernel that does not end. */
#include <stdio.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    fprintf(stderr, "cpucuda: hung: launch 2 of step does not end\n");
    for (;;)
        pause();
}
