/* Answers first; a thread writes the output when the clock should have stopped. */
#include "honest.h"
#include <pthread.h>

static int wanted;

static void *finish(void *simulation) {
    usleep(300000);
    honest_run(simulation, wanted);
    return NULL;
}

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    pthread_t thread;

    wanted = iterations;
    if (write(7, "r", 1) != 1 || pthread_create(&thread, NULL, finish, simulation))
        return 1;
    return pthread_join(thread, NULL);
}
HONEST_DESTROY
