#include "nbody_problem.h"

#include <math.h>
#include <stdlib.h>

/* Bodies come in no order, so the first are a sample like any other. The norm over so many is
 * within a few percent of that over all, where no close pair decides it. */
enum { SAMPLE = 4096 };

void nbody_bring_to_rest(void *input, int n) {
    struct body *bodies = input;

    for (int i = 0; i < n; i++)
        bodies[i].vx = bodies[i].vy = bodies[i].vz = 0;
}

double nbody_sampled_error(const struct parameters *parameters, const struct body *in,
                           const float *masses, const struct body *out) {
    int n = parameters->n, count = n < SAMPLE ? n : SAMPLE;
    struct oracle oracle;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    double error2 = 0, change2 = 0;

    if (!memory)
        return -1;
    oracle_start(&oracle, memory, in, masses, n);
    oracle.n = count; /* those that are moved */
    oracle_kick(&oracle, parameters, n);
    for (int i = 0; i < count; i++) {
        double x = oracle.vx[i], y = oracle.vy[i], z = oracle.vz[i];
        double dx = x - out[i].vx, dy = y - out[i].vy, dz = z - out[i].vz;

        error2 += dx * dx + dy * dy + dz * dz;
        dx = x - in[i].vx, dy = y - in[i].vy, dz = z - in[i].vz;
        change2 += dx * dx + dy * dy + dz * dz;
    }
    free(memory);
    return relative_error(sqrt(error2), sqrt(change2));
}
