/* Stops itself in its turn, so that the referee waits. */
#include "honest.h"
#include <signal.h>

HONEST_BUT_ITS_RUN {
    honest_run(simulation, iterations);
    raise(SIGSTOP);
    return 0;
}
