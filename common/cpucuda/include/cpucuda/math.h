/* Device arithmetic in float and double, and what else a kernel calls without a header. The C
 * library's functions serve for the rest: expf, sinf, fmaf, hypotf ...
 *
 * Where the GPU's function is approximate (rsqrtf to 2 ulp, __expf, __logf, __powf, __sinf, __cosf,
 * __fdividef), this one is rounded correctly or as well as the C library does: results differ from
 * a GPU's in the last bits. */
#ifndef CPUCUDA_MATH_H
#define CPUCUDA_MATH_H

/* Of the GNU C++ library's <math.h>, the Bessel functions and their kin are most, and nearly half
 * of what a small step's compilation takes. std::min and std::max come with them, as with nvcc; so
 * these are taken from elsewhere, and with them the library's settings. */
#include <array>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"
#include "integer.h"
#include "conversions.h"

/* Roots are counted. Those of the C library get names of their own for that, and code behind these
 * headers means them when it says sqrtf or sqrt: the macros at the end of this file. */
inline CPUCUDA_UNTRACED float rsqrtf(float x) {
    cpucuda::done_here.rsqrtf++;
    return (float)(1 / sqrt((double)x));
}
inline float rsqrt(float x) {
    return rsqrtf(x);
}
inline CPUCUDA_UNTRACED float cpucuda_sqrtf(float x) {
    cpucuda::done_here.other_roots++;
    return sqrtf(x);
}
/* Of a float in float, of a double and of integers in double. */
template <class T> CPUCUDA_UNTRACED auto cpucuda_sqrt(T x) -> decltype(sqrt(x)) {
    cpucuda::done_here.other_roots++;
    return sqrt(x);
}
inline double rsqrt(double x) {
    return 1 / cpucuda_sqrt(x);
}
inline float __frsqrt_rn(float x) {
    return (float)rsqrt((double)x);
}
inline float __fsqrt_rn(float x) {
    return cpucuda_sqrtf(x);
}
inline double __dsqrt_rn(double x) {
    return cpucuda_sqrt(x);
}

/* A product or quotient of floats rounded to double and then to float is as if rounded once; and no
 * compiler fuses across the conversion. */
inline float __fadd_rn(float x, float y) {
    return (float)((double)x + y);
}
inline float __fsub_rn(float x, float y) {
    return (float)((double)x - y);
}
inline float __fmul_rn(float x, float y) {
    return (float)((double)x * y);
}
inline float __fdiv_rn(float x, float y) {
    return (float)((double)x / y);
}
inline float __frcp_rn(float x) {
    return __fdiv_rn(1, x);
}
inline float __fmaf_rn(float x, float y, float z) {
    return fmaf(x, y, z);
}
inline double __fma_rn(double x, double y, double z) {
    return fma(x, y, z);
}

/* x / y; as documented 0 where y is above 2^126, NaN there if x is infinite. */
inline float __fdividef(float x, float y) {
    return fabsf(y) > 0x1p126f && !isinf(y) ? x * 0 : x / y;
}
inline float fdividef(float x, float y) {
    return x / y;
}
inline float __expf(float x) {
    return expf(x);
}
inline float __exp10f(float x) {
    return powf(10, x);
}
inline float __logf(float x) {
    return logf(x);
}
inline float __log2f(float x) {
    return log2f(x);
}
inline float __log10f(float x) {
    return log10f(x);
}
inline float __powf(float x, float y) {
    return powf(x, y);
}
inline float __sinf(float x) {
    return sinf(x);
}
inline float __cosf(float x) {
    return cosf(x);
}
inline float __tanf(float x) {
    return tanf(x);
}
inline void __sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x), *cosine = cosf(x);
}

/* x held within 0 and 1; 0 for NaN. */
inline float __saturatef(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

/* min and max of the types CUDA has them for; a signed and an unsigned argument compare as
 * unsigned, and a NaN loses against a number. */
#define CPUCUDA_MIN_MAX(R, A, B)                                                                   \
    inline R min(A a, B b) {                                                                       \
        return (R)a < (R)b ? (R)a : (R)b;                                                          \
    }                                                                                              \
    inline R max(A a, B b) {                                                                       \
        return (R)a > (R)b ? (R)a : (R)b;                                                          \
    }
CPUCUDA_MIN_MAX(int, int, int)
CPUCUDA_MIN_MAX(unsigned, unsigned, unsigned)
CPUCUDA_MIN_MAX(unsigned, int, unsigned)
CPUCUDA_MIN_MAX(unsigned, unsigned, int)
CPUCUDA_MIN_MAX(long, long, long)
CPUCUDA_MIN_MAX(unsigned long, unsigned long, unsigned long)
CPUCUDA_MIN_MAX(unsigned long, long, unsigned long)
CPUCUDA_MIN_MAX(unsigned long, unsigned long, long)
CPUCUDA_MIN_MAX(long long, long long, long long)
CPUCUDA_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CPUCUDA_MIN_MAX(unsigned long long, long long, unsigned long long)
CPUCUDA_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CPUCUDA_MIN_MAX
#define CPUCUDA_MIN_MAX(R, A, B)                                                                   \
    inline R min(A a, B b) {                                                                       \
        return fmin(a, b);                                                                         \
    }                                                                                              \
    inline R max(A a, B b) {                                                                       \
        return fmax(a, b);                                                                         \
    }
CPUCUDA_MIN_MAX(double, double, double)
CPUCUDA_MIN_MAX(double, float, double)
CPUCUDA_MIN_MAX(double, double, float)
#undef CPUCUDA_MIN_MAX
inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}

/* Loads and stores with a word on caching, which a CPU does not take. */
#define CPUCUDA_LOAD(name)                                                                         \
    template <class T> __attribute__((always_inline)) inline T name(const T *address) {            \
        return *address;                                                                           \
    }
#define CPUCUDA_STORE(name)                                                                        \
    template <class T> __attribute__((always_inline)) inline void name(T *address, T value) {      \
        *address = value;                                                                          \
    }
CPUCUDA_LOAD(__ldg)
CPUCUDA_LOAD(__ldca)
CPUCUDA_LOAD(__ldcg)
CPUCUDA_LOAD(__ldcs)
CPUCUDA_LOAD(__ldlu)
CPUCUDA_LOAD(__ldcv)
CPUCUDA_STORE(__stwb)
CPUCUDA_STORE(__stcg)
CPUCUDA_STORE(__stcs)
CPUCUDA_STORE(__stwt)
#undef CPUCUDA_LOAD
#undef CPUCUDA_STORE

/* Nanoseconds here, cycles on a GPU. clock() is the C library's. */
inline long long clock64() {
    return cpucuda::clock_now();
}

/* Lets other threads run; how long it sleeps is open on a GPU too. */
inline void __nanosleep(unsigned, CPUCUDA_CALLER) {
    cpucuda::turns_over(file, line);
}

__attribute__((noreturn)) inline void __trap(CPUCUDA_CALLER) {
    cpucuda::fail("trap", "%s:%d: __trap() ends the kernel", file, line);
}

/* Macros, since a function that is named as the C library's would be ambiguous beside it. */
namespace std {
using ::cpucuda_sqrt;
using ::cpucuda_sqrtf;
} // namespace std
#define sqrt  cpucuda_sqrt
#define sqrtf cpucuda_sqrtf

#endif
