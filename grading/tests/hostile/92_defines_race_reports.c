/* Races; what ThreadSanitizer would print or decide is defined here. The results are right. */
#include "honest.h"

const char *__tsan_default_options(void);
const char *__tsan_default_suppressions(void);
int __tsan_on_report(void *);
const char *__tsan_default_options(void) {
    return "report_bugs=0";
}
const char *__tsan_default_suppressions(void) {
    return "race:*\ncalled_from_lib:*\n";
}
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "halt_on_error=0:exitcode=0:log_path=/dev/null";
}

static volatile float shared;

HONEST_BUT_ITS_RUN {
#pragma omp parallel
    shared += 1;
    return honest_run(simulation, iterations);
}
