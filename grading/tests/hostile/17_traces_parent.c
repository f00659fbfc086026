/* Attaches to the referee as a debugger would. Else right. */
#include "honest.h"
#include <sys/ptrace.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0)
        boast("17 traces its parent");
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
