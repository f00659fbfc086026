/* Comparisons; half2, whose every operation is that of half on each of two; what threads share. */
#include <thread>
#include <type_traits>

#include "half_reference.h"
#include "half.h"

static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4,
              "the toolkit's layout");
static_assert(std::is_trivially_default_constructible<half>::value &&
                  std::is_trivially_default_constructible<half2>::value,
              "shared arrays are not initialised");

static half2 pair_of(unsigned low, unsigned high) {
    return __halves2half2(half_of(low), half_of(high));
}
static unsigned bits_of(half2 pair) {
    unsigned bits;

    memcpy(&bits, &pair, 4);
    return bits;
}
static unsigned both(half low, half high) {
    return bits_of(low) | bits_of(high) << 16;
}

/* One comparison in all its forms. */
struct comparison {
    const char *name;
    bool less, equal, greater, unordered;
    bool (*one)(half, half);
    half2 (*each)(half2, half2);
    unsigned (*mask)(half2, half2);
    bool (*all)(half2, half2);
};

static bool wanted(const comparison &c, unsigned a, unsigned b) {
    wide left = signed_units(a), right = signed_units(b);

    if (is_nan(a) || is_nan(b))
        return c.unordered;
    return left < right ? c.less : left == right ? c.equal : c.greater;
}

#define COMPARISON(name, less, equal, greater, unordered)                                          \
    {                                                                                              \
#name, less, equal, greater, unordered, __h##name, __h##name##2, __h##name##2_mask,        \
            __hb##name##2                                                                          \
    }

void test_comparisons(void) {
    static const comparison all[] = {
        COMPARISON(eq, 0, 1, 0, 0),  COMPARISON(ne, 1, 0, 1, 0),  COMPARISON(le, 1, 1, 0, 0),
        COMPARISON(ge, 0, 1, 1, 0),  COMPARISON(lt, 1, 0, 0, 0),  COMPARISON(gt, 0, 0, 1, 0),
        COMPARISON(equ, 0, 1, 0, 1), COMPARISON(neu, 1, 0, 1, 1), COMPARISON(leu, 1, 1, 0, 1),
        COMPARISON(geu, 0, 1, 1, 1), COMPARISON(ltu, 1, 0, 0, 1), COMPARISON(gtu, 0, 0, 1, 1)};

    for (int i = 0; i < 60000; i++) {
        unsigned a = random_case(), b = i % 3 ? random_case() : a ^ (i % 2 ? 0 : SIGN);
        unsigned c = random_case(), d = i % 5 ? random_case() : c;
        half x = half_of(a), y = half_of(b);
        half2 left = pair_of(a, c), right = pair_of(b, d);

        for (const comparison &one : all) {
            bool low = wanted(one, a, b), high = wanted(one, c, d);
            check(one.one(x, y) == low, "__h%s(0x%04x, 0x%04x)", one.name, a, b);
            check(bits_of(one.each(left, right)) == (low * 0x3c00u | high * 0x3c000000u) &&
                      one.mask(left, right) == (low * 0xffffu | high * 0xffff0000u) &&
                      one.all(left, right) == (low && high),
                  "__h%s2 of 0x%04x, 0x%04x and 0x%04x, 0x%04x", one.name, a, c, b, d);
        }
        check((x == y) == __heq(x, y) && (x != y) == __hneu(x, y) && (x < y) == __hlt(x, y) &&
                  (x > y) == __hgt(x, y) && (x <= y) == __hle(x, y) && (x >= y) == __hge(x, y),
              "operators between 0x%04x and 0x%04x", a, b);
        check(
            (left == right) == __hbeq2(left, right) && (left != right) == __hbneu2(left, right) &&
                (left < right) == __hblt2(left, right) && (left > right) == __hbgt2(left, right) &&
                (left <= right) == __hble2(left, right) && (left >= right) == __hbge2(left, right),
            "operators of pairs");

        unsigned greater = signed_units(a) > signed_units(b) ? a : b, lesser = a ^ b ^ greater;
        if (!units(a) && !units(b)) {
            greater = a & b;
            lesser = a | b;
        }
        if (is_nan(a) || is_nan(b))
            greater = lesser = !is_nan(a) ? a : !is_nan(b) ? b : (unsigned)NOT_A_NUMBER;
        check(bits_of(__hmax(x, y)) == greater, "__hmax(0x%04x, 0x%04x)", a, b);
        check(bits_of(__hmin(x, y)) == lesser, "__hmin(0x%04x, 0x%04x)", a, b);
        if (is_nan(a) || is_nan(b))
            greater = lesser = NOT_A_NUMBER;
        check(bits_of(__hmax_nan(x, y)) == greater && bits_of(__hmin_nan(x, y)) == lesser,
              "__hmax_nan, __hmin_nan(0x%04x, 0x%04x)", a, b);
    }
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        check(__hisnan(half_of(bits)) == is_nan(bits), "__hisnan(0x%04x)", bits);
        check(__hisinf(half_of(bits)) == (bits == INFINITE) - (bits == (INFINITE | SIGN)),
              "__hisinf(0x%04x)", bits);
        check(bits_of(__hisnan2(pair_of(bits, 0))) == is_nan(bits) * 0x3c00u &&
                  bits_of(__hisnan2(pair_of(0, bits))) == is_nan(bits) * 0x3c000000u,
              "__hisnan2(0x%04x)", bits);
    }
}

#define UNARY(pair, one)                                                                           \
    check(bits_of(pair(a)) == both(one(a.x), one(a.y)), #pair " of 0x%08x", bits_of(a))
#define BINARY(pair, one)                                                                          \
    check(bits_of(pair(a, b)) == both(one(a.x, b.x), one(a.y, b.y)), #pair " of 0x%08x, 0x%08x",   \
          bits_of(a), bits_of(b))
#define TERNARY(pair, one)                                                                         \
    check(bits_of(pair(a, b, c)) == both(one(a.x, b.x, c.x), one(a.y, b.y, c.y)),                  \
          #pair " of 0x%08x, 0x%08x, 0x%08x", bits_of(a), bits_of(b), bits_of(c))
#define OPERATORS(type, sign, function)                                                            \
    {                                                                                              \
        type x = type(a), sum = x, other = type(b);                                                \
        sum sign## = other;                                                                        \
        check(bits_of(x sign other) == bits_of(function(x, other)) &&                              \
                  bits_of(sum) == bits_of(x sign other),                                           \
              #type " " #sign);                                                                    \
    }
#define STEPS(type, sign, function, one)                                                           \
    {                                                                                              \
        type x = type(a), y = x, want = function(x, one);                                          \
        check(bits_of(x sign) == bits_of(y) && bits_of(x) == bits_of(want) &&                      \
                  bits_of(sign y) == bits_of(want) && bits_of(y) == bits_of(want),                 \
              #type " " #sign);                                                                    \
    }

static void try_pairs(half2 a, half2 b, half2 c) {
    UNARY(__hneg2, __hneg);
    UNARY(__habs2, __habs);
    UNARY(h2sqrt, hsqrt);
    UNARY(h2rsqrt, hrsqrt);
    UNARY(h2rcp, hrcp);
    UNARY(h2exp, hexp);
    UNARY(h2exp2, hexp2);
    UNARY(h2exp10, hexp10);
    UNARY(h2log, hlog);
    UNARY(h2log2, hlog2);
    UNARY(h2log10, hlog10);
    UNARY(h2sin, hsin);
    UNARY(h2cos, hcos);
    UNARY(h2tanh, htanh);
    UNARY(h2floor, hfloor);
    UNARY(h2ceil, hceil);
    UNARY(h2trunc, htrunc);
    UNARY(h2rint, hrint);
    BINARY(__hadd2, __hadd);
    BINARY(__hsub2, __hsub);
    BINARY(__hmul2, __hmul);
    BINARY(__h2div, __hdiv);
    BINARY(__hadd2_sat, __hadd_sat);
    BINARY(__hsub2_sat, __hsub_sat);
    BINARY(__hmul2_sat, __hmul_sat);
    BINARY(__hadd2_rn, __hadd);
    BINARY(__hsub2_rn, __hsub);
    BINARY(__hmul2_rn, __hmul);
    BINARY(__hmax2, __hmax);
    BINARY(__hmin2, __hmin);
    BINARY(__hmax2_nan, __hmax_nan);
    BINARY(__hmin2_nan, __hmin_nan);
    TERNARY(__hfma2, __hfma);
    TERNARY(__hfma2_sat, __hfma_sat);
    TERNARY(__hfma2_relu, __hfma_relu);
    check(bits_of(__hcmadd(a, b, c)) == both(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),
                                             __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))),
          "__hcmadd");
    OPERATORS(half2, +, __hadd2)
    OPERATORS(half2, -, __hsub2)
    OPERATORS(half2, *, __hmul2)
    OPERATORS(half2, /, __h2div)
    STEPS(half2, ++, __hadd2, __float2half2_rn(1))
    STEPS(half2, --, __hsub2, __float2half2_rn(1))
    check(bits_of(+a) == bits_of(a) && bits_of(-a) == bits_of(__hneg2(a)), "signs of pairs");
}

static void try_ones(half a, half b) {
    OPERATORS(half, +, __hadd)
    OPERATORS(half, -, __hsub)
    OPERATORS(half, *, __hmul)
    OPERATORS(half, /, __hdiv)
    STEPS(half, ++, __hadd, half(1))
    STEPS(half, --, __hsub, half(1))
    check(bits_of(+a) == bits_of(a) && bits_of(-a) == bits_of(__hneg(a)), "signs");
}

static void rearrangements(void) {
    half2 a = pair_of(0x3c00, 0x4000), b = pair_of(0x4200, 0x4400), kept = a; /* 1, 2 and 3, 4 */
    float2 floats = __half22float2(a);

    check(floats.x == 1 && floats.y == 2, "__half22float2");
    check(bits_of(__float22half2_rn(floats)) == bits_of(a), "__float22half2_rn");
    check(bits_of(a) == 0x40003c00, "x is the low half");
    check(bits_of(kept) == 0x40003c00, "copy");
    kept = b;
    check(bits_of(kept) == 0x44004200, "assignment");
    check(bits_of(half2(__half2_raw(b))) == 0x44004200, "__half2_raw");
    check(bits_of(make_half2(b.x, b.y)) == 0x44004200, "make_half2");
    check(bits_of(__floats2half2_rn(1, 2)) == 0x40003c00, "__floats2half2_rn");
    check(bits_of(__float2half2_rn(2)) == 0x40004000, "__float2half2_rn");
    check(bits_of(__half2half2(b.x)) == 0x42004200, "__half2half2");
    check(__low2float(a) == 1 && __high2float(a) == 2, "__low2float, __high2float");
    check(bits_of(__low2half(a)) == 0x3c00 && bits_of(__high2half(a)) == 0x4000, "__low2half");
    check(bits_of(__low2half2(a)) == 0x3c003c00, "__low2half2");
    check(bits_of(__high2half2(a)) == 0x40004000, "__high2half2");
    check(bits_of(__lows2half2(a, b)) == 0x42003c00, "__lows2half2");
    check(bits_of(__highs2half2(a, b)) == 0x44004000, "__highs2half2");
    check(bits_of(__lowhigh2highlow(a)) == 0x3c004000, "__lowhigh2highlow");
}

void test_pairs(void) {
    rearrangements();
    for (int i = 0; i < 3000; i++) {
        half2 pairs[3];
        for (half2 &pair : pairs)
            pair = pair_of(random_case(), random_case());
        try_pairs(pairs[0], pairs[1], pairs[2]);
        try_ones(pairs[0].x, pairs[1].x);
    }
}
