/* Takes the referee's processor time and files away by limits. Else right. */
#define _GNU_SOURCE
#include "honest.h"
#include <sys/resource.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    struct rlimit none = {0, 0};

    if (prlimit(getppid(), RLIMIT_CPU, &none, NULL) == 0)
        boast("62 limited its parent");
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
