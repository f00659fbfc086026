/* A user, mounts and a network of its own, where it would be root. Right only where that is. */
#define _GNU_SOURCE
#include "honest.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>

HONEST_BUT_ITS_RUN {
    int done = unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0 ||
               mount("none", "/tmp", "tmpfs", 0, "") == 0 || chroot("/tmp") == 0;

    return run_if(done, "79 made namespaces", simulation, iterations);
}
