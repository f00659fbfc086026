/* Honest, and leaves a byte in a file each time it runs. */
#include <fcntl.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    int file = open("build/tests/company", O_WRONLY | O_CREAT | O_APPEND, 0666);
    ssize_t written = write(file, "", 1);

    close(file);
    return written == 1 ? honest_run(simulation, iterations) : 1;
}
