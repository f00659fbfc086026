/* Half arithmetic once more, in another way: halves are counted in units of the smallest one, and a
 * result is searched among all of them. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_fp16.h"

typedef __int128 wide;

enum { INFINITE = 0x7c00, SIGN = 0x8000, NOT_A_NUMBER = 0x7fff };

/* The half with these bits, without its sign, in units of 2^-24. Infinity stands for 2^16. */
static inline int64_t units(unsigned bits) {
    unsigned unsign = bits & 0x7fff;

    return unsign < 1024 ? unsign : (int64_t)(1024 + unsign % 1024) << (unsign / 1024 - 1);
}

static inline bool is_nan(unsigned bits) {
    return (bits & 0x7fff) > INFINITE;
}
static inline bool is_infinite(unsigned bits) {
    return (bits & 0x7fff) == INFINITE;
}

/* Of finite halves. */
static inline wide signed_units(unsigned bits) {
    return bits & SIGN ? -(wide)units(bits) : units(bits);
}

/* The half that magnitude / unit, in units of 2^-24, rounds to; mode n, z, d or u. */
template <class T> unsigned search(bool negative, T magnitude, T unit, char mode = 'n') {
    unsigned low = 0, high = INFINITE;
    T below, above;
    bool up;

    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if ((T)units(middle) * unit <= magnitude)
            low = middle;
        else
            high = middle;
    }
    below = (T)units(low) * unit;
    above = (T)units(high) * unit;
    if (mode == 'n')
        up = magnitude - below > above - magnitude ||
             (magnitude - below == above - magnitude && low % 2);
    else
        up = magnitude != below && mode == (negative ? 'd' : 'u');
    return (up ? high : low) | (negative ? SIGN : 0);
}

static inline unsigned bits_of(half value) {
    return __half_as_ushort(value);
}
static inline half half_of(unsigned bits) {
    return __ushort_as_half((unsigned short)bits);
}

inline int failures;

__attribute__((format(printf, 2, 3))) inline void check(bool right, const char *format, ...) {
    va_list arguments;

    if (right)
        return;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    if (++failures == 5)
        exit(1);
}

/* The same numbers in every run. */
static inline uint64_t random_bits(void) {
    static uint64_t state = 1;
    uint64_t mixed = state += 0x9e3779b97f4a7c15;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

/* Halves on which rounding turns: all exponents and signs with significands near the ends and the
 * middle; among them zeros, subnormals, infinities and NaNs. */
enum { CASES = 64 * 9 };
static inline unsigned special_case(unsigned i) {
    static const unsigned significands[9] = {0, 1, 2, 0x155, 0x1ff, 0x200, 0x201, 0x3fe, 0x3ff};

    return i / 9 << 10 | significands[i % 9];
}
static inline unsigned random_case(void) {
    return special_case(random_bits() % CASES);
}

#endif
