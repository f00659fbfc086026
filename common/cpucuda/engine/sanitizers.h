/* Functions of the sanitizers' runtimes, NULL in builds without them. */
#ifndef CPUCUDA_SANITIZERS_H
#define CPUCUDA_SANITIZERS_H

#include <stddef.h>

extern "C" {
/* AddressSanitizer: a stack is about to be left, and was entered. */
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t bytes)
    __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom_old, size_t *bytes_old)
    __attribute__((weak));
void __asan_poison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *start, size_t bytes) __attribute__((weak));
void *__asan_get_report_address() __attribute__((weak));

/* ThreadSanitizer: its notion of a thread, and of what happens before what. */
void *__tsan_get_current_fiber() __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));
void __tsan_set_fiber_name(void *fiber, const char *name) __attribute__((weak));
void __tsan_acquire(volatile void *address) __attribute__((weak));
void __tsan_release(volatile void *address) __attribute__((weak));
void __tsan_func_entry(void *called_from) __attribute__((weak));
void __tsan_func_exit() __attribute__((weak));
void __tsan_read_range(void *address, size_t bytes) __attribute__((weak));
void __tsan_write_range(void *address, size_t bytes) __attribute__((weak));
void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));
int __tsan_get_report_mop(void *report, unsigned long index, int *thread, void **address, int *size,
                          int *write, int *atomic, void **trace, unsigned long trace_size)
    __attribute__((weak));
}

/* The flag with which a switch between fibers is no synchronisation. */
enum { TSAN_NO_SYNC = 1 };

namespace cpucuda {
inline bool have_tsan() {
    return __tsan_create_fiber != nullptr;
}
/* While it exists, what this thread itself does is not the program's: neither its accesses, nor
 * what it allocates and frees. */
struct unwatched {
    unwatched() {
        if (have_tsan()) {
            AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
            AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
        }
    }
    ~unwatched() {
        if (have_tsan()) {
            AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
            AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        }
    }
};
inline bool have_asan() {
    return __asan_poison_memory_region != nullptr;
}
inline void poison(const void *start, size_t bytes) {
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(start, bytes);
}
inline void unpoison(const void *start, size_t bytes) {
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(start, bytes);
}
} // namespace cpucuda

#endif
