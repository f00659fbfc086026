/* What threads do together with half and half2: loads, atomic sums, shuffles. */
#ifndef CPUCUDA_HALF_THREADS_H
#define CPUCUDA_HALF_THREADS_H

__forceinline__ __half __ldg(const __half *address) {
    return *address;
}
__forceinline__ __half2 __ldg(const __half2 *address) {
    return *address;
}

/* Returns what was there before. A pair is two sums, each atomic, and not atomic as a whole. */
__forceinline__ __half atomicAdd(__half *address, __half value) {
    typedef unsigned short __attribute__((may_alias)) bits_of_half;
    bits_of_half *bits = (bits_of_half *)address;
    unsigned short before = __atomic_load_n(bits, __ATOMIC_RELAXED), after;

    do
        after = __half_as_ushort(__hadd(__ushort_as_half(before), value));
    while (!__atomic_compare_exchange_n(bits, &before, after, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
    return __ushort_as_half(before);
}
__forceinline__ __half2 atomicAdd(__half2 *address, __half2 value) {
    __half low = atomicAdd(&address->x, value.x), high = atomicAdd(&address->y, value.y);

    return __half2(low, high);
}

namespace cpucuda {

/* Exchanges the values of `mask`'s lanes and returns that of lane `from`. */
template <class T>
T exchange(unsigned mask, T value, int from, const char *operation, const char *file, int line) {
    uint64_t bits = 0;

    memcpy(&bits, (const void *)&value, sizeof value);
    bits = warp_meet(mask, bits, operation, file, line)[from];
    memcpy((void *)&value, &bits, sizeof value);
    return value;
}

} // namespace cpucuda

/* The warp is cut into groups of `width` lanes, a power of two. A lane that would read beyond its
 * group (xor: behind it) keeps its own value. */
#define CPUCUDA_SHUFFLES(type)                                                                     \
    __forceinline__ type __shfl_sync(unsigned mask, type value, int source, int width = warpSize,  \
                                     CPUCUDA_CALLER) {                                             \
        int lane = cpucuda::thread_index() % warpSize, first = lane & -width;                      \
        int from = first + (source & (width - 1));                                                 \
                                                                                                   \
        return cpucuda::exchange(mask, value, from, "__shfl_sync", file, line);                    \
    }                                                                                              \
    __forceinline__ type __shfl_up_sync(unsigned mask, type value, unsigned delta,                 \
                                        int width = warpSize, CPUCUDA_CALLER) {                    \
        int lane = cpucuda::thread_index() % warpSize, first = lane & -width;                      \
        int from = delta <= (unsigned)(lane - first) ? lane - (int)delta : lane;                   \
                                                                                                   \
        return cpucuda::exchange(mask, value, from, "__shfl_up_sync", file, line);                 \
    }                                                                                              \
    __forceinline__ type __shfl_down_sync(unsigned mask, type value, unsigned delta,               \
                                          int width = warpSize, CPUCUDA_CALLER) {                  \
        int lane = cpucuda::thread_index() % warpSize, last = lane | (width - 1);                  \
        int from = delta <= (unsigned)(last - lane) ? lane + (int)delta : lane;                    \
                                                                                                   \
        return cpucuda::exchange(mask, value, from, "__shfl_down_sync", file, line);               \
    }                                                                                              \
    __forceinline__ type __shfl_xor_sync(unsigned mask, type value, int lanes,                     \
                                         int width = warpSize, CPUCUDA_CALLER) {                   \
        int lane = cpucuda::thread_index() % warpSize, last = lane | (width - 1);                  \
        int from = (lane ^ lanes) <= last ? (lane ^ lanes) & (warpSize - 1) : lane;                \
                                                                                                   \
        return cpucuda::exchange(mask, value, from, "__shfl_xor_sync", file, line);                \
    }

CPUCUDA_SHUFFLES(__half)
CPUCUDA_SHUFFLES(__half2)

#undef CPUCUDA_SHUFFLES

#endif
