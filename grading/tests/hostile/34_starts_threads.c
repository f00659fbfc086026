/* Starts up to 2000 threads that sleep. */
#include "honest.h"
#include <pthread.h>

static void *rest(void *nothing) {
    sleep(600);
    return nothing;
}

HONEST_BUT_ITS_RUN {
    pthread_attr_t small;
    pthread_t thread;
    int started = 0;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (started < 2000 && pthread_create(&thread, &small, rest, NULL) == 0)
        started++;
    return run_if(started == 2000, "34 started 2000 threads", simulation, iterations);
}
