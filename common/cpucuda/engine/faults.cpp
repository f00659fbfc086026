/* Accesses that the system refuses, told in words. A fault is the last thing a program does, so its
 * handler may do what handlers otherwise may not. */
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "host.h"

namespace cpucuda {

enum { FAULT_STACK = 128 * 1024 }; /* bytes */

static struct sigaction before[NSIG];
static uintptr_t load_base, program_end;

static uintptr_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "where a fault's context holds the program counter is known of x86-64 and aarch64 only"
#endif
}

static const char *read_or_wrote(const ucontext_t *context) {
#if defined(__x86_64__)
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? "wrote" : "read";
#else
    (void)context;
    return "used";
#endif
}

static bool in_program(uintptr_t address) {
    return address >= load_base && address < program_end;
}

unsigned long program_offset(const void *caller) {
    return (uintptr_t)caller - 1 - load_base;
}

/* Of a sanitizer's runtime that is linked into the program: memcpy and its kin, and checks. Its
 * functions are known by name; the program's own are not. */
static bool of_runtime(uintptr_t address) {
    Dl_info found;

    return dladdr((void *)address, &found) && found.dli_sname &&
           (!strncmp(found.dli_sname, "__", 2) || !strncmp(found.dli_sname, "mem", 3) ||
            !strncmp(found.dli_sname, "str", 3));
}

/* Where in the program it happened, as an offset: the access itself, or the call of the library
 * that made it. */
static unsigned long place_of_fault(const ucontext_t *context) {
    uintptr_t at = program_counter(context);
    void *frames[32];
    int count, i;

    if (in_program(at) && !of_runtime(at))
        return at - load_base;
    count = backtrace(frames, 32);
    for (i = 0; i < count && (uintptr_t)frames[i] != at; i++)
        ;
    for (i++; i < count; i++)
        if (in_program((uintptr_t)frames[i]) && !of_runtime((uintptr_t)frames[i]))
            return (uintptr_t)frames[i] - 1 - load_base; /* the call is in front of the return */
    return at - load_base;
}

void list_calls(char *text) {
    void *frames[CALLS + 1];
    int count = backtrace(frames, CALLS + 1), length = 0, i;

    for (i = 1; i < count; i++) /* behind this function's own */
        if (in_program((uintptr_t)frames[i]))
            length +=
                sprintf(text + length, "%s0x%lx", length ? "," : "{^", program_offset(frames[i]));
    strcpy(text + length, length ? "}" : "");
}

bool describe_address(const void *address, char *text, size_t size) {
    const allocation *found = find_allocation(address);
    const char *at = (const char *)address;
    char distance[64];

    if (!found)
        return false;
    if (at < found->start)
        snprintf(distance, sizeof distance, "%zu bytes in front of", (size_t)(found->start - at));
    else if (at == found->start + found->bytes)
        snprintf(distance, sizeof distance, "directly behind");
    else if (at > found->start + found->bytes)
        snprintf(distance, sizeof distance, "%zu bytes behind",
                 (size_t)(at - found->start - found->bytes));
    else
        snprintf(distance, sizeof distance, "byte %zu of", (size_t)(at - found->start));
    snprintf(text, size, "%s the %zu bytes that %s in %s:%d made", distance, found->bytes,
             found->where.name, found->where.file, found->where.line);
    return true;
}

const char *likely_cause(const char *described) {
    return strstr(described, "behind the ")
               ? "; does a thread without an element return, or is an index too large?"
               : "";
}

/* Behind the dynamic shared memory there is a guard page; static variables have none. */
static bool describe_shared(const void *address, char *text, size_t size) {
    shared_place found;

    if (!find_shared(address, &found) || !found.dynamic || found.offset < found.bytes)
        return false;
    snprintf(text, size, "%zu bytes behind the %zu bytes of dynamic shared memory `%s` (%s:%d)",
             found.offset - found.bytes, found.bytes, found.where.name, found.where.file,
             found.where.line);
    return true;
}

static void tell_kernel(const void *address, const ucontext_t *context) {
    const mapping *found = find_mapping(address);
    unsigned long at = place_of_fault(context);
    char who[192], where[256];

    describe_thread(who, sizeof who);
    if (is_hidden(address))
        fail("host-pointer",
             "%s at {+0x%lx}: a kernel used host memory (`in` or `out`); copy it with cudaMemcpy "
             "and pass the device's pointer",
             who, at);
    if (is_stack_overflow(address))
        fail("memory",
             "%s at {+0x%lx} needs more than its %d KiB of local memory: a large local array, or "
             "recursion without end",
             who, at, STACK_KIB);
    if (describe_shared(address, where, sizeof where))
        fail("memory", "%s at {+0x%lx} %s memory, %s", who, at, read_or_wrote(context), where);
    describe_address(address, where, sizeof where);
    if (found && found->freed)
        fail("memory", "%s at {+0x%lx} %s memory, %s, after %s in %s:%d", who, at,
             read_or_wrote(context), where, found->freed_where.name, found->freed_where.file,
             found->freed_where.line);
    if (found && !found->there)
        fail("order",
             "%s at {+0x%lx} %s memory, %s, before the stream of that call has come to it; "
             "cudaStreamWaitEvent makes one stream wait for another",
             who, at, read_or_wrote(context), where);
    if (found && found->kind == DEVICE && running_operation() &&
        device_of(running_operation()->stream) != found->device)
        fail("memory",
             "%s on device %d at {+0x%lx} %s memory of device %d, %s; copy it there with "
             "cudaMemcpyPeerAsync",
             who, device_of(running_operation()->stream), at, read_or_wrote(context), found->device,
             where);
    if (found)
        fail("memory", "%s at {+0x%lx} %s memory, %s%s", who, at, read_or_wrote(context), where,
             likely_cause(where));
    fail("memory",
         "%s at {+0x%lx} %s memory that nobody has allocated: an index is far off, or a "
         "pointer was never set",
         who, at, read_or_wrote(context));
}

/* free() looks for its notes directly in front of the memory. */
static bool is_like_free(const allocation &memory, const void *address) {
    return (const char *)address < memory.start && (const char *)address >= memory.start - 16;
}

static void tell_host(const void *address, const ucontext_t *context) {
    const mapping *found = find_mapping(address);
    const place *pending = pending_on(address);
    unsigned long at = place_of_fault(context);
    const char *how = read_or_wrote(context);
    char where[256];

    if (pending)
        fail("order",
             "host code at {+0x%lx} %s memory while %s of %s:%d was still pending; synchronise "
             "first: cudaStreamSynchronize(its stream)",
             at, how, pending->name, pending->file, pending->line);
    if (!found)
        return;
    describe_address(address, where, sizeof where);
    if (found->kind == MANAGED && !found->freed && pending_user_of_managed() &&
        (const char *)address >= found->start &&
        (const char *)address < found->start + found->bytes) {
        const operation *user = pending_user_of_managed();

        fail("order",
             "host code at {+0x%lx} %s managed memory, %s, while %s%s (%s:%d) was still pending; "
             "call cudaDeviceSynchronize() first",
             at, how, where, user->kind == operation::KERNEL ? "kernel " : "", user->where.name,
             user->where.file, user->where.line);
    }
    if (found->kind == DEVICE)
        fail("device-pointer", "host code at {+0x%lx} %s device memory, %s; %s", at, how, where,
             is_like_free(*found, address)
                 ? "if this is free(), use cudaFree; only kernels and copies can use the memory"
                 : "only kernels and copies can: use cudaMemcpy");
    if (found->freed)
        fail("memory", "host code at {+0x%lx} %s memory, %s, after %s in %s:%d", at, how, where,
             found->freed_where.name, found->freed_where.file, found->freed_where.line);
    fail("memory", "host code at {+0x%lx} %s memory, %s", at, how, where);
}

/* Ends the process if the fault is one of ours, else leaves it to whom it belonged before. */
static void on_fault(int number, siginfo_t *information, void *context) {
    const struct sigaction *previous = &before[number];

    if (on_device())
        tell_kernel(information->si_addr, (const ucontext_t *)context);
    else
        tell_host(information->si_addr, (const ucontext_t *)context);
    if (previous->sa_flags & SA_SIGINFO)
        previous->sa_sigaction(number, information, context);
    else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN)
        previous->sa_handler(number);
    else
        signal(number, SIG_DFL); /* the access is repeated and ends the process */
}

void prepare_fault_stack() {
    stack_t stack = {};

    if (!sigaltstack(nullptr, &stack) && !(stack.ss_flags & SS_DISABLE))
        return; /* a sanitizer made one */
    stack.ss_sp = malloc(FAULT_STACK);
    stack.ss_size = FAULT_STACK;
    stack.ss_flags = 0;
    if (stack.ss_sp)
        sigaltstack(&stack, nullptr);
}

/* The first object that is listed is the program. */
static int note_program(struct dl_phdr_info *object, size_t, void *) {
    int i;

    load_base = object->dlpi_addr;
    for (i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t end = load_base + object->dlpi_phdr[i].p_vaddr + object->dlpi_phdr[i].p_memsz;

        if (object->dlpi_phdr[i].p_type == PT_LOAD && end > program_end)
            program_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void watch_faults() {
    struct sigaction action = {};
    void *frame;

    dl_iterate_phdr(note_program, nullptr);
    backtrace(&frame, 1); /* loads its library now and not in the handler */
    prepare_fault_stack();
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before[SIGSEGV]);
    sigaction(SIGBUS, &action, &before[SIGBUS]);
}

} // namespace cpucuda
