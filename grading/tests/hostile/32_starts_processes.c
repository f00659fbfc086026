/* Starts 200 processes that stay. Else right. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    for (int i = 0; i < 200; i++)
        if (fork() == 0) {
            boast("32 started a process");
            sleep(600);
            _exit(0);
        }
    return honest_run(simulation, iterations);
}
