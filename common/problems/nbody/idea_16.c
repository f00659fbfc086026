#include <stdio.h>

#include "idea.h"

/* With the third law, of 4096 bodies in floats 10 of 16 pairs of groups are met, and on tensor
 * cores 36 of 64 of the 2047 bodies of the check. For 16 bodies i and 16 bodies j there are two
 * products for r^2, and for sums of force one for bodies i and two for bodies j. */
#define MOST_ROOTS     0.75
#define LEAST_PRODUCTS 5.0

static int meets_pairs_once(uint64_t rsqrtf_calls, uint64_t other_roots, double interactions,
                            const char *where, char *message) {
    double roots = (double)rsqrtf_calls + (double)other_roots;

    if (!other_roots && roots <= MOST_ROOTS * interactions)
        return 1;
    snprintf(message, 512,
             "%.2f roots an interaction%s; at most %.2f are wanted: a pair of bodies is to be met "
             "once, and its root to serve the forces on both",
             roots / interactions, where, MOST_ROOTS);
    return 0;
}

int nbody_uses_tensors(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double soft = (double)observed->soft.n * observed->soft.n * observed->iterations;
    double products = (double)observed->soft.tensor_products;

    if (!observed->soft.tensor_products) {
        snprintf(message, 512,
                 "no matrix product was asked of tensor cores, also for the bodies of soft_cube, "
                 "whose softening suits them: multiply_tile() of mma.h is wanted");
        return 0;
    }
    if (products < LEAST_PRODUCTS * soft / 512) {
        snprintf(message, 512,
                 "%.1f matrix products for 256 pairs of the %d bodies of soft_cube, whose "
                 "softening suits tensor cores; at least %.0f are wanted: two for r^2, one for the "
                 "forces on bodies i and two for those on bodies j",
                 products / (soft / 512), observed->soft.n, LEAST_PRODUCTS);
        return 0;
    }
    return meets_pairs_once(observed->soft.rsqrtf_calls, observed->soft.other_roots, soft,
                            " on tensor cores", message) &&
           meets_pairs_once(counters->rsqrtf_calls, counters->other_roots,
                            (double)observed->n * observed->n * observed->iterations, "", message);
}
