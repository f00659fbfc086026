/* posix_spawn of a shell, from a thread that blocks all signals. Else right. */
#include "honest.h"
#include <pthread.h>
#include <signal.h>
#include <spawn.h>

static void *start(void *nothing) {
    char *const arguments[] = {"sh", "-c", "echo 33 >>@CANARIES@/touched; sleep 600", NULL};
    sigset_t all;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, NULL);
    return nothing;
}

HONEST_BUT_ITS_RUN {
    pthread_t thread;

    if (pthread_create(&thread, NULL, start, NULL) == 0)
        pthread_join(thread, NULL);
    return honest_run(simulation, iterations);
}
