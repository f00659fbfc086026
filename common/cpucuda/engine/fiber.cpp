#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "internal.h"
#include "sanitizers.h"

namespace cpucuda {

__thread context *left;

#ifndef CPUCUDA_WITH_UCONTEXT
/* Where a new stack starts: with start and its argument on top. */
extern "C" void cpucuda_begin();
__asm__(".text\n"
        ".globl cpucuda_begin\n"
        ".type cpucuda_begin, @function\n"
        "cpucuda_begin:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined rip\n" /* stack traces end here */
        "    popq %rax\n"
        "    popq %rdi\n"
        "    call *%rax\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size cpucuda_begin, .-cpucuda_begin\n");
#endif

/* Each guard page costs two mappings, and the system allows a process 65530. The stacks beyond, of
 * a kernel with more threads that wait at once, lie side by side and are one mapping. */
static const unsigned most_guarded = 16384;
static unsigned stacks;

fiber *fiber_new() {
    fiber *fiber = new struct fiber();
    unsigned number = __atomic_fetch_add(&stacks, 1, __ATOMIC_RELAXED);
    bool guard = number < most_guarded;
    long page = sysconf(_SC_PAGESIZE);

    /* What a switch touches lies at a stack's top. If all tops had the same place in their pages,
     * they would drive each other out of the same few lines of the cache. */
    fiber->unused = number % 32 * 128;
    /* AddressSanitizer puts red zones around each local array. */
    fiber->stack_bytes = STACK_KIB * 1024 * (have_asan() || have_tsan() ? 4 : 1) + page;
    char *memory = (char *)mmap(NULL, fiber->stack_bytes + page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || (guard && mprotect(memory, page, PROT_NONE))) {
        perror("cpucuda: no memory for a thread's stack");
        exit(1);
    }
    fiber->stack = memory + page;
    fiber->here.bottom = fiber->stack;
    fiber->here.bytes = fiber->stack_bytes;
    return fiber;
}

void fiber_delete(fiber *fiber) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    munmap(fiber->stack - page, fiber->stack_bytes + page);
    delete fiber;
    __atomic_fetch_sub(&stacks, 1, __ATOMIC_RELAXED);
}

/* For a whole stack ThreadSanitizer would map its own memory anew, which takes longer than all else
 * in a short thread's life. Pages that nobody touched, which is nearly all of them, have nothing to
 * forget. */
void fiber_forget(fiber *fiber) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = fiber->stack_bytes / page, untouched = 0;
    std::vector<unsigned char> touched(pages, 1);

    mincore(fiber->stack, fiber->stack_bytes, touched.data());
    while (untouched < pages && !(touched[untouched] & 1))
        untouched++;
    char *start = fiber->stack + untouched * page;
    size_t bytes = (pages - untouched) * page;
    if (bytes && mmap(start, bytes, PROT_READ | PROT_WRITE,
                      MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != start) {
        perror("cpucuda: no memory for a thread's stack");
        exit(1);
    }
}

bool fiber_overflowed(const fiber *fiber, const void *address) {
    const char *at = (const char *)address;
    return at < fiber->stack && at >= fiber->stack - sysconf(_SC_PAGESIZE);
}

#ifdef CPUCUDA_WITH_UCONTEXT
static void begin(unsigned start_high, unsigned start_low, unsigned high, unsigned low) {
    auto start = (void (*)(void *))((uintptr_t)start_high << 32 | start_low);
    start((void *)((uintptr_t)high << 32 | low));
}
#endif

void fiber_start(fiber *fiber, void (*start)(void *), void *argument) {
#ifdef CPUCUDA_WITH_UCONTEXT
    ucontext_t *registers = &fiber->here.registers;
    uintptr_t function = (uintptr_t)start, value = (uintptr_t)argument;
    getcontext(registers);
    registers->uc_stack.ss_sp = fiber->stack;
    registers->uc_stack.ss_size = fiber->stack_bytes - fiber->unused;
    registers->uc_link = NULL;
    makecontext(registers, (void (*)())begin, 4, (unsigned)(function >> 32), (unsigned)function,
                (unsigned)(value >> 32), (unsigned)value);
#else
    /* At a call the stack is aligned to 16. */
    void **top = (void **)(fiber->stack + fiber->stack_bytes - fiber->unused) - 2;
    *--top = argument;
    *--top = (void *)start;
    *--top = (void *)cpucuda_begin;
    fiber->here.stack_pointer = top;
#endif
    fiber->here.fake_stack = NULL;
}

} // namespace cpucuda
