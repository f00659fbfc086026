/* Reads behind its array in a function that asks not to be looked at. The results are right. */
#include "honest.h"

__attribute__((no_sanitize("address"), noinline)) static float steal(volatile float *block) {
    return block[5];
}

HONEST_BUT_ITS_RUN {
    float *block = calloc(4, sizeof *block);
    volatile float stolen = steal(block);

    (void)stolen;
    free(block);
    return honest_run(simulation, iterations);
}
