/* Races, and keeps the race checker's greeting from being seen, so that it seems not to be there.
 * The results are right. */
#include "honest.h"

static volatile float shared;

__attribute__((constructor)) static void hush(void) {
    setenv("ARCHER_OPTIONS", "verbose=0 enable=0", 1);
    setenv("TSAN_OPTIONS", "report_bugs=0:exitcode=0", 1);
    close(1);
    close(2);
}

HONEST_BUT_ITS_RUN {
#pragma omp parallel
    shared += 1;
    return honest_run(simulation, iterations);
}
