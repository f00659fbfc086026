#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sandbox.h"

static void join(const char *folder) {
    char path[4200];
    int fd;

    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1)
        no_sandbox("SANDBOX_CGROUP: %s: %s; a folder below /sys/fs/cgroup is needed that may be "
                   "written",
                   path, strerror(errno));
    close(fd);
}

void limits_join(const char *folders) {
    char *copy = strdup(folders), *rest = copy, *folder;

    while ((folder = strsep(&rest, ":")))
        join(folder);
    free(copy);
}

static void limit(int resource, rlim_t most) {
    struct rlimit both = {most, most}, now;

    /* Lowered alone: a limit that is lower already stays. */
    if (getrlimit(resource, &now) == 0 && now.rlim_max < most)
        both.rlim_cur = both.rlim_max = now.rlim_max;
    if (setrlimit(resource, &both))
        no_sandbox("a limit could not be set: %s", strerror(errno));
}

/* Never the address space: sanitizers and CUDA reserve far more than they use. Memory is a cgroup's
 * business, time the referee's. */
void limits_set(const struct sandbox *sandbox) {
    int build = sandbox->purpose == PURPOSE_BUILD;

    limit(RLIMIT_FSIZE, 256 << 20); /* of a memfd, too: OpenMP and CUDA make some */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 1024);
    limit(RLIMIT_MSGQUEUE, 0);
    if (build) {
        limit(RLIMIT_CPU, 120); /* of each process */
        alarm(300);             /* of all of it: make ends, and so does what it started */
    }
    /* Counted by user, threads too: make starts a compiler a core, OpenMP a thread. */
    if (sandbox->user)
        limit(RLIMIT_NPROC, 128 + 8 * (rlim_t)sysconf(_SC_NPROCESSORS_ONLN));
}
