/* Conversions between numbers, rounded as their names say: rn to the nearest, even on a tie; rz
 * towards zero; ru up; rd down. Floats beyond an integer type become its nearest value, and NaN 0
 * (the top bit alone for 64 bits): as the GPU does, while C leaves it open. And the bits of floats
 * as integers. */
#ifndef CPUCUDA_CONVERSIONS_H
#define CPUCUDA_CONVERSIONS_H

#include <limits>
#include <math.h>
#include <string.h>

namespace cpucuda {

template <class To, class From> To bits(From from) {
    To to;

    static_assert(sizeof to == sizeof from, "the bits of another type have its size");
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

/* `whole` is an integer already. */
template <class I, class F> I saturated(F whole) {
    typedef std::numeric_limits<I> limits;
    const F end = ldexp((F)1, limits::digits); /* the first number that is too large */

    if (isnan(whole))
        return sizeof(I) < 8 ? (I)0 : (I)(1ull << 63);
    if (whole >= end)
        return limits::max();
    return whole < (limits::is_signed ? -end : 0) ? limits::min() : (I)whole;
}

/* The exact value lies between the neighbours of `nearest`; `error` is nearest - exact. */
template <class F> F towards_zero(F nearest, long double error) {
    return (nearest > 0 && error > 0) || (nearest < 0 && error < 0) ? nextafter(nearest, (F)0)
                                                                    : nearest;
}
template <class F> F up(F nearest, long double error) {
    return error < 0 ? nextafter(nearest, (F)INFINITY) : nearest;
}
template <class F> F down(F nearest, long double error) {
    return error > 0 ? nextafter(nearest, -(F)INFINITY) : nearest;
}

} // namespace cpucuda

#define CPUCUDA_TO_INTEGER(name, F, I)                                                             \
    inline I name##_rn(F x) {                                                                      \
        return cpucuda::saturated<I>((F)rint(x));                                                  \
    }                                                                                              \
    inline I name##_rz(F x) {                                                                      \
        return cpucuda::saturated<I>((F)trunc(x));                                                 \
    }                                                                                              \
    inline I name##_ru(F x) {                                                                      \
        return cpucuda::saturated<I>((F)ceil(x));                                                  \
    }                                                                                              \
    inline I name##_rd(F x) {                                                                      \
        return cpucuda::saturated<I>((F)floor(x));                                                 \
    }
CPUCUDA_TO_INTEGER(__float2int, float, int)
CPUCUDA_TO_INTEGER(__float2uint, float, unsigned)
CPUCUDA_TO_INTEGER(__float2ll, float, long long)
CPUCUDA_TO_INTEGER(__float2ull, float, unsigned long long)
CPUCUDA_TO_INTEGER(__double2int, double, int)
CPUCUDA_TO_INTEGER(__double2uint, double, unsigned)
CPUCUDA_TO_INTEGER(__double2ll, double, long long)
CPUCUDA_TO_INTEGER(__double2ull, double, unsigned long long)
#undef CPUCUDA_TO_INTEGER

/* long double holds the difference on x86-64 and aarch64 exactly. */
#define CPUCUDA_TO_FLOAT(name, From, F)                                                            \
    inline F name##_rn(From x) {                                                                   \
        return (F)x;                                                                               \
    }                                                                                              \
    inline F name##_rz(From x) {                                                                   \
        return cpucuda::towards_zero((F)x, (long double)(F)x - x);                                 \
    }                                                                                              \
    inline F name##_ru(From x) {                                                                   \
        return cpucuda::up((F)x, (long double)(F)x - x);                                           \
    }                                                                                              \
    inline F name##_rd(From x) {                                                                   \
        return cpucuda::down((F)x, (long double)(F)x - x);                                         \
    }
CPUCUDA_TO_FLOAT(__int2float, int, float)
CPUCUDA_TO_FLOAT(__uint2float, unsigned, float)
CPUCUDA_TO_FLOAT(__ll2float, long long, float)
CPUCUDA_TO_FLOAT(__ull2float, unsigned long long, float)
CPUCUDA_TO_FLOAT(__ll2double, long long, double)
CPUCUDA_TO_FLOAT(__ull2double, unsigned long long, double)
CPUCUDA_TO_FLOAT(__double2float, double, float)
#undef CPUCUDA_TO_FLOAT
inline double __int2double_rn(int x) {
    return x;
}
inline double __uint2double_rn(unsigned x) {
    return x;
}

inline int __float_as_int(float x) {
    return cpucuda::bits<int>(x);
}
inline unsigned __float_as_uint(float x) {
    return cpucuda::bits<unsigned>(x);
}
inline float __int_as_float(int x) {
    return cpucuda::bits<float>(x);
}
inline float __uint_as_float(unsigned x) {
    return cpucuda::bits<float>(x);
}
inline long long __double_as_longlong(double x) {
    return cpucuda::bits<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return cpucuda::bits<double>(x);
}
inline int __double2hiint(double x) {
    return (int)(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) {
    return (int)__double_as_longlong(x);
}
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

#endif
