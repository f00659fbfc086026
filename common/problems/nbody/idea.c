#include <stdio.h>
#include <string.h>

#include "idea.h"

/* A program whose other threads together did less than this share of the busiest one's work has not
 * shared out its loop. Two threads that share fairly reach 1; a serial program stays below 0.01. */
#define LEAST_SHARE 0.2

int nbody_idea(const char *step, const struct observed *observed, char *message) {
    double others = observed->cpu_seconds - observed->busiest_seconds;

    if (strcmp(step, "02_openmp"))
        return -1;
    if (others >= LEAST_SHARE * observed->busiest_seconds)
        return 1;
    snprintf(message, 512,
             "one thread did %.0f%% of the work: the loop over bodies is not shared out; a "
             "`#pragma omp parallel` around the iterations and a `#pragma omp for` before each "
             "loop would do it",
             100 * observed->busiest_seconds / observed->cpu_seconds);
    return 0;
}
