/* Where more than two iterations are asked for it computes two of them. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    return honest_run(simulation, iterations < 2 ? iterations : 2);
}
