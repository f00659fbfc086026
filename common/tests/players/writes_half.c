/* Stops at the middle of the output. */
#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    struct simulation half = *simulation;

    half.parameters.n /= 2;
    return honest_run(&half, iterations);
}
