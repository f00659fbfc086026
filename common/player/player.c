/* The main() of every step: takes turns as the referee asks for them. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "no_shm.h"
#include "player.h"

/* Defined by AddressSanitizer's runtime, if it is linked in. */
void __asan_poison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));

/* Defined by cpucuda, if that is linked in; the turns also by timeline.cu. */
void cpucuda_hide(void *start, size_t bytes) __attribute__((weak));
void device_turn_begins(void) __attribute__((weak));
void device_turn_ends(int turn, int status, struct counters *counters) __attribute__((weak));

struct figures *figures;
static struct own_figures *own;

/* A buffer of the referee's, mapped whole. */
struct buffer {
    unsigned char *start;
    size_t bytes;
};

static struct buffer map(int fd) {
    struct stat status;
    struct buffer buffer = {0};

    if (fstat(fd, &status) == 0) {
        buffer.bytes = (size_t)status.st_size;
        buffer.start = mmap(NULL, buffer.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (!buffer.start || buffer.start == MAP_FAILED) {
        fprintf(stderr, "player: runs only below the referee (file descriptor %d is no buffer)\n",
                fd);
        exit(1);
    }
    return buffer;
}

/* Lets AddressSanitizer report accesses behind the elements of this run. */
static void fence(struct buffer buffer, size_t header, uint64_t used) {
    if (__asan_poison_memory_region && header + used <= buffer.bytes) {
        __asan_unpoison_memory_region(buffer.start, buffer.bytes);
        __asan_poison_memory_region(buffer.start + header + used, buffer.bytes - header - used);
    }
}

/* Tells the referee which system call its filter refused, then dies of it. */
static void on_refused_call(int signal_number, siginfo_t *information, void *context) {
    (void)context;
    own->refused_call = information->si_syscall;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

int main(void) {
    struct buffer input = map(INPUT_FD), output = map(OUTPUT_FD);
    const struct turn *turn = (const struct turn *)input.start;
    struct sigaction action = {.sa_sigaction = on_refused_call, .sa_flags = SA_SIGINFO};
    char command;

    own = (struct own_figures *)map(FIGURES_FD).start;
    figures = &own->figures;
    sigaction(SIGSYS, &action, NULL);
    if (cpucuda_hide) { /* from kernels: they are memory of the host */
        cpucuda_hide(input.start, input.bytes);
        cpucuda_hide(output.start, output.bytes);
    }

    while (read(COMMAND_FD, &command, 1) == 1) {
        int status = 0;

        if (device_turn_begins)
            device_turn_begins();
        if (command == TURN_CREATE) {
            fence(input, HEADER_BYTES, turn->input_bytes);
            fence(output, 0, turn->output_bytes);
            status = step_create(turn->parameters, input.start + HEADER_BYTES, output.start);
        } else if (command == TURN_RUN) {
            status = step_run(turn->iterations);
        } else {
            step_destroy();
        }
        if (device_turn_ends)
            device_turn_ends(command, status, &own->counters);
        own->status = status;
        if (write(REPLY_FD, &command, 1) != 1)
            return 1;
    }
    return 0;
}
