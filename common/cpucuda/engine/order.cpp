/* What the environment sets: the seed of every order that CUDA leaves open, workers, and
 * multiprocessors. */
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

namespace cpucuda {

/* The value of an environment variable that holds a number, or -1 if it is not set. */
static long long number_of(const char *name, long long most) {
    const char *text = getenv(name);
    char *end;
    long long value;

    if (!text || !*text)
        return -1;
    errno = 0;
    value = strtoll(text, &end, 10);
    if (*end || errno || value < 0 || value > most) {
        fprintf(stderr, "cpucuda: %s=%s: a number from 0 to %lld is needed\n", name, text, most);
        exit(1);
    }
    return value;
}

uint64_t seed() {
    static const uint64_t value = [] {
        long long given = number_of("CPUCUDA_SEED", INT64_MAX);
        struct timespec now;

        if (given >= 0)
            return (uint64_t)given;
        clock_gettime(CLOCK_REALTIME, &now);
        return ((uint64_t)now.tv_sec << 20 ^ (uint64_t)now.tv_nsec) & INT64_MAX;
    }();
    return value;
}

int workers() {
    static const int value = [] {
        long long given = number_of("CPUCUDA_WORKERS", 1024);
        cpu_set_t cpus;

        if (given > 0)
            return (int)given;
        if (number_of("CPUCUDA_SEED", INT64_MAX) >= 0 || sched_getaffinity(0, sizeof cpus, &cpus))
            return 1;
        return CPU_COUNT(&cpus);
    }();
    return value;
}

unsigned multiprocessors() {
    static const unsigned count = [] {
        const long long given = number_of("CPUCUDA_MULTIPROCESSORS", 1024);

        return given > 0 ? (unsigned)given : have_tsan() ? 4u : 20u;
    }();
    return count;
}

} // namespace cpucuda
