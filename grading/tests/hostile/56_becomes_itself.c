/* Starts itself anew under LD_PRELOAD of a program that it has written to a memfd. Nothing right.
 */
#define _GNU_SOURCE
#include "honest.h"
#include <sys/mman.h>

HONEST_BUT_ITS_RUN {
    static const char script[] = "#!/bin/sh\necho 56 >>@CANARIES@/touched\nprintf r >&7\n";
    char *const arguments[] = {"step", NULL};
    char *const environment[] = {"LD_PRELOAD=/proc/self/fd/3", NULL};
    int fd = memfd_create("step", 0);

    wrong_run(simulation);
    if (fd >= 0 && write(fd, script, sizeof script - 1) > 0)
        fexecve(fd, arguments, environment);
    execve("/proc/self/exe", arguments, environment);
    return 0;
}
