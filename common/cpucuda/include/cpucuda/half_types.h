/* The types of cuda_fp16.h and the two conversions that all others rest on. Integer arithmetic, or
 * the processor's two instructions where the build has -mf16c, with the same results: no compiler
 * flag and no processor changes one, and clang 14 has no 16-bit float on x86. The built-in memcpy
 * is no call in any build, and no access that a trace has to look at. */
#ifndef CPUCUDA_HALF_TYPES_H
#define CPUCUDA_HALF_TYPES_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

namespace cpucuda {

enum rounding { TO_NEAREST_EVEN, TOWARDS_ZERO, DOWNWARDS, UPWARDS };

/* The bits of the half that `value` rounds to. What is beyond the largest half, 65504, becomes it
 * or infinity, as the rounding goes. float and all integers come through double unchanged, or stay
 * far beyond 65504. */
inline unsigned short round_to_half(double value, rounding mode = TO_NEAREST_EVEN) {
    const uint64_t halfway = (uint64_t)1 << 63;
    uint64_t bits, significand, kept, rest;
    unsigned sign;
    int exponent, last, shift;
    bool away, up;

    __builtin_memcpy(&bits, &value, sizeof bits);
    sign = bits >> 63 << 15;
    exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    significand = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 1024 && significand)
        return 0x7fff;
    away = mode == (sign ? DOWNWARDS : UPWARDS);
    if (exponent > 15)
        return sign | (exponent == 1024 || mode == TO_NEAREST_EVEN || away ? 0x7c00 : 0x7bff);
    if (exponent > -1023)
        significand |= (uint64_t)1 << 52;
    last = exponent > -14 ? exponent - 10 : -24; /* the exponent of the result's last bit */
    shift = 52 - exponent + last;
    if (shift > 63)
        shift = 63; /* far below the smallest half: nothing is kept, the rest is below halfway */
    kept = significand >> shift;
    rest = significand << (64 - shift);
    if (mode == TO_NEAREST_EVEN)
        up = rest > halfway || (rest == halfway && kept & 1);
    else
        up = away && rest;
    /* The significand's leading bit adds one to the exponent, and so does a carry. */
    return sign | (((unsigned)(last + 24) << 10) + (unsigned)kept + up);
}

inline uint32_t float_bits(float value) {
    uint32_t bits;

    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The same to the nearest even, of a float and with fewer steps; and back: arithmetic spends its
 * time here. */
#ifdef __F16C__
/* As gcc and clang know the instructions: <immintrin.h> takes them longer than a whole step. */
typedef short eight_halves __attribute__((vector_size(16)));
typedef float four_floats __attribute__((vector_size(16)));

__forceinline__ unsigned short nearest_half(float value) {
    return value == value
               ? (unsigned short)__builtin_ia32_vcvtps2ph(four_floats{value}, 0 /* to nearest */)[0]
               : 0x7fff;
}

/* Of a NaN, some NaN. */
__forceinline__ float value_of(unsigned short half) {
    return __builtin_ia32_vcvtph2ps(eight_halves{(short)half})[0];
}

__forceinline__ float half_to_float(unsigned short half) {
    float value = value_of(half);

    return value == value ? value : __builtin_nanf("0x3fffff"); /* 0x7fffffff */
}
#else
__forceinline__ unsigned short nearest_half(float value) {
    const uint32_t infinity = 0x7f800000, least_normal = 0x38800000, beyond = 0x47800000;
    uint32_t bits = float_bits(fabsf(value)), sign = float_bits(value) >> 16 & 0x8000;

    if (bits >= beyond)
        return bits > infinity ? 0x7fff : sign | 0x7c00;
    if (bits < least_normal) /* the last bit of the sum is 2^-24, a subnormal half's */
        return sign | (float_bits(fabsf(value) + 0.5f) - float_bits(0.5f));
    bits += 0xfff + (bits >> 13 & 1); /* a carry where the 13 bits that go round up */
    return sign | ((bits >> 13) - ((127 - 15) << 10));
}

__forceinline__ float half_to_float(unsigned short half) {
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31;
    uint32_t significand = half & 0x3ff, bits;
    float value;

    if (exponent == 0) {
        value = (float)significand * 0x1p-24f;
        return sign ? -value : value;
    }
    if (exponent < 31)
        bits = sign | (exponent + 127 - 15) << 23 | significand << 13;
    else
        bits = significand ? 0x7fffffff : sign | 0x7f800000;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

__forceinline__ float value_of(unsigned short half) {
    return half_to_float(half);
}
#endif

/* The float nearest to `value`, but odd where that is not exact: rounded once more, to the nearest
 * half, it is what `value` itself would be (Boldo and Melquiond 2008, "Emulation of FMA and
 * correctly rounded sums"). */
inline float round_to_odd(double value) {
    float nearest = (float)value;
    uint32_t bits = float_bits(nearest);

    if (value != value)
        return nearest;
    /* Without branches, which no processor could predict. */
    bits -= fabs((double)nearest) > fabs(value);
    bits |= (double)nearest != value;
    __builtin_memcpy(&nearest, &bits, sizeof nearest);
    return nearest;
}

/* Integers: what is out of range becomes the end of the range. `value` is rounded already. */
template <class T> T saturate(float value, T nan, T least, T most) {
    if (value != value)
        return nan;
    if (value <= (float)least)
        return least;
    return value >= (float)most ? most : (T)value;
}

/* Two halves are copied as these, in one access. */
typedef uint32_t __attribute__((may_alias)) pair_of_halves;

} // namespace cpucuda

/* Inlined at every level of optimisation, as are all functions of pairs, references and pointers:
 * an access is made where the step's own line stands, and no copy of a pair is made for a call. */
struct alignas(2) __half_raw {
    unsigned short x;
};

struct alignas(4) __half2_raw {
    unsigned short x, y;
};

#define CPUCUDA_TO(type, nan, least, most)                                                         \
    __forceinline__ operator type() const {                                                        \
        return cpucuda::saturate<type>(truncf(*this), nan, least, most);                           \
    }
#define CPUCUDA_TO_AND_FROM(type, nan, least, most)                                                \
    CPUCUDA_TO(type, nan, least, most)                                                             \
    __forceinline__ __half(type value) : __x(cpucuda::round_to_half((double)value)) {              \
    }

struct alignas(2) __half {
  protected:
    unsigned short __x;

  public:
    __half() = default;
    __forceinline__ constexpr __half(const __half_raw &raw) : __x(raw.x) {
    }
    __forceinline__ __half(float value) : __x(cpucuda::nearest_half(value)) {
    }
    __forceinline__ __half(double value)
        : __x(cpucuda::nearest_half(cpucuda::round_to_odd(value))) {
    }
    /* The volatile forms are what a volatile half is read and written through. */
    __forceinline__ operator __half_raw() const {
        return __half_raw{__x};
    }
    __forceinline__ operator __half_raw() const volatile {
        return __half_raw{__x};
    }
    __forceinline__ __half &operator=(const __half_raw &raw) {
        __x = raw.x;
        return *this;
    }
    __forceinline__ void operator=(const __half_raw &raw) volatile {
        __x = raw.x;
    }
    __forceinline__ operator float() const {
        return cpucuda::half_to_float(__x);
    }
    __forceinline__ constexpr operator bool() const {
        return __x & 0x7fff;
    }
    /* Towards zero. NaN becomes 0, in 64 bits 2^63 or -2^63. */
    CPUCUDA_TO(char, 0, CHAR_MIN, CHAR_MAX)
    CPUCUDA_TO(signed char, 0, SCHAR_MIN, SCHAR_MAX)
    CPUCUDA_TO(unsigned char, 0, 0, UCHAR_MAX)
    CPUCUDA_TO_AND_FROM(short, 0, SHRT_MIN, SHRT_MAX)
    CPUCUDA_TO_AND_FROM(unsigned short, 0, 0, USHRT_MAX)
    CPUCUDA_TO_AND_FROM(int, 0, INT_MIN, INT_MAX)
    CPUCUDA_TO_AND_FROM(unsigned, 0, 0, UINT_MAX)
    CPUCUDA_TO_AND_FROM(long, LONG_MIN, LONG_MIN, LONG_MAX)
    CPUCUDA_TO_AND_FROM(unsigned long, (ULONG_MAX >> 1) + 1, 0, ULONG_MAX)
    CPUCUDA_TO_AND_FROM(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX)
    CPUCUDA_TO_AND_FROM(unsigned long long, (ULLONG_MAX >> 1) + 1, 0, ULLONG_MAX)
};

#undef CPUCUDA_TO_AND_FROM
#undef CPUCUDA_TO

/* x is the low half, y the high one. Not copied member by member: a copy is one access of four
 * bytes on a GPU, and so it is counted and checked here. */
struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    __forceinline__ constexpr __half2(const __half &x, const __half &y) : x(x), y(y) {
    }
    __forceinline__ __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {
    }
    __forceinline__ __half2(const __half2 &from) {
        *(cpucuda::pair_of_halves *)this = *(const cpucuda::pair_of_halves *)&from;
    }
    __forceinline__ __half2 &operator=(const __half2 &from) {
        *(cpucuda::pair_of_halves *)this = *(const cpucuda::pair_of_halves *)&from;
        return *this;
    }
    __forceinline__ operator __half2_raw() const {
        return __half2_raw{((__half_raw)x).x, ((__half_raw)y).x};
    }
};

#endif
