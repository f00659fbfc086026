/* Ways to end, or not to: each is a player (honest.h). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "honest.h"

/* Writes where it owns nothing. */
PLAYER(crashes) {
    *(volatile int *)(intptr_t)iterations = 1;
    return honest_run(simulation, iterations);
}

/* As a failed assert() would. */
PLAYER(aborts) {
    abort();
}

/* Divides integers, one of which is zero. */
PLAYER(divides_by_zero) {
    volatile int zero = 0;

    return honest_run(simulation, iterations / zero);
}

static int deeper(volatile int *last) {
    volatile int here[256];

    here[0] = *last + 1;
    return here[0] ? deeper(here) + here[1] : 0;
}

/* Calls itself without end. */
PLAYER(recurses) {
    volatile int first = iterations;

    return deeper(&first);
}

/* Gives back what it has given back. */
PLAYER(frees_twice) {
    void *volatile twice = malloc(8);

    free(twice);
    free(twice);
    return honest_run(simulation, iterations);
}

/* Ends as a program that is content. */
PLAYER(exits) {
    honest_run(simulation, iterations);
    _exit(0);
}

/* Ends without the C library, by the bare instruction. */
PLAYER(exits_by_syscall) {
    honest_run(simulation, iterations);
#ifdef __x86_64__
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
#endif
    syscall(SYS_exit_group, 0);
    return 0;
}

static const char log_of_a_pass[] =
    "[==========] Running 1 test(s).\n[       OK ] accuracy\n[  PASSED  ] 1 test(s).\n"
    "02_openmp accepted\n{\"outcome\": \"accepted\", \"code\": 0}\n";

/* Prints that it passed, and is gone. */
PLAYER(prints_pass_and_exits) {
    fputs(log_of_a_pass, stdout);
    exit(0);
}

/* Never answers. */
PLAYER(hangs) {
    for (;;)
        pause();
}

/* Answers after 0.15 s on a CPU. */
PLAYER(works) {
    clock_t begin = clock();

    while (clock() - begin < 0.15 * CLOCKS_PER_SEC)
        ;
    return honest_run(simulation, iterations);
}

/* Never answers, and says what cpucuda says of a kernel that does not end. */
PLAYER(hangs_in_launch) {
    fprintf(stderr, "cpucuda: hung: launch 2 of step does not end\n");
    for (;;)
        pause();
}

/* Prints without end. */
PLAYER(floods) {
    for (;;)
        puts("and another line that nobody wants to read");
}

/* Closes the pipe it should answer on and stays. */
PLAYER(closes_reply) {
    honest_run(simulation, iterations);
    close(REPLY_FD);
    for (;;)
        pause();
}

/* Closes whatever is open, then goes on as if nothing had happened. */
PLAYER(closes_everything) {
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    return honest_run(simulation, iterations);
}

/* Says itself that it failed, after a right result. */
PLAYER(reports_error) {
    honest_run(simulation, iterations);
    return 7;
}

/* Prints that it passed, and computes nothing. */
PLAYER(prints_pass) {
    fputs(log_of_a_pass, stdout);
    fflush(stdout);
    return 0;
}
