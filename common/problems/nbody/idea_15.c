#include <stdio.h>

#include "idea.h"

/* What a program without the idea has: a thread a body, or fewer. */
#define LEAST_THREADS 2.0

/* Bytes stored for a body and an iteration: velocity and position, two float4, are 32; where bodies
 * are unpacked before two iterations and packed after them, 36 more. The solution has 56: velocity,
 * position twice and potential, 40, and two float4 before two iterations. Sums of several threads
 * that leave their blocks one by one are 12 each. */
#define MOST_STORED 96.0

int nbody_shares_bodies(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    const struct interval *forces = most_roots(counters);
    double stored = 0;
    uint64_t i;

    if (!forces || (double)(forces->blocks * forces->threads) < LEAST_THREADS * observed->n) {
        snprintf(message, 512,
                 "%s has %llu threads for %d bodies; at least %.0f a body are wanted, lanes of a "
                 "warp that share its sum",
                 forces ? forces->kernel : "no kernel",
                 forces ? (unsigned long long)(forces->blocks * forces->threads) : 0ull,
                 observed->n, LEAST_THREADS);
        return 0;
    }
    for (i = 0; i < counters->traced_lines; i++)
        if (counters->lines[i].space == GLOBAL_MEMORY && counters->lines[i].stores)
            stored += (double)counters->lines[i].bytes;
    stored /= (double)observed->n * observed->iterations;
    if (stored <= MOST_STORED)
        return 1;
    snprintf(message, 512,
             "kernels stored %.0f bytes in global memory for a body and an iteration; at most "
             "%.0f are wanted: threads that share a body add up their sums within the block, and "
             "what leaves it is the moved body",
             stored, MOST_STORED);
    return 0;
}
