#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/base/filter.h"
#include "player_child.h"
#include "protocol/player.h"
#include "referee/base/wrapper.h"
#include "referee/machine/machine.h"

static void set_environment(const struct player_options *options) {
    char threads[16], workers[16], seed[24];

    snprintf(threads, sizeof threads, "%d", options->threads ? options->threads : usable_cpus());
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OMP_DYNAMIC", "false", 1);
    if (options->passive)
        setenv("OMP_WAIT_POLICY", "passive", 1);
    else
        unsetenv("OMP_WAIT_POLICY");
    if (options->workers) {
        snprintf(workers, sizeof workers, "%d", options->workers);
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
        setenv("CPUCUDA_WORKERS", workers, 1);
        setenv("CPUCUDA_SEED", seed, 1);
    }
    setenv("ASAN_OPTIONS", "halt_on_error=1:detect_leaks=0:handle_abort=1:handle_sigill=1", 1);
    setenv("UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1", 1);
    setenv("ARCHER_OPTIONS", "verbose=1", 1); /* it says whether it is there */
    setenv("TSAN_OPTIONS",
           "halt_on_error=1:ignore_noninstrumented_modules=1:handle_abort=1:handle_sigill=1", 1);
}

void player_child(const struct player_options *options, const int fds[6], pid_t referee) {
    char *const arguments[] = {(char *)options->path, NULL};
    int high[6], i, null = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != referee)
        _exit(1);
    set_environment(options);
    for (i = 0; i < 6; i++) /* out of the way of the numbers they shall get */
        high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 64);
    for (i = 0; i < 5; i++)
        dup2(high[i], INPUT_FD + i);
    dup2(null, 0);
    dup2(high[5], 1);
    dup2(high[5], 2);
    signal(SIGPIPE, SIG_DFL);
    if (options->sanitized)
        personality(ADDR_NO_RANDOMIZE); /* ThreadSanitizer's shadow wants known addresses */
    else if ((options->trusted || !wrapper_in_use()) &&
             filter_install()) { /* a sandbox has its own */
        dprintf(2, "player: this kernel has no seccomp filter\n");
        _exit(1);
    }
    syscall(SYS_close_range, REPLY_FD + 1, ~0u, CLOSE_RANGE_CLOEXEC); /* Linux 5.11 */
    if (options->trusted)
        execv(options->path, arguments);
    else
        wrapper_exec_on(options->sanitized ? "sanitized" : "run", options->path, arguments);
    dprintf(2, "player: %s: %s\n", options->path, strerror(errno));
    _exit(127);
}
