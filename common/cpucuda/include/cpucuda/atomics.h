/* Atomic operations and fences. The operations return the old value; the forms _block and _system
 * do the same here.
 *
 * What orders other data around them, for ThreadSanitizer to check, is in engine/fences.cpp; when
 * other threads see them, in engine/stores.cpp. */
#ifndef CPUCUDA_ATOMICS_H
#define CPUCUDA_ATOMICS_H

#include <type_traits>

#include "engine.h"

namespace cpucuda {

/* fences.cpp. An atomic operation runs between the first two; it publishes if the first returns
 * true. */
bool atomic_starts(volatile void *address, size_t bytes);
void atomic_ended(volatile void *address);
void fence(bool for_block, const char *file, int line);

/* Replaces the value by change(value). Its bits are compared, as floats with the same value differ
 * in theirs. */
template <int order, class T, class F>
__attribute__((always_inline)) inline T replace(T *address, F change) {
    typedef typename word<sizeof(T)>::type word_type;
    word_type *word = (word_type *)address, before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
    T old, changed;

    do {
        __builtin_memcpy((void *)&old, &before, sizeof old);
        changed = change(old);
        __builtin_memcpy(&after, &changed, sizeof after);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, order, __ATOMIC_RELAXED));
    return old;
}

template <class T, class F> __attribute__((always_inline)) inline T atomic(T *address, F change) {
    T old = atomic_starts(address, sizeof(T)) ? replace<__ATOMIC_ACQ_REL>(address, change)
                                              : replace<__ATOMIC_ACQUIRE>(address, change);

    atomic_ended(address);
    return old;
}

template <class T> struct given {
    typedef T type; /* a parameter that converts: atomicAdd(&a_float, 1) */
};

template <class T, class... Types> constexpr bool one_of() {
    return (std::is_same<T, Types>::value || ...);
}

/* Integers wrap around. */
template <class T> T sum(T a, T b) {
    return a + b;
}
inline int sum(int a, int b) {
    return (int)((unsigned)a + (unsigned)b);
}

} // namespace cpucuda

#define CPUCUDA_ATOMIC_FORM(name, changed, ...)                                                    \
    template <class T>                                                                             \
    __attribute__((always_inline)) inline T name(T *address,                                       \
                                                 typename cpucuda::given<T>::type value) {         \
        static_assert(cpucuda::one_of<T, __VA_ARGS__>(), "CUDA has no " #name " of this type");    \
        return cpucuda::atomic(address, [=](T old) -> T { return changed; });                      \
    }
#define CPUCUDA_ATOMIC(name, changed, ...)                                                         \
    CPUCUDA_ATOMIC_FORM(name, changed, __VA_ARGS__)                                                \
    CPUCUDA_ATOMIC_FORM(name##_block, changed, __VA_ARGS__)                                        \
    CPUCUDA_ATOMIC_FORM(name##_system, changed, __VA_ARGS__)

CPUCUDA_ATOMIC(atomicAdd, cpucuda::sum(old, value), int, unsigned, unsigned long long, float,
               double)
CPUCUDA_ATOMIC(atomicSub, cpucuda::sum(old, (T)(0u - (unsigned)value)), int, unsigned)
CPUCUDA_ATOMIC(atomicExch, ((void)old, value), int, unsigned, unsigned long long, float)
CPUCUDA_ATOMIC(atomicMin, old < value ? old : value, int, unsigned, long long, unsigned long long)
CPUCUDA_ATOMIC(atomicMax, old > value ? old : value, int, unsigned, long long, unsigned long long)
CPUCUDA_ATOMIC(atomicAnd, old &value, int, unsigned, unsigned long long)
CPUCUDA_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
CPUCUDA_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)
/* Count up to `value` and then from 0 again; down to 0 and then from `value` again. */
CPUCUDA_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
CPUCUDA_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef CPUCUDA_ATOMIC
#undef CPUCUDA_ATOMIC_FORM

#define CPUCUDA_COMPARE_AND_SWAP(name)                                                             \
    template <class T>                                                                             \
    __attribute__((always_inline)) inline T name(T *address,                                       \
                                                 typename cpucuda::given<T>::type compare,         \
                                                 typename cpucuda::given<T>::type value) {         \
        static_assert(cpucuda::one_of<T, int, unsigned, unsigned long long, unsigned short>(),     \
                      "CUDA has no " #name " of this type");                                       \
        return cpucuda::atomic(address, [=](T old) { return old == compare ? value : old; });      \
    }
CPUCUDA_COMPARE_AND_SWAP(atomicCAS)
CPUCUDA_COMPARE_AND_SWAP(atomicCAS_block)
CPUCUDA_COMPARE_AND_SWAP(atomicCAS_system)
#undef CPUCUDA_COMPARE_AND_SWAP

inline void __threadfence(CPUCUDA_CALLER) {
    cpucuda::fence(false, file, line);
}
inline void __threadfence_block(CPUCUDA_CALLER) {
    cpucuda::fence(true, file, line);
}
inline void __threadfence_system(CPUCUDA_CALLER) {
    cpucuda::fence(false, file, line);
}

#endif
