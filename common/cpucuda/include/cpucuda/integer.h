/* Device functions on the bits of integers. */
#ifndef CPUCUDA_INTEGER_H
#define CPUCUDA_INTEGER_H

#include <stdint.h>

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}

/* Zeros above the highest one; all bits if there is none. */
inline int __clz(int x) {
    return x ? __builtin_clz((unsigned)x) : 32;
}
inline int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}

/* Place of the lowest one, counted from 1; 0 if there is none. */
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}

/* The bits in reverse order. */
inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

/* Byte i of the result is the byte that digit i of `selector` names: 0 to 3 of x, 4 to 7 of y. */
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;

    for (int i = 0; i < 4; i++)
        result |= (unsigned)(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}

/* The upper (l) or lower (r) word of high:low, shifted by the last five bits of `shift`. */
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}

/* The upper half of the product. */
inline int __mulhi(int x, int y) {
    return (int)((int64_t)x * y >> 32);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
    return (unsigned)((uint64_t)x * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
    return (long long)((__int128_t)x * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((__uint128_t)x * y >> 64);
}

/* The lower half of the product of the lower 24 bits. */
inline int __mul24(int x, int y) {
    int64_t a = (int32_t)((unsigned)x << 8) >> 8, b = (int32_t)((unsigned)y << 8) >> 8;

    return (int)(a * b);
}
inline unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffff) * (y & 0xffffff);
}

#endif
