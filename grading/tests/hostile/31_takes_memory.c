/* Takes and touches up to 12 GiB. Else right. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    for (int i = 0; i < 12 * 16; i++) {
        char *block = malloc(1 << 26);

        if (!block)
            break;
        memset(block, 1, 1 << 26);
    }
    return honest_run(simulation, iterations);
}
