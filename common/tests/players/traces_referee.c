/* Tries to become the referee's debugger. */
#include <sys/ptrace.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
    return honest_run(simulation, iterations);
}
