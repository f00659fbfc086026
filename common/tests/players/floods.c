/* Prints without end. */
#include <stdio.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    (void)simulation;
    (void)iterations;
    for (;;)
        puts("and another line that nobody wants to read");
}
