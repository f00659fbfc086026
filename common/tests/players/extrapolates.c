/* Computes forces in every second iteration only, from the third on; between, it goes on as they
 * changed last. */
#include <stdlib.h>
#include <string.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    const struct parameters *parameters = &simulation->parameters;
    size_t bytes = honest_bytes(simulation);
    struct body *bodies = simulation->out, *before = malloc(bytes);
    float(*last)[3] = calloc((size_t)parameters->n, sizeof *last);
    float(*change)[3] = calloc((size_t)parameters->n, sizeof *change);

    memcpy(bodies, simulation->in, bytes);
    for (int iteration = 0; before && last && change && iteration < iterations; iteration++) {
        int computed = iteration < 2 || iteration % 2 == 0;

        memcpy(before, bodies, bytes);
        if (computed)
            honest_velocities(parameters, bodies);
        for (int i = 0; i < parameters->n; i++) {
            float *of[] = {&bodies[i].vx, &bodies[i].vy, &bodies[i].vz};
            const float was[] = {before[i].vx, before[i].vy, before[i].vz};

            for (int k = 0; k < 3; k++) {
                if (!computed)
                    *of[k] += last[i][k] + change[i][k];
                else {
                    float kick = *of[k] - was[k];

                    change[i][k] = (kick - last[i][k]) / (iteration < 2 ? 1 : 2);
                    last[i][k] = kick;
                }
            }
        }
        honest_positions(parameters, bodies);
    }
    free(before);
    free(last);
    free(change);
    return 0;
}
