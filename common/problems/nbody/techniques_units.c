/* Tensor cores, the third law, and several devices as cpucuda's count them. */
#include <math.h>
#include <stdio.h>

#include "techniques.h"

/* With the third law, of 4096 bodies in floats 10 of 16 pairs of groups are met, and on tensor
 * cores 36 of 64 of the 2047 bodies of a check: 0.75 roots per interaction are enough. For 16
 * bodies i and 16 bodies j there are two products for r^2, and for sums of force one for bodies i
 * and two for bodies j: 5. */
static double soft_interactions(const struct observed *observed) {
    return (double)observed->soft.n * observed->soft.n * observed->iterations;
}

static double products(const struct observed *observed) {
    return observed->soft.tensor_products
               ? (double)observed->soft.tensor_products / (soft_interactions(observed) / 512)
               : NAN;
}

static void say_products(const struct observed *observed, double bound, char *message) {
    if (!observed->soft.tensor_products)
        snprintf(message, 512,
                 "no matrix product ran on tensor cores, not even for the bodies of soft_cube, "
                 "whose softening suits them: multiply_tile() of mma.h is wanted");
    else
        snprintf(message, 512,
                 "%.1f matrix products for 256 pairs of the %d bodies of soft_cube, whose "
                 "softening suits tensor cores; at least %.0f are wanted: two for r^2, one for the "
                 "forces on bodies i and two for those on bodies j",
                 products(observed), observed->soft.n, bound);
}

/* A root that is not rsqrtf's makes it as many as there could be. */
static double roots_of(uint64_t rsqrtf_calls, uint64_t other_roots, double interactions) {
    return other_roots ? INFINITY : (double)rsqrtf_calls / interactions;
}

static void say_roots(double roots, const char *where, double bound, char *message) {
    snprintf(message, 512,
             "%.2f roots per interaction%s; at most %.2f are wanted: compute each pair of bodies "
             "once, and use its root for the forces on both",
             roots, where, bound);
}

static double soft_roots(const struct observed *observed) {
    return roots_of(observed->soft.rsqrtf_calls, observed->soft.other_roots,
                    soft_interactions(observed));
}

static void say_soft_roots(const struct observed *observed, double bound, char *message) {
    say_roots(((double)observed->soft.rsqrtf_calls + (double)observed->soft.other_roots) /
                  soft_interactions(observed),
              " on tensor cores", bound, message);
}

static double all_roots(const struct observed *observed) {
    return roots_of(observed->counters.rsqrtf_calls, observed->counters.other_roots,
                    nbody_interactions(observed));
}

static void say_all_roots(const struct observed *observed, double bound, char *message) {
    say_roots(((double)observed->counters.rsqrtf_calls + (double)observed->counters.other_roots) /
                  nbody_interactions(observed),
              "", bound, message);
}

/* Roots of all devices; `most` is the one that took most. */
static double roots_of_devices(const struct observed *observed, uint64_t *most) {
    const struct counters *counters = &observed->counters;
    double all = 0;
    uint64_t device;

    *most = 0;
    for (device = 0; device < counters->devices && device < MOST_DEVICES; device++) {
        all += (double)counters->roots_on[device];
        if (counters->roots_on[device] > counters->roots_on[*most])
            *most = device;
    }
    return all;
}

/* Over what the devices have on average. A device's last block may be partly empty: 1366 bodies in
 * blocks of 512 take 12% more roots. */
static double busiest_device(const struct observed *observed) {
    const struct counters *counters = &observed->counters;
    uint64_t most;
    double all = roots_of_devices(observed, &most);

    return all > 0 ? (double)counters->roots_on[most] * (double)counters->devices / all : 0;
}

static void say_busiest(const struct observed *observed, double bound, char *message) {
    const struct counters *counters = &observed->counters;
    uint64_t most;
    double all = roots_of_devices(observed, &most);

    (void)bound;
    snprintf(message, 512,
             "device %llu of %llu took %.0f%% of the roots; each device is to have an equal share "
             "of the bodies, and to sum the forces on those",
             (unsigned long long)most, (unsigned long long)counters->devices,
             100 * (double)counters->roots_on[most] / all);
}

static double all_devices(const struct observed *observed) {
    uint64_t most;

    return roots_of_devices(observed, &most) / nbody_interactions(observed);
}

static void say_all_devices(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(
        message, 512,
        "%llu devices took %.1f roots per interaction in all, where 1 is enough: each computed "
        "the forces on bodies of others, too",
        (unsigned long long)observed->counters.devices, all_devices(observed));
}

/* Per body, iteration and other device, 12 of a position; without another device as many as one
 * likes.
 */
static double bodies_needed(const struct observed *observed) {
    unsigned long long devices = observed->counters.devices;

    return devices < 2
               ? 0
               : (double)observed->n * (double)((uint64_t)observed->iterations * (devices - 1));
}

static double bytes_between(const struct observed *observed) {
    double bodies = bodies_needed(observed);

    return bodies > 0 ? (double)observed->counters.bytes_between / bodies : INFINITY;
}

static void say_bytes_between(const struct observed *observed, double bound, char *message) {
    const struct counters *counters = &observed->counters;

    snprintf(message, 512,
             "%llu bytes went from one device to another in %llu iterations; the positions that "
             "%llu devices need of each other take at least %.0f: exchange_start sends them",
             (unsigned long long)counters->bytes_between, (unsigned long long)observed->iterations,
             (unsigned long long)counters->devices, bound * bodies_needed(observed));
}

/* Per device and iteration but the first: whoever gives all positions to all devices at the start
 * has none in flight then. */
static double kernels_beside(const struct observed *observed) {
    const struct counters *counters = &observed->counters;
    uint64_t wanted =
        counters->devices < 2 ? 0 : ((uint64_t)observed->iterations - 1) * counters->devices;

    return wanted ? (double)counters->launches_beside / (double)wanted : INFINITY;
}

static void say_kernels_beside(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "%llu of %llu kernels could run while positions were in flight to their device; at "
             "least one per device and iteration is wanted: the forces from its own bodies, "
             "launched before exchange_wait",
             (unsigned long long)observed->counters.launches_beside,
             (unsigned long long)observed->counters.launches);
}

const struct technique nbody_techniques_units[] = {
    {.name = "products_per_256_pairs", .measure = products, .say = say_products},
    {.name = "roots_on_tensor_cores", .measure = soft_roots, .say = say_soft_roots},
    {.name = "roots_per_interaction", .measure = all_roots, .say = say_all_roots},
    {.name = "roots_of_busiest_device", .measure = busiest_device, .say = say_busiest},
    {.name = "roots_of_all_devices", .measure = all_devices, .say = say_all_devices},
    {.name = "bytes_between_devices", .measure = bytes_between, .say = say_bytes_between},
    {.name = "kernels_beside_exchange", .measure = kernels_beside, .say = say_kernels_beside},
    {NULL},
};
