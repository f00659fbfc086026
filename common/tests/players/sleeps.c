/* Takes more than a second, and counts its runs in the file `sleeps`, a byte each. */
#include <fcntl.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    int file = open("sleeps", O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (file < 0 || write(file, "z", 1) != 1)
        return 1;
    close(file);
    usleep(1100000);
    return honest_run(simulation, iterations);
}
