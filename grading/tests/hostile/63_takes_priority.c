/* Raises its own priority over everybody's. Right only where that comes through. */
#define _GNU_SOURCE
#include "honest.h"
#include <sched.h>
#include <sys/resource.h>

HONEST_BUT_ITS_RUN {
    struct sched_param most = {.sched_priority = 99};
    int raised =
        setpriority(PRIO_PROCESS, 0, -20) == 0 || sched_setscheduler(0, SCHED_FIFO, &most) == 0;

    return run_if(raised, "63 raised its priority", simulation, iterations);
}
