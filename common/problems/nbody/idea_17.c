/* The idea of step 17, as cpucuda's several devices count it. */
#include "idea.h"

#include <stdio.h>

/* A device's last block may be partly empty: 1366 bodies in blocks of 512 take 12% more roots. */
#define MOST_OF_A_DEVICE 1.25 /* of what the devices have on average */
#define MOST_IN_ALL      2.0  /* of one root an interaction */
#define LEAST_BYTES      12.0 /* of a position */

static int shares_roots(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    double interactions = (double)observed->n * observed->n * observed->iterations, all = 0;
    uint64_t device, most = 0;

    for (device = 0; device < counters->devices && device < MOST_DEVICES; device++) {
        all += (double)counters->roots_on[device];
        if (counters->roots_on[device] > counters->roots_on[most])
            most = device;
    }
    if ((double)counters->roots_on[most] * (double)counters->devices > MOST_OF_A_DEVICE * all) {
        snprintf(message, 512,
                 "of the roots, device %llu of %llu took %.0f%%; each device is to have an equal "
                 "share of the bodies, and to sum the forces on those",
                 (unsigned long long)most, (unsigned long long)counters->devices,
                 100 * (double)counters->roots_on[most] / all);
        return 0;
    }
    if (all <= MOST_IN_ALL * interactions)
        return 1;
    snprintf(message, 512,
             "%llu devices took %.1f roots an interaction in all, where 1 is enough: each computed "
             "the forces on bodies of others, too",
             (unsigned long long)counters->devices, all / interactions);
    return 0;
}

int nbody_uses_all_devices(const struct observed *observed, char *message) {
    const struct counters *counters = &observed->counters;
    unsigned long long devices = counters->devices, iterations = (uint64_t)observed->iterations;
    double needed = LEAST_BYTES * (double)observed->n * (double)(iterations * (devices - 1));

    if (!shares_roots(observed, message))
        return 0;
    if (devices < 2)
        return 1;
    if ((double)counters->bytes_between < needed) {
        snprintf(message, 512,
                 "%llu bytes went from one device to another in %llu iterations; for the positions "
                 "that %llu devices need of each other %.0f are the least: exchange_start",
                 (unsigned long long)counters->bytes_between, iterations, devices, needed);
        return 0;
    }
    /* Whoever gives all positions to all devices at the start has none under way then. */
    if (counters->launches_beside >= (iterations - 1) * devices)
        return 1;
    snprintf(message, 512,
             "%llu of %llu kernels could run while positions were under way to their device; at "
             "least one for each device and iteration is to: the forces from its own bodies, "
             "launched before exchange_wait",
             (unsigned long long)counters->launches_beside, (unsigned long long)counters->launches);
    return 0;
}
