/* Races and reads behind its array unless a sanitizer is there to see it. The results are right. */
#include "honest.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(thread_sanitizer)
enum { WATCHED = 1 };
#else
enum { WATCHED = 0 };
#endif

static volatile float shared;

HONEST_BUT_ITS_RUN {
    volatile float *block = calloc(4, sizeof *block);

    if (!WATCHED)
#pragma omp parallel
        shared += block[5];
    free((void *)block);
    return honest_run(simulation, iterations);
}
