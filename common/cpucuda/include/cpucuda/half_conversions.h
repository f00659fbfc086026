/* Conversions and rearrangements of half and half2. */
#ifndef CPUCUDA_HALF_CONVERSIONS_H
#define CPUCUDA_HALF_CONVERSIONS_H

#define CUDART_INF_FP16        __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000)
#define CUDART_ONE_FP16        __ushort_as_half(0x3c00)

inline unsigned short __half_as_ushort(__half a) {
    return __half_raw(a).x;
}
inline short __half_as_short(__half a) {
    return (short)__half_raw(a).x;
}
inline __half __ushort_as_half(unsigned short bits) {
    return __half_raw{bits};
}
inline __half __short_as_half(short bits) {
    return __half_raw{(unsigned short)bits};
}

inline float __half2float(__half a) {
    return a;
}
inline __half __double2half(double value) {
    return value;
}
inline __half __float2half(float value) {
    return value;
}
inline __half __float2half_rn(float value) {
    return value;
}
inline __half __float2half_rz(float value) {
    return __ushort_as_half(cpucuda::round_to_half(value, cpucuda::TOWARDS_ZERO));
}
inline __half __float2half_rd(float value) {
    return __ushort_as_half(cpucuda::round_to_half(value, cpucuda::DOWNWARDS));
}
inline __half __float2half_ru(float value) {
    return __ushort_as_half(cpucuda::round_to_half(value, cpucuda::UPWARDS));
}

/* Integers: to the nearest even one (rn), towards zero (rz), down (rd), up (ru). What is out of
 * range becomes the end of the range, NaN becomes `nan`. */
#define CPUCUDA_INTEGER(type, name, nan, least, most)                                              \
    inline type __half2##name##_rn(__half a) {                                                     \
        return cpucuda::saturate<type>(rintf(a), nan, least, most);                                \
    }                                                                                              \
    inline type __half2##name##_rz(__half a) {                                                     \
        return cpucuda::saturate<type>(truncf(a), nan, least, most);                               \
    }                                                                                              \
    inline type __half2##name##_rd(__half a) {                                                     \
        return cpucuda::saturate<type>(floorf(a), nan, least, most);                               \
    }                                                                                              \
    inline type __half2##name##_ru(__half a) {                                                     \
        return cpucuda::saturate<type>(ceilf(a), nan, least, most);                                \
    }                                                                                              \
    inline __half __##name##2half_rn(type value) {                                                 \
        return value;                                                                              \
    }                                                                                              \
    inline __half __##name##2half_rz(type value) {                                                 \
        return __ushort_as_half(cpucuda::round_to_half((double)value, cpucuda::TOWARDS_ZERO));     \
    }                                                                                              \
    inline __half __##name##2half_rd(type value) {                                                 \
        return __ushort_as_half(cpucuda::round_to_half((double)value, cpucuda::DOWNWARDS));        \
    }                                                                                              \
    inline __half __##name##2half_ru(type value) {                                                 \
        return __ushort_as_half(cpucuda::round_to_half((double)value, cpucuda::UPWARDS));          \
    }

CPUCUDA_INTEGER(short, short, 0, SHRT_MIN, SHRT_MAX)
CPUCUDA_INTEGER(unsigned short, ushort, 0, 0, USHRT_MAX)
CPUCUDA_INTEGER(int, int, 0, INT_MIN, INT_MAX)
CPUCUDA_INTEGER(unsigned, uint, 0, 0, UINT_MAX)
CPUCUDA_INTEGER(long long, ll, LLONG_MIN, LLONG_MIN, LLONG_MAX)
CPUCUDA_INTEGER(unsigned long long, ull, (ULLONG_MAX >> 1) + 1, 0, ULLONG_MAX)

#undef CPUCUDA_INTEGER

inline signed char __half2char_rz(__half a) {
    return a;
}
inline unsigned char __half2uchar_rz(__half a) {
    return a;
}

/* Pairs. */
__forceinline__ __half2 make_half2(__half x, __half y) {
    return __half2(x, y);
}
__forceinline__ __half2 __halves2half2(__half low, __half high) {
    return __half2(low, high);
}
__forceinline__ __half2 __half2half2(__half a) {
    return __half2(a, a);
}
__forceinline__ __half2 __float2half2_rn(float value) {
    return __half2(value, value);
}
__forceinline__ __half2 __floats2half2_rn(float low, float high) {
    return __half2(low, high);
}
__forceinline__ __half2 __float22half2_rn(float2 value) {
    return __half2(value.x, value.y);
}
__forceinline__ float2 __half22float2(__half2 a) {
    float2 value;

    value.x = a.x;
    value.y = a.y;
    return value;
}
__forceinline__ __half __low2half(__half2 a) {
    return a.x;
}
__forceinline__ __half __high2half(__half2 a) {
    return a.y;
}
__forceinline__ float __low2float(__half2 a) {
    return a.x;
}
__forceinline__ float __high2float(__half2 a) {
    return a.y;
}
__forceinline__ __half2 __low2half2(__half2 a) {
    return __half2(a.x, a.x);
}
__forceinline__ __half2 __high2half2(__half2 a) {
    return __half2(a.y, a.y);
}
__forceinline__ __half2 __lows2half2(__half2 a, __half2 b) {
    return __half2(a.x, b.x);
}
__forceinline__ __half2 __highs2half2(__half2 a, __half2 b) {
    return __half2(a.y, b.y);
}
__forceinline__ __half2 __lowhigh2highlow(__half2 a) {
    return __half2(a.y, a.x);
}

#endif
