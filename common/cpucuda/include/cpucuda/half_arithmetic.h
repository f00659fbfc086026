/* Arithmetic of half and half2, as functions and as operators. */
#ifndef CPUCUDA_HALF_ARITHMETIC_H
#define CPUCUDA_HALF_ARITHMETIC_H

/* Sums, products and quotients are formed in float and rounded again, which gives what one rounding
 * would: float has more than twice a half's 11 bits and two more (Figueroa 1995, "When is double
 * rounding innocuous?"). */
inline __half __hadd(__half a, __half b) {
    return cpucuda::value_of(__half_raw(a).x) + cpucuda::value_of(__half_raw(b).x);
}
inline __half __hsub(__half a, __half b) {
    return cpucuda::value_of(__half_raw(a).x) - cpucuda::value_of(__half_raw(b).x);
}
inline __half __hmul(__half a, __half b) {
    return cpucuda::value_of(__half_raw(a).x) * cpucuda::value_of(__half_raw(b).x);
}
inline __half __hdiv(__half a, __half b) {
    return cpucuda::value_of(__half_raw(a).x) / cpucuda::value_of(__half_raw(b).x);
}

/* One rounding: the product of two halves is exact in double. Where their sum with `c` is not, it
 * is beyond all halves, or the product is below 2^-16 and `c` at least 2^5: then `c` is the result.
 * In float the sum would be rounded, now and then to the middle between two halves. */
inline __half __hfma(__half a, __half b, __half c) {
    return (double)cpucuda::value_of(__half_raw(a).x) * (double)cpucuda::value_of(__half_raw(b).x) +
           (double)cpucuda::value_of(__half_raw(c).x);
}

/* Sign bits; a NaN stays one. */
inline __half __hneg(__half a) {
    unsigned short bits = __half_as_ushort(a);

    return __ushort_as_half((bits & 0x7fff) > 0x7c00 ? 0x7fff : bits ^ 0x8000);
}
inline __half __habs(__half a) {
    unsigned short bits = __half_as_ushort(a) & 0x7fff;

    return __ushort_as_half(bits > 0x7c00 ? 0x7fff : bits);
}

/* Of the same results: within [0, 1] and NaN as 0 (sat), at least 0 and NaN as it is (relu). */
namespace cpucuda {
inline __half saturate_to_one(__half a) {
    float value = a;

    return value > 0 ? (value < 1 ? a : __half(1.0f)) : __half(0.0f);
}
} // namespace cpucuda

inline __half __hadd_sat(__half a, __half b) {
    return cpucuda::saturate_to_one(__hadd(a, b));
}
inline __half __hsub_sat(__half a, __half b) {
    return cpucuda::saturate_to_one(__hsub(a, b));
}
inline __half __hmul_sat(__half a, __half b) {
    return cpucuda::saturate_to_one(__hmul(a, b));
}
inline __half __hfma_sat(__half a, __half b, __half c) {
    return cpucuda::saturate_to_one(__hfma(a, b, c));
}
inline __half __hfma_relu(__half a, __half b, __half c) {
    __half sum = __hfma(a, b, c);

    return (float)sum <= 0 ? __half(0.0f) : sum;
}

/* Never contracted into a fused multiply-add; here nothing ever is. */
inline __half __hadd_rn(__half a, __half b) {
    return __hadd(a, b);
}
inline __half __hsub_rn(__half a, __half b) {
    return __hsub(a, b);
}
inline __half __hmul_rn(__half a, __half b) {
    return __hmul(a, b);
}

/* The same on both halves of a pair. */
#define CPUCUDA_UNARY(pair, one)                                                                   \
    __forceinline__ __half2 pair(__half2 a) {                                                      \
        return __half2(one(a.x), one(a.y));                                                        \
    }
#define CPUCUDA_BINARY(pair, one)                                                                  \
    __forceinline__ __half2 pair(__half2 a, __half2 b) {                                           \
        return __half2(one(a.x, b.x), one(a.y, b.y));                                              \
    }
#define CPUCUDA_TERNARY(pair, one)                                                                 \
    __forceinline__ __half2 pair(__half2 a, __half2 b, __half2 c) {                                \
        return __half2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                    \
    }

CPUCUDA_UNARY(__hneg2, __hneg)
CPUCUDA_UNARY(__habs2, __habs)
CPUCUDA_BINARY(__hadd2, __hadd)
CPUCUDA_BINARY(__hsub2, __hsub)
CPUCUDA_BINARY(__hmul2, __hmul)
CPUCUDA_BINARY(__h2div, __hdiv)
CPUCUDA_BINARY(__hadd2_sat, __hadd_sat)
CPUCUDA_BINARY(__hsub2_sat, __hsub_sat)
CPUCUDA_BINARY(__hmul2_sat, __hmul_sat)
CPUCUDA_BINARY(__hadd2_rn, __hadd_rn)
CPUCUDA_BINARY(__hsub2_rn, __hsub_rn)
CPUCUDA_BINARY(__hmul2_rn, __hmul_rn)
CPUCUDA_TERNARY(__hfma2, __hfma)
CPUCUDA_TERNARY(__hfma2_sat, __hfma_sat)
CPUCUDA_TERNARY(__hfma2_relu, __hfma_relu)

#undef CPUCUDA_TERNARY

/* a b + c of complex numbers (x real, y imaginary), in two rounded steps for each part. */
__forceinline__ __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                   __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* Operators. Those of pairs compare as one: true where both halves are. */
#define CPUCUDA_OPERATOR(type, sign, function)                                                     \
    __forceinline__ type operator sign(const type &a, const type &b) {                             \
        return function(a, b);                                                                     \
    }                                                                                              \
    __forceinline__ type &operator sign##=(type &a, const type &b) {                               \
        return a = function(a, b);                                                                 \
    }
#define CPUCUDA_STEP(type, sign, function, one)                                                    \
    __forceinline__ type &operator sign(type &a) {                                                 \
        return a = function(a, one);                                                               \
    }                                                                                              \
    __forceinline__ type operator sign(type &a, int) {                                             \
        type before = a;                                                                           \
        a = function(a, one);                                                                      \
        return before;                                                                             \
    }

CPUCUDA_OPERATOR(__half, +, __hadd)
CPUCUDA_OPERATOR(__half, -, __hsub)
CPUCUDA_OPERATOR(__half, *, __hmul)
CPUCUDA_OPERATOR(__half, /, __hdiv)
CPUCUDA_OPERATOR(__half2, +, __hadd2)
CPUCUDA_OPERATOR(__half2, -, __hsub2)
CPUCUDA_OPERATOR(__half2, *, __hmul2)
CPUCUDA_OPERATOR(__half2, /, __h2div)
CPUCUDA_STEP(__half, ++, __hadd, __half(1.0f))
CPUCUDA_STEP(__half, --, __hsub, __half(1.0f))
CPUCUDA_STEP(__half2, ++, __hadd2, __float2half2_rn(1.0f))
CPUCUDA_STEP(__half2, --, __hsub2, __float2half2_rn(1.0f))

#undef CPUCUDA_OPERATOR
#undef CPUCUDA_STEP

__forceinline__ __half operator+(const __half &a) {
    return a;
}
__forceinline__ __half operator-(const __half &a) {
    return __hneg(a);
}
__forceinline__ __half2 operator+(const __half2 &a) {
    return a;
}
__forceinline__ __half2 operator-(const __half2 &a) {
    return __hneg2(a);
}

#endif
