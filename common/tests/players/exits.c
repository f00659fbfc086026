/* Ends as a program that is content. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    _exit(0);
}
