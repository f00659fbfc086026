/* Takes a GiB and crashes, for a core file of that size. */
#include "honest.h"
#include <sys/prctl.h>
#include <sys/resource.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

    (void)simulation;
    (void)iterations;
    setrlimit(RLIMIT_CORE, &all);
    prctl(PR_SET_DUMPABLE, 1);
    memset(malloc(1 << 30), 1, 1 << 30);
    abort();
}
HONEST_DESTROY
