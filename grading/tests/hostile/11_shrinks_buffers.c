/* ftruncate of the shared buffers: unsealed, that would end the referee by SIGBUS. Else right. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    honest_run(simulation, iterations);
    for (int fd = 3; fd <= 5; fd++)
        if (ftruncate(fd, 0) == 0)
            boast("11 shrank a buffer");
    return 0;
}
HONEST_DESTROY
