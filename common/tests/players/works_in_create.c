/* Creates in 0.15 s on a CPU. */
#include <time.h>

#include "honest.h"

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    clock_t begin = clock();

    while (clock() - begin < 0.15 * CLOCKS_PER_SEC)
        ;
    return honest_create(parameters, in, out);
}

int simulation_run(struct simulation *simulation, int iterations) {
    return honest_run(simulation, iterations);
}
