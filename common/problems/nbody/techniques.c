#include "techniques.h"

double nbody_interactions(const struct observed *observed) {
    return (double)observed->n * observed->n * observed->iterations;
}

const struct technique *const nbody_techniques[] = {nbody_techniques_c, nbody_techniques_run,
                                                    nbody_techniques_memory, nbody_techniques_units,
                                                    NULL};
