/* Adapter: a step that adds up an array as a player's step. */
#include "protocol/player.h"
#include "reduce.h"

static struct reduction *reduction;

const char step_problem[] = "reduce";

int step_create(const void *parameters, const void *in, void *out) {
    reduction = reduction_create(parameters, in, out);
    return reduction ? 0 : 1;
}

int step_run(int iterations) {
    return reduction_run(reduction, iterations);
}

void step_destroy(void) {
    reduction_destroy(reduction);
    reduction = 0;
}

void reduction_passes(struct reduction *, int) __attribute__((weak)); /* a step may have none */

void step_enqueue(int repeats) {
    if (reduction_passes)
        reduction_passes(reduction, repeats);
}
