/* Kills whatever it may. Else right. */
#include "honest.h"
#include <signal.h>

HONEST_BUT_ITS_RUN {
    kill(-1, SIGKILL);
    return honest_run(simulation, iterations);
}
