/* What threads do together with half and half2: loads, atomic sums, shuffles. */
#ifndef CPUCUDA_HALF_THREADS_H
#define CPUCUDA_HALF_THREADS_H

#include "atomics.h"
#include "warp.h"

__forceinline__ __half __ldg(const __half *address) {
    return *address;
}
__forceinline__ __half2 __ldg(const __half2 *address) {
    return *address;
}

/* Returns what was there before. A pair is two sums, each atomic, and not atomic as a whole. */
__forceinline__ __half atomicAdd(__half *address, __half value) {
    return cpucuda::atomic(address, [=](__half old) { return __hadd(old, value); });
}
__forceinline__ __half2 atomicAdd(__half2 *address, __half2 value) {
    __half low = atomicAdd(&address->x, value.x), high = atomicAdd(&address->y, value.y);

    return __half2(low, high);
}

/* Shuffles are those of warp.h. */
namespace cpucuda {
template <> struct is_shuffled<__half> : std::true_type {};
template <> struct is_shuffled<__half2> : std::true_type {};
} // namespace cpucuda

#endif
