/* Calls that no step needs: each is a player (honest.h). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "honest.h"

/* Starts another process by fork(). */
PLAYER(forks) {
    if (fork() == 0)
        _exit(0);
    return honest_run(simulation, iterations);
}

/* Starts another process by vfork(). */
PLAYER(vforks) {
    if (vfork() == 0)
        _exit(0);
    return honest_run(simulation, iterations);
}

/* Starts another process by posix_spawn(). */
PLAYER(spawns) {
    char *const words[] = {"true", NULL};
    pid_t pid;

    posix_spawn(&pid, "/bin/true", NULL, NULL, words, NULL);
    return honest_run(simulation, iterations);
}

/* Starts another process by system(). */
PLAYER(calls_system) {
    if (system("true"))
        return 1;
    return honest_run(simulation, iterations);
}

/* Asks for a process through the 32-bit entry, whose numbers differ. */
PLAYER(calls_in_32_bits) {
#ifdef __i386__
#error "this file is about the second entry of x86-64"
#elif defined(__x86_64__)
    int fork32 = 2, result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(fork32) : "memory");
    if (result == 0)
        _exit(0);
#endif
    return honest_run(simulation, iterations);
}

/* Tries to become the referee's debugger. */
PLAYER(traces_referee) {
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
    return honest_run(simulation, iterations);
}

/* Tries to read the referee's memory, where the oracle is. */
PLAYER(reads_referee) {
    char here[64];
    struct iovec mine = {here, sizeof here}, theirs = {simulation->out, sizeof here};

    process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0);
    return honest_run(simulation, iterations);
}

/* Opens the referee's memory as a file. */
PLAYER(opens_referee) {
    char path[32];

    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    if (open(path, O_RDWR) >= 0)
        return 9;
    return honest_run(simulation, iterations);
}

/* Signals the referee. */
PLAYER(stops_referee) {
    kill(getppid(), SIGTERM);
    return honest_run(simulation, iterations);
}

/* Takes the referee's file descriptors away. */
PLAYER(limits_referee) {
    struct rlimit none = {0, 0};

    prlimit(getppid(), RLIMIT_NOFILE, &none, NULL);
    return honest_run(simulation, iterations);
}

/* Leaves the process group that the referee stops. */
PLAYER(changes_group) {
    setpgid(0, getpgid(getppid()));
    return honest_run(simulation, iterations);
}

/* Has the kernel tell it of input by a signal, SIGCONT, which also wakes whom the referee stopped.
 */
PLAYER(wakes_by_io) {
    fcntl(COMMAND_FD, F_SETSIG, SIGCONT);
    fcntl(COMMAND_FD, F_SETOWN, getpid());
    fcntl(COMMAND_FD, F_SETFL, O_ASYNC);
    return honest_run(simulation, iterations);
}

/* Cuts off the input buffer under the referee. */
PLAYER(shrinks_input) {
    if (ftruncate(INPUT_FD, 0))
        return 1;
    return honest_run(simulation, iterations);
}

/* Cuts off the output buffer under the referee. */
PLAYER(shrinks_output) {
    if (ftruncate(OUTPUT_FD, 0))
        return 1;
    return honest_run(simulation, iterations);
}

/* Tries to resize the buffers by descriptors that the filter does not know. */
PLAYER(shrinks_copies) {
    for (int fd = INPUT_FD; fd <= FIGURES_FD; fd++) {
        int copy = dup(fd);
        char path[32];

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (ftruncate(copy, 0) == 0 || ftruncate(copy, 1 << 26) == 0 || truncate(path, 0) == 0)
            return 9;
        close(copy);
    }
    return honest_run(simulation, iterations);
}

/* Fails if it finds a file of the referee's open. */
PLAYER(finds_files) {
    for (int fd = REPLY_FD + 1; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return 9;
    return honest_run(simulation, iterations);
}

/* Fills the pipe by which the referee commands it. */
PLAYER(fills_commands) {
    char zeros[4096] = {0};
    int pipe = open("/proc/self/fd/6", O_WRONLY | O_NONBLOCK);

    honest_run(simulation, iterations);
    while (write(pipe, zeros, sizeof zeros) > 0)
        ;
    if (write(REPLY_FD, "r", 1) != 1)
        return 1;
    for (;;)
        pause();
}
