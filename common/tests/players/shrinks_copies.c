/* Tries to resize the buffers by descriptors that the filter does not know. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    for (int fd = INPUT_FD; fd <= FIGURES_FD; fd++) {
        int copy = dup(fd);
        char path[32];

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (ftruncate(copy, 0) == 0 || ftruncate(copy, 1 << 26) == 0 || truncate(path, 0) == 0)
            return 9;
        close(copy);
    }
    return honest_run(simulation, iterations);
}
