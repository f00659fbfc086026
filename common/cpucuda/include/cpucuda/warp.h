/* What the lanes of a warp and the threads of a block do together. All of it stands on
 * cpucuda::warp_meet() and cpucuda::block_barrier(); the value of a lane that does not come, since
 * it has ended, is 0 there. */
#ifndef CPUCUDA_WARP_H
#define CPUCUDA_WARP_H

#include <string.h>
#include <type_traits>

#include "engine.h"

namespace cpucuda {

struct caller {
    const char *operation, *file;
    int line;
};

inline unsigned lane() {
    return (unsigned)thread_index() % 32;
}

/* The lanes that meet must name themselves. */
inline CPUCUDA_UNTRACED void check_caller(unsigned mask, caller at) {
    if (!(mask >> lane() & 1))
        fail("warp-mask", "%s:%d: %s by lane %u, which its mask 0x%08x leaves out", at.file,
             at.line, at.operation, lane(), mask);
}

inline CPUCUDA_UNTRACED const uint64_t *meet(unsigned mask, uint64_t value, caller at) {
    check_caller(mask, at);
    return warp_meet(mask, value, at.operation, at.file, at.line);
}

/* A value of up to 8 bytes, as lanes send it. */
template <class T> CPUCUDA_UNTRACED uint64_t bits_of(T value) {
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T> struct is_shuffled : std::is_arithmetic<T> {};

template <class T> CPUCUDA_UNTRACED T shuffle(unsigned mask, T value, unsigned source, caller at) {
    static_assert(is_shuffled<T>::value && sizeof(T) <= 8,
                  "a shuffle takes int, long, long long, their unsigned kin, float or double");
    check_caller(mask, at);
    if (!(mask >> source & 1))
        fail("warp-mask", "%s:%d: %s: lane %u reads from lane %u, which the mask 0x%08x leaves out",
             at.file, at.line, at.operation, lane(), source, mask);
    uint64_t theirs = meet(mask, bits_of(value), at)[source];

    if (!(warp_met() >> source & 1))
        fail("warp-mask",
             "%s:%d: %s: lane %u reads from lane %u, which is not there: it has ended, "
             "or the block has no such thread",
             at.file, at.line, at.operation, lane(), source);
    memcpy((void *)&value, &theirs, sizeof value);
    return value;
}

inline CPUCUDA_UNTRACED void check_width(int width, caller at) {
    if (width < 1 || width > 32 || (width & (width - 1)))
        fail("warp-mask", "%s:%d: %s with a width of %d, not 1, 2, 4, 8, 16 or 32", at.file,
             at.line, at.operation, width);
}

/* The lanes whose predicate is not zero. */
inline CPUCUDA_UNTRACED unsigned ballot(unsigned mask, int predicate, caller at) {
    const uint64_t *all = meet(mask, predicate != 0, at);
    unsigned set = 0;

    for (int i = 0; i < 32; i++)
        set |= (unsigned)all[i] << i;
    return set;
}

/* The lanes that have the caller's value. */
template <class T> CPUCUDA_UNTRACED unsigned match(unsigned mask, T value, caller at) {
    static_assert(std::is_arithmetic<T>::value && sizeof(T) >= 4 && sizeof(T) <= 8,
                  "a match takes int, long, long long, their unsigned kin, float or double");
    const uint64_t *all = meet(mask, bits_of(value), at);
    unsigned lanes = warp_met();

    for (int i = 0; i < 32; i++)
        if (all[i] != bits_of(value))
            lanes &= ~(1u << i);
    return lanes;
}

/* Of the values of the lanes in `mask`, in their order. */
template <class T, class F>
CPUCUDA_UNTRACED T reduce(unsigned mask, T value, F combine, caller at) {
    static_assert(std::is_integral<T>::value && sizeof(T) == 4,
                  "a warp reduces int or unsigned values");
    const uint64_t *all = meet(mask, bits_of(value), at);
    T result = value;

    for (unsigned i = 0; i < 32; i++)
        if ((warp_met() >> i & 1) && i != lane())
            result = combine(result, (T)all[i]);
    return result;
}

} // namespace cpucuda

#define CPUCUDA_AT                                                                                 \
    cpucuda::caller {                                                                              \
        __func__, file, line                                                                       \
    }

inline void __syncthreads(CPUCUDA_CALLER) {
    cpucuda::block_barrier(0, __func__, file, line);
}
inline int __syncthreads_count(int predicate, CPUCUDA_CALLER) {
    return cpucuda::block_barrier(predicate != 0, __func__, file, line);
}
inline int __syncthreads_and(int predicate, CPUCUDA_CALLER) {
    return !cpucuda::block_barrier(!predicate, __func__, file, line);
}
inline int __syncthreads_or(int predicate, CPUCUDA_CALLER) {
    return cpucuda::block_barrier(predicate != 0, __func__, file, line) != 0;
}

inline void __syncwarp(unsigned mask = 0xffffffff, CPUCUDA_CALLER) {
    cpucuda::caller at = CPUCUDA_AT;

    cpucuda::check_caller(mask, at);
    cpucuda::warp_sync(mask, at.operation, at.file, at.line);
}

/* The calling lane alone. The documentation allows any set of lanes that holds the caller, and a
 * program that relies on more is wrong on some GPU. */
inline unsigned __activemask() {
    return 1u << cpucuda::lane();
}

/* The lanes of a warp form segments of `width`; a lane whose source would lie outside its segment
 * gets its own value, except that __shfl_xor_sync reaches earlier segments. Lane numbers and deltas
 * count modulo 32, as PTX defines. Types shorter than int are sent as int. */
template <class T>
auto __shfl_sync(unsigned mask, T value, int source, int width = 32, CPUCUDA_CALLER)
    -> decltype(+value) {
    unsigned lane = cpucuda::lane(), inside = (unsigned)width - 1;

    cpucuda::check_width(width, CPUCUDA_AT);
    return cpucuda::shuffle(mask, +value, (lane & ~inside) | ((unsigned)source & inside),
                            CPUCUDA_AT);
}
template <class T>
auto __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CPUCUDA_CALLER)
    -> decltype(+value) {
    unsigned lane = cpucuda::lane(), inside = (unsigned)width - 1;

    cpucuda::check_width(width, CPUCUDA_AT);
    delta &= 31;
    return cpucuda::shuffle(mask, +value, (lane & inside) < delta ? lane : lane - delta,
                            CPUCUDA_AT);
}
template <class T>
auto __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, CPUCUDA_CALLER)
    -> decltype(+value) {
    unsigned lane = cpucuda::lane(), inside = (unsigned)width - 1;

    cpucuda::check_width(width, CPUCUDA_AT);
    delta &= 31;
    return cpucuda::shuffle(mask, +value, (lane & inside) + delta > inside ? lane : lane + delta,
                            CPUCUDA_AT);
}
template <class T>
auto __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, CPUCUDA_CALLER)
    -> decltype(+value) {
    unsigned lane = cpucuda::lane(), source = lane ^ ((unsigned)lanes & 31);

    cpucuda::check_width(width, CPUCUDA_AT);
    return cpucuda::shuffle(mask, +value, source > (lane | ((unsigned)width - 1)) ? lane : source,
                            CPUCUDA_AT);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, CPUCUDA_CALLER) {
    return cpucuda::ballot(mask, predicate, CPUCUDA_AT);
}
inline int __all_sync(unsigned mask, int predicate, CPUCUDA_CALLER) {
    unsigned set = cpucuda::ballot(mask, predicate, CPUCUDA_AT);

    return set == cpucuda::warp_met();
}
inline int __any_sync(unsigned mask, int predicate, CPUCUDA_CALLER) {
    return cpucuda::ballot(mask, predicate, CPUCUDA_AT) != 0;
}

/* Floats match by their bits. */
template <class T> unsigned __match_any_sync(unsigned mask, T value, CPUCUDA_CALLER) {
    return cpucuda::match(mask, value, CPUCUDA_AT);
}
template <class T> unsigned __match_all_sync(unsigned mask, T value, int *all, CPUCUDA_CALLER) {
    *all = cpucuda::match(mask, value, CPUCUDA_AT) == mask;
    return *all ? mask : 0;
}

template <class T> T __reduce_add_sync(unsigned mask, T value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](T a, T b) { return (T)((unsigned)a + (unsigned)b); }, CPUCUDA_AT);
}
template <class T> T __reduce_min_sync(unsigned mask, T value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](T a, T b) { return a < b ? a : b; }, CPUCUDA_AT);
}
template <class T> T __reduce_max_sync(unsigned mask, T value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](T a, T b) { return a > b ? a : b; }, CPUCUDA_AT);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](unsigned a, unsigned b) { return a & b; }, CPUCUDA_AT);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](unsigned a, unsigned b) { return a | b; }, CPUCUDA_AT);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, CPUCUDA_CALLER) {
    return cpucuda::reduce(
        mask, value, [](unsigned a, unsigned b) { return a ^ b; }, CPUCUDA_AT);
}

#endif
