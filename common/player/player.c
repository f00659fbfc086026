/* The main() of every step: takes turns as the referee asks for them. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "protocol/no_shm.h"
#include "protocol/player.h"

/* Defined by AddressSanitizer's runtime, if it is linked in. */
void __asan_poison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *start, size_t bytes) __attribute__((weak));

/* Defined by every sanitizer's runtime: it tells of signals itself. */
void __sanitizer_print_stack_trace(void) __attribute__((weak));

/* The program's code, by the linker. */
extern const char __executable_start[], etext[];

/* Defined by cpucuda, if that is linked in; the turns also by timeline.cu. */
void cpucuda_hide(void *start, size_t bytes, int is_const) __attribute__((weak));
void device_turn_begins(void) __attribute__((weak));
void device_turn_ends(int turn, int status, struct counters *counters) __attribute__((weak));

struct figures *figures;
static struct own_figures *own;

/* Defined where CUDA's own runtime is linked in, and by cpucuda. Its driver writes to the pages of
 * memory that it is to lock, if only to see that it can. */
int cudaHostRegister(void *, size_t, unsigned) __attribute__((weak));

/* A buffer of the referee's, mapped whole. */
struct buffer {
    unsigned char *start;
    size_t bytes;
};

static struct buffer map(int fd, int protection) {
    struct stat status;
    struct buffer buffer = {0};

    if (fstat(fd, &status) == 0) {
        buffer.bytes = (size_t)status.st_size;
        buffer.start = mmap(NULL, buffer.bytes, protection, MAP_SHARED, fd, 0);
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

static struct buffer input;

struct ends {
    int count, begun;
};

/* A frame of the stack. Those of the handler, up to the first one of the system, are left out. */
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *frame, void *to) {
    struct ends *ends = to;
    int is_interrupted = 0;
    uintptr_t start = (uintptr_t)__executable_start;
    uintptr_t at = _Unwind_GetIPInfo(frame, &is_interrupted);
    int is_ours = at >= start && at < (uintptr_t)etext;

    at -= !is_interrupted; /* else it is behind a call */
    ends->begun |= is_interrupted || !is_ours;
    if (ends->begun && is_ours)
        own->ended_at[ends->count++] = at - start;
    return ends->count < ENDS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Tells the referee where the program is. */
static void note_end(void) {
    struct ends ends = {0};

    memset(own->ended_at, 0, sizeof own->ended_at);
    _Unwind_Backtrace(note_frame, &ends);
}

/* Tells a write to the input, as cpucuda tells what it finds. */
static void tell_write_to_input(int number, const unsigned char *address) {
    const unsigned char *in;

    if (number != SIGSEGV || !input.start || address < input.start ||
        address >= input.start + input.bytes)
        return;
    in = input.start + HEADER_BYTES;
    fprintf(stderr,
            "\ncpucuda: memory: host code at {+0x%lx} wrote to the input, %ld bytes from the "
            "beginning of `in`; a step only reads it, and computes in memory of its own\n",
            (unsigned long)own->ended_at[0], (long)(address - in));
    _exit(67);
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}

/* Tells the referee where that was, and which system call its filter refused, then dies of it. */
static void on_signal(int number, siginfo_t *information, void *context) {
    enum { NEAR = 1 << 16 }; /* bytes: a frame's local variables */
    uintptr_t top = stack_pointer(context), address = (uintptr_t)information->si_addr;

    if (number == SIGSYS)
        own->refused_call = information->si_syscall;
    own->stack_is_full = number == SIGSEGV && address + NEAR > top && address < top + NEAR;
    note_end();
    tell_write_to_input(number, information->si_addr);
    signal(number, SIG_DFL);
    raise(number);
}

/* Before the step's constructors, which may do what is to be told. */
static void watch(void) {
    static const int signals[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
    static char stack_bytes[1 << 16];
    stack_t stack = {.ss_sp = stack_bytes, .ss_size = sizeof stack_bytes};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    size_t i;

    if (__sanitizer_print_stack_trace)
        return;
    own = (struct own_figures *)map(FIGURES_FD, PROT_READ | PROT_WRITE).start;
    sigaltstack(&stack, NULL);
    for (i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*watches)(void) = watch;

int main(void) {
    const int is_const = cpucuda_hide || !cudaHostRegister;
    const struct buffer output = map(OUTPUT_FD, PROT_READ | PROT_WRITE);
    const struct turn *turn;
    char command;

    input = map(INPUT_FD, PROT_READ | (is_const ? 0 : PROT_WRITE));
    turn = (const struct turn *)input.start;

    if (own) /* in watch() it would be called where the stack is cut off */
        atexit(note_end);
    else
        own = (struct own_figures *)map(FIGURES_FD, PROT_READ | PROT_WRITE).start;
    figures = &own->figures;
    if (cpucuda_hide) { /* from kernels: they are memory of the host */
        cpucuda_hide(input.start, input.bytes, is_const);
        cpucuda_hide(output.start, output.bytes, 0);
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
