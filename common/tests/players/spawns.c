/* Starts another process by posix_spawn(). */
#include <spawn.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    char *const words[] = {"true", NULL};
    pid_t pid;

    posix_spawn(&pid, "/bin/true", NULL, NULL, words, NULL);
    return honest_run(simulation, iterations);
}
