/* process_vm_readv of the referee, where the oracle is. Else right. */
#define _GNU_SOURCE
#include "honest.h"
#include <sys/uio.h>

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    char here[64];
    struct iovec mine = {here, sizeof here}, theirs = {simulation->out, sizeof here};

    if (process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) > 0)
        boast("18 read its parent's memory");
    return honest_run(simulation, iterations);
}
HONEST_DESTROY
