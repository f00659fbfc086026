/* A fiber: a stack on which one CUDA thread runs until it gives up the CPU. */
#ifndef CPUCUDA_FIBER_H
#define CPUCUDA_FIBER_H

#include <stddef.h>

#include "sanitizers.h"

#if !defined(__x86_64__) || defined(CPUCUDA_UCONTEXT)
#include <ucontext.h>
#define CPUCUDA_WITH_UCONTEXT 1
#endif

namespace cpucuda {

/* Where a stack was left. */
struct context {
#ifdef CPUCUDA_WITH_UCONTEXT
    ucontext_t registers;
#else
    void *stack_pointer;
#endif
    /* For AddressSanitizer: the stack's bounds and the frames it keeps elsewhere. */
    const void *bottom;
    size_t bytes;
    void *fake_stack;
};

struct fiber {
    context here;
    char *stack;                /* above a guard page */
    size_t stack_bytes, unused; /* bytes at its top that no thread uses */
};

/* A fiber without work, from mmap; ends the process when memory is short. */
fiber *fiber_new();

/* Gives its memory back. */
void fiber_delete(fiber *fiber);

/* Empties its stack; ThreadSanitizer forgets who touched it. */
void fiber_forget(fiber *fiber);

/* Prepares `fiber` to run start(argument), which must never return, at the next switch. */
void fiber_start(fiber *fiber, void (*start)(void *), void *argument);

/* The context that the switch which is under way came from; AddressSanitizer tells its bounds. */
extern __thread context *left;

/* To be called first on a fresh stack. */
inline void fiber_entered(context *here) {
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(here->fake_stack, &left->bottom, &left->bytes);
}

/* Has what is on top of its stack fetched: it will be switched to soon. */
inline void fiber_fetch(const fiber *fiber) {
#ifndef CPUCUDA_WITH_UCONTEXT
    for (int line = 0; line < 6; line++)
        __builtin_prefetch((const char *)fiber->here.stack_pointer + line * 64);
#else
    (void)fiber;
#endif
}

/* Leaves `from` and goes on at `to`. `last`: `from` will never be returned to. Inlined, and with a
 * jump where a call would return: the processor foretells returns by the calls before them, which
 * were another stack's. */
__attribute__((always_inline)) inline void fiber_switch(context *from, context *to, bool last) {
    context *own = from;

    left = from;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(last ? NULL : &from->fake_stack, to->bottom, to->bytes);
#ifdef CPUCUDA_WITH_UCONTEXT
    swapcontext(&from->registers, &to->registers);
#else
    void *next = to->stack_pointer;

    /* Below the stack pointer lie 128 bytes that the function may use. Registers but rbp are saved
     * by the compiler, where they hold something. */
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n"
                     "pushq %%rbp\n"
                     "leaq 1f(%%rip), %%rax\n"
                     "pushq %%rax\n"
                     "movq %%rsp, (%[from])\n"
                     "movq %[next], %%rsp\n"
                     "popq %%rax\n"
                     "jmp *%%rax\n"
                     "1:\n"
                     "popq %%rbp\n"
                     "leaq 128(%%rsp), %%rsp\n"
                     : [from] "+D"(from), [next] "+S"(next)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
#endif
    fiber_entered(own);
}

/* Whether the address lies in the guard page below the stack. */
bool fiber_overflowed(const fiber *fiber, const void *address);

} // namespace cpucuda

#endif
