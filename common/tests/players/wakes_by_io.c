/* Has the kernel tell it of input by a signal, SIGCONT, which also wakes whom the referee stopped.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    fcntl(COMMAND_FD, F_SETSIG, SIGCONT);
    fcntl(COMMAND_FD, F_SETOWN, getpid());
    fcntl(COMMAND_FD, F_SETFL, O_ASYNC);
    return honest_run(simulation, iterations);
}
