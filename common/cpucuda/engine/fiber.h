/* A fiber: a stack on which one CUDA thread runs until it gives up the CPU. */
#ifndef CPUCUDA_FIBER_H
#define CPUCUDA_FIBER_H

#include <stddef.h>

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

/* Leaves `from` and goes on at `to`. `last`: `from` will never be returned to. */
void fiber_switch(context *from, context *to, bool last);

/* To be called first on a fresh stack. */
void fiber_entered(context *here);

/* Whether the address lies in the guard page below the stack. */
bool fiber_overflowed(const fiber *fiber, const void *address);

} // namespace cpucuda

#endif
