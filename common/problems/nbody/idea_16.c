#include <stdio.h>

#include "idea.h"

/* The run that is looked at goes another way than tensor cores, with its third law too: 4096 bodies
 * are 4 groups there, each with itself and with 2 or 1 of the others, 10 of 16 pairs of groups. */
#define MOST_ROOTS 0.75

int nbody_uses_tensors(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double interactions = (double)observed->n * observed->n * observed->iterations;
    double roots = (double)counters->rsqrtf_calls / interactions;

    if (!counters->tensor_products) {
        snprintf(message, 512,
                 "no matrix product was asked of tensor cores, also for the bodies of soft_cube, "
                 "whose softening suits them: multiply_tile() of mma.h is wanted");
        return 0;
    }
    if (!counters->other_roots && roots <= MOST_ROOTS)
        return 1;
    snprintf(message, 512,
             "%.2f roots an interaction; at most %.2f are wanted: a pair of bodies is to be met "
             "once, and its root to serve the forces on both",
             roots + (double)counters->other_roots / interactions, MOST_ROOTS);
    return 0;
}
