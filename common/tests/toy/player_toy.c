/* Adapter: a toy step as a player's step. */
#include "protocol/player.h"
#include "toy.h"

static const struct toy_parameters *kept_parameters;
static const uint32_t *kept_in;
static uint32_t *kept_out;

const char step_problem[] = "toy";

int step_create(const void *parameters, const void *in, void *out) {
    kept_parameters = parameters;
    kept_in = in;
    kept_out = out;
    return 0;
}

int step_run(int iterations) {
    return toy(kept_parameters, kept_in, kept_out, iterations);
}

void step_destroy(void) {
}
