/* Comparisons of half and half2. With a NaN all are false, those whose name ends in u (unordered)
 * are true. Zeros are equal. */
#ifndef CPUCUDA_HALF_COMPARISONS_H
#define CPUCUDA_HALF_COMPARISONS_H

inline bool __hisnan(__half a) {
    return (__half_as_ushort(a) & 0x7fff) > 0x7c00;
}
/* 1 for infinity, -1 for minus infinity, 0 for all else. */
inline int __hisinf(__half a) {
    return (__half_as_ushort(a) == 0x7c00) - (__half_as_ushort(a) == 0xfc00);
}
/* 1.0 or 0.0 for each half. */
__forceinline__ __half2 __hisnan2(__half2 a) {
    return __half2((float)__hisnan(a.x), (float)__hisnan(a.y));
}

namespace cpucuda {
inline bool unordered(__half a, __half b) {
    return __hisnan(a) || __hisnan(b);
}
} // namespace cpucuda

/* Of pairs: h..2 gives 1.0 or 0.0 for each half, h..2_mask 0xffff or 0, hb..2 whether both hold. */
#define CPUCUDA_PAIRS(name)                                                                        \
    __forceinline__ __half2 __h##name##2(__half2 a, __half2 b) {                                   \
        return __half2((float)__h##name(a.x, b.x), (float)__h##name(a.y, b.y));                    \
    }                                                                                              \
    __forceinline__ unsigned __h##name##2_mask(__half2 a, __half2 b) {                             \
        return (__h##name(a.x, b.x) ? 0x0000ffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);  \
    }                                                                                              \
    __forceinline__ bool __hb##name##2(__half2 a, __half2 b) {                                     \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
#define CPUCUDA_COMPARISON(name, sign)                                                             \
    inline bool __h##name(__half a, __half b) {                                                    \
        return !cpucuda::unordered(a, b) && (float)a sign(float) b;                                \
    }                                                                                              \
    inline bool __h##name##u(__half a, __half b) {                                                 \
        return cpucuda::unordered(a, b) || (float)a sign(float) b;                                 \
    }                                                                                              \
    CPUCUDA_PAIRS(name)                                                                            \
    CPUCUDA_PAIRS(name##u)

CPUCUDA_COMPARISON(eq, ==)
CPUCUDA_COMPARISON(ne, !=)
CPUCUDA_COMPARISON(le, <=)
CPUCUDA_COMPARISON(ge, >=)
CPUCUDA_COMPARISON(lt, <)
CPUCUDA_COMPARISON(gt, >)

#undef CPUCUDA_PAIRS
#undef CPUCUDA_COMPARISON

#define CPUCUDA_OPERATOR(sign, one, pair)                                                          \
    __forceinline__ bool operator sign(const __half &a, const __half &b) {                         \
        return one(a, b);                                                                          \
    }                                                                                              \
    __forceinline__ bool operator sign(const __half2 &a, const __half2 &b) {                       \
        return pair(a, b);                                                                         \
    }

CPUCUDA_OPERATOR(==, __heq, __hbeq2)
CPUCUDA_OPERATOR(!=, __hneu, __hbneu2)
CPUCUDA_OPERATOR(<=, __hle, __hble2)
CPUCUDA_OPERATOR(>=, __hge, __hbge2)
CPUCUDA_OPERATOR(<, __hlt, __hblt2)
CPUCUDA_OPERATOR(>, __hgt, __hbgt2)

#undef CPUCUDA_OPERATOR

/* The greater and the lesser one; +0 is greater than -0. A NaN yields to the other value, but in
 * the forms with _nan it wins. */
namespace cpucuda {
inline bool greater(__half a, __half b) {
    if ((float)a == (float)b)
        return __half_as_ushort(a) < __half_as_ushort(b); /* equal bits, or two zeros */
    return (float)a > (float)b;
}
} // namespace cpucuda

inline __half __hmax(__half a, __half b) {
    if (cpucuda::unordered(a, b))
        return __hisnan(b) ? __float2half(a) : b;
    return cpucuda::greater(a, b) ? a : b;
}
inline __half __hmin(__half a, __half b) {
    if (cpucuda::unordered(a, b))
        return __hisnan(b) ? __float2half(a) : b;
    return cpucuda::greater(a, b) ? b : a;
}
inline __half __hmax_nan(__half a, __half b) {
    return cpucuda::unordered(a, b) ? CUDART_NAN_FP16 : __hmax(a, b);
}
inline __half __hmin_nan(__half a, __half b) {
    return cpucuda::unordered(a, b) ? CUDART_NAN_FP16 : __hmin(a, b);
}

CPUCUDA_BINARY(__hmax2, __hmax)
CPUCUDA_BINARY(__hmin2, __hmin)
CPUCUDA_BINARY(__hmax2_nan, __hmax_nan)
CPUCUDA_BINARY(__hmin2_nan, __hmin_nan)

#undef CPUCUDA_BINARY

#endif
