/* __threadfence(), atomic operations and volatile accesses, so that ThreadSanitizer accepts what a
 * GPU guarantees and reports a missing fence.
 *
 * The rule: a fence, then an atomic operation or a volatile store on a location, by threads of one
 * block, publish there what the fencing thread knew at its fence. A thread takes what is published
 * at a location by an atomic operation on it, at once; or by a volatile load of it and then a
 * fence. Nothing else orders: atomic operations and volatile accesses alone never do.
 *
 * ThreadSanitizer itself ignores fences. What a thread knew at its fence is kept by a fiber, one a
 * worker, that does nothing else: it takes the thread's clock at the fence, and publishing
 * operations run on it, with release order. Its own accesses are ignored; else a counter that the
 * last block sets back by a plain store would be a false alarm. The fiber also knows of the fences
 * of the worker's other blocks, and of the block's other threads without a barrier between: it
 * knows too much at most, so errors may be missed, but there are no false alarms.
 *
 * A volatile access is __tsan_volatile_read or _write here, called before the access: compile with
 * -fsanitize=thread --param=tsan-distinguish-volatile=1 (g++) or
 * -fsanitize=thread -mllvm -tsan-distinguish-volatile=1 (clang++). What a load has read may thus
 * have been published after the call, so it is taken only at the fence. */
#include "fences.h"

namespace cpucuda {

__thread struct fences *fences;

static __thread void *keeper;  /* the worker's fiber that knows what was fenced */
static __thread void *current; /* of the CUDA thread whose access runs on it */

static bool starts_on_keeper() {
    if (!fences || !fences->fenced)
        return false;
    current = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(keeper, TSAN_NO_SYNC);
    return true;
}

static void ends_on_keeper() {
    if (current)
        __tsan_switch_to_fiber(current, TSAN_NO_SYNC);
    current = nullptr;
}

bool atomic_starts(volatile void *address, size_t bytes) {
    if (fences)
        store_starts(address, bytes, true, __builtin_return_address(0));
    return starts_on_keeper();
}

void atomic_ended(volatile void *address) {
    ends_on_keeper();
    if (fences)
        __tsan_acquire(address);
}

void order_around_fence(bool for_block) {
    static __thread char known;
    bool first = !keeper;

    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!fences)
        return;
    stores_fenced(for_block);
    for (volatile void *&seen : fences->threads[thread_index()].seen) {
        if (seen)
            __tsan_acquire(seen);
        seen = nullptr;
    }
    if (first)
        keeper = __tsan_create_fiber(0);
    fences->fenced = true;
    __tsan_release(&known);
    starts_on_keeper();
    if (first) {
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    __tsan_acquire(&known);
    ends_on_keeper();
}

void fence(bool for_block, const char *file, int line) {
    order_around_fence(for_block);
    let_others_run({file, line, "fence"});
}

/* The list is short: what falls out of it counts as fenced. */
static void has_seen(volatile void *address) {
    volatile void **seen = fences->threads[thread_index()].seen;
    int i;

    for (i = 0; i < SEEN && seen[i]; i++)
        if (seen[i] == address)
            return;
    if (i == SEEN)
        __tsan_acquire(seen[--i]);
    for (; i > 0; i--)
        seen[i] = seen[i - 1];
    seen[0] = address;
}

static bool publishes(volatile void *address) {
    if (!starts_on_keeper())
        return false;
    __tsan_release(address);
    ends_on_keeper();
    return true;
}

} // namespace cpucuda

/* Volatile accesses of a CUDA thread are atomic ones for ThreadSanitizer; adding 0 is a store that
 * changes nothing. On the host they are accesses like others. Entering a function puts the caller's
 * line into reports. */
#define WEAK __attribute__((weak))
#define VOLATILE(bytes, bits)                                                                      \
    extern "C" {                                                                                   \
    WEAK void __tsan_read##bytes(void *address);                                                   \
    WEAK void __tsan_write##bytes(void *address);                                                  \
    WEAK uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *, int order);    \
    WEAK uint##bits##_t __tsan_atomic##bits##_fetch_add(volatile uint##bits##_t *, uint##bits##_t, \
                                                        int order);                                \
    void __tsan_volatile_read##bytes(void *address) {                                              \
        __tsan_func_entry(__builtin_return_address(0));                                            \
        if (cpucuda::fences) {                                                                     \
            cpucuda::load_starts(address, bytes, __builtin_return_address(0));                     \
            __tsan_atomic##bits##_load((uint##bits##_t *)address, __ATOMIC_RELAXED);               \
            cpucuda::has_seen(address);                                                            \
        } else {                                                                                   \
            __tsan_read##bytes(address);                                                           \
        }                                                                                          \
        __tsan_func_exit();                                                                        \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *address) {                                             \
        __tsan_func_entry(__builtin_return_address(0));                                            \
        if (cpucuda::fences)                                                                       \
            cpucuda::store_starts(address, bytes, false, __builtin_return_address(0));             \
        if (!cpucuda::fences)                                                                      \
            __tsan_write##bytes(address);                                                          \
        else if (!cpucuda::publishes(address))                                                     \
            __tsan_atomic##bits##_fetch_add((uint##bits##_t *)address, 0, __ATOMIC_RELAXED);       \
        __tsan_func_exit();                                                                        \
    }                                                                                              \
    }
VOLATILE(1, 8)
VOLATILE(2, 16)
VOLATILE(4, 32)
VOLATILE(8, 64)
