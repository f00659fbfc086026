/* What gcc 12 and clang 14 call under -fsanitize=thread, without the sanitizer's runtime. Their
 * names and parameters are the compilers' (for clang: llvm/lib/Transforms/Instrumentation). CUDA
 * has no atomics of 16 bytes here, so there are none.
 *
 * memcpy, memmove and memset are plain calls to both compilers; objcopy --redefine-sym gives those
 * of the step's object the names below. */
#include "trace.h"

#include <string.h>

using namespace cpucuda;

#define CALLER __builtin_return_address(0)

extern "C" {

void __tsan_init() {
}
void __tsan_func_entry(void *) {
}
void __tsan_func_exit() {
}

#define ACCESS(name, width, kind)                                                                  \
    void __tsan_##name(void *address) {                                                            \
        trace_access(address, width, kind, CALLER);                                                \
    }
#define ACCESSES(width)                                                                            \
    ACCESS(read##width, width, LOAD)                                                               \
    ACCESS(write##width, width, STORE)                                                             \
    ACCESS(unaligned_read##width, width, LOAD)                                                     \
    ACCESS(unaligned_write##width, width, STORE)                                                   \
    ACCESS(volatile_read##width, width, LOAD)                                                      \
    ACCESS(volatile_write##width, width, STORE)                                                    \
    ACCESS(unaligned_volatile_read##width, width, LOAD)                                            \
    ACCESS(unaligned_volatile_write##width, width, STORE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes) {
    trace_range(address, bytes, LOAD, CALLER);
}
void __tsan_write_range(void *address, size_t bytes) {
    trace_range(address, bytes, STORE, CALLER);
}

void __tsan_vptr_read(void **address) {
    trace_access(address, sizeof *address, LOAD, CALLER);
}
void __tsan_vptr_update(void **address, void *) {
    trace_access(address, sizeof *address, STORE, CALLER);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    trace_range(from, bytes, LOAD, CALLER);
    trace_range(to, bytes, STORE, CALLER);
    return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
    trace_range(from, bytes, LOAD, CALLER);
    trace_range(to, bytes, STORE, CALLER);
    return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes) {
    trace_range(to, bytes, STORE, CALLER);
    return memset(to, value, bytes);
}

/* The last parameters are memory orders; the strongest is right for all. */
#define UPDATE(bits, operation)                                                                    \
    uint##bits##_t __tsan_atomic##bits##_##operation(volatile uint##bits##_t *address,             \
                                                     uint##bits##_t value, int) {                  \
        trace_access(address, sizeof value, LOAD_AND_STORE, CALLER);                               \
        return __atomic_##operation(address, value, __ATOMIC_SEQ_CST);                             \
    }
#define EXCHANGE_IF_EQUAL(bits, strength)                                                          \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *address,        \
                                                          uint##bits##_t *expected,                \
                                                          uint##bits##_t value, int, int) {        \
        trace_access(address, sizeof value, LOAD_AND_STORE, CALLER);                               \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,      \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMICS(bits)                                                                              \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *address, int) {       \
        trace_access(address, sizeof *address, LOAD, CALLER);                                      \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *address, uint##bits##_t value,       \
                                     int) {                                                        \
        trace_access(address, sizeof value, STORE, CALLER);                                        \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *address,                \
                                                  uint##bits##_t value, int) {                     \
        trace_access(address, sizeof value, LOAD_AND_STORE, CALLER);                               \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                              \
    UPDATE(bits, fetch_add)                                                                        \
    UPDATE(bits, fetch_sub)                                                                        \
    UPDATE(bits, fetch_and)                                                                        \
    UPDATE(bits, fetch_or)                                                                         \
    UPDATE(bits, fetch_xor)                                                                        \
    UPDATE(bits, fetch_nand)                                                                       \
    EXCHANGE_IF_EQUAL(bits, strong)                                                                \
    EXCHANGE_IF_EQUAL(bits, weak)                                                                  \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *address,    \
                                                              uint##bits##_t expected,             \
                                                              uint##bits##_t value, int, int) {    \
        trace_access(address, sizeof value, LOAD_AND_STORE, CALLER);                               \
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST,            \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
}
