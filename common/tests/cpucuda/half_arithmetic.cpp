/* Sums, products, quotients and fused sums against integers, roots and functions over all halves.
 */
#include "half_reference.h"
#include "half.h"

/* The sum of finite parts counted in 2^-48; `zero_sign` where it is zero. */
static unsigned rounded(wide sum, unsigned zero_sign) {
    return sum ? search<wide>(sum < 0, sum < 0 ? -sum : sum, (wide)1 << 24) : zero_sign;
}

static unsigned wanted_sum(unsigned a, unsigned b) {
    if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b) && a != b))
        return NOT_A_NUMBER;
    if (is_infinite(a) || is_infinite(b))
        return is_infinite(a) ? a : b;
    return rounded((signed_units(a) + signed_units(b)) * (1 << 24), a & b & SIGN);
}

static unsigned wanted_product(unsigned a, unsigned b) {
    unsigned sign = (a ^ b) & SIGN;

    if (is_nan(a) || is_nan(b))
        return NOT_A_NUMBER;
    if (is_infinite(a) || is_infinite(b))
        return units(a) && units(b) ? INFINITE | sign : (unsigned)NOT_A_NUMBER;
    return rounded(signed_units(a) * signed_units(b), sign);
}

static unsigned wanted_quotient(unsigned a, unsigned b) {
    unsigned sign = (a ^ b) & SIGN;

    if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (!units(a) && !units(b)))
        return NOT_A_NUMBER;
    if (is_infinite(a) || !units(b))
        return INFINITE | sign;
    if (is_infinite(b))
        return sign;
    return search<wide>(sign, (wide)units(a) << 24, units(b));
}

static unsigned wanted_fused(unsigned a, unsigned b, unsigned c) {
    unsigned sign = (a ^ b) & SIGN;

    if (is_nan(c) || is_infinite(a) || is_infinite(b) || is_nan(a) || is_nan(b))
        return wanted_sum(wanted_product(a, b), c);
    if (is_infinite(c))
        return c;
    return rounded(signed_units(a) * signed_units(b) + signed_units(c) * (1 << 24),
                   units(a) && units(b) && units(c) ? 0 : sign & c);
}

static unsigned saturated(unsigned bits) {
    return is_nan(bits) || bits & SIGN ? 0 : bits > 0x3c00 ? 0x3c00 : bits;
}

static void try_two(unsigned a, unsigned b) {
    half x = half_of(a), y = half_of(b);
    unsigned sum = wanted_sum(a, b), product = wanted_product(a, b);
    unsigned difference = is_nan(b) ? (unsigned)NOT_A_NUMBER : wanted_sum(a, b ^ SIGN);

    check(bits_of(__hadd(x, y)) == sum, "0x%04x + 0x%04x is 0x%04x", a, b, bits_of(__hadd(x, y)));
    check(bits_of(__hsub(x, y)) == difference, "0x%04x - 0x%04x is 0x%04x", a, b,
          bits_of(__hsub(x, y)));
    check(bits_of(__hmul(x, y)) == product, "0x%04x * 0x%04x is 0x%04x", a, b,
          bits_of(__hmul(x, y)));
    check(bits_of(__hdiv(x, y)) == wanted_quotient(a, b), "0x%04x / 0x%04x is 0x%04x", a, b,
          bits_of(__hdiv(x, y)));
    check(bits_of(__hadd_sat(x, y)) == saturated(sum) &&
              bits_of(__hsub_sat(x, y)) == saturated(difference) &&
              bits_of(__hmul_sat(x, y)) == saturated(product),
          "0x%04x and 0x%04x, saturated", a, b);
    check(bits_of(__hadd_rn(x, y)) == sum && bits_of(__hsub_rn(x, y)) == difference &&
              bits_of(__hmul_rn(x, y)) == product,
          "0x%04x and 0x%04x, _rn", a, b);
}

static void try_three(unsigned a, unsigned b, unsigned c) {
    half x = half_of(a), y = half_of(b), z = half_of(c);
    unsigned want = wanted_fused(a, b, c);

    check(bits_of(__hfma(x, y, z)) == want, "0x%04x * 0x%04x + 0x%04x is 0x%04x, not 0x%04x", a, b,
          c, bits_of(__hfma(x, y, z)), want);
    check(bits_of(__hfma_sat(x, y, z)) == saturated(want), "__hfma_sat 0x%04x", want);
    check(bits_of(__hfma_relu(x, y, z)) == (want & SIGN ? 0 : want), "__hfma_relu 0x%04x", want);
}

void test_arithmetic(void) {
    for (unsigned i = 0; i < CASES; i++) {
        for (unsigned j = i % 3; j < CASES; j += 3)
            try_two(special_case(i), special_case(j));
    }
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = random_bits();
        try_two(bits & 0xffff, bits >> 16 & 0xffff);
        try_three(bits & 0xffff, bits >> 16 & 0xffff, bits >> 32 & 0xffff);
        try_three(random_case(), random_case(), random_case());
    }
    /* 2050 + (1 - 2^-20): in float it is 2051, the middle between two halves. */
    try_three(0x3c01, 0x3bfe, 0x6801);
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        half value = half_of(bits);
        unsigned nan = NOT_A_NUMBER;
        check(bits_of(__hneg(value)) == (is_nan(bits) ? nan : bits ^ SIGN), "-0x%04x", bits);
        check(bits_of(__habs(value)) == (is_nan(bits) ? nan : bits & 0x7fff), "|0x%04x|", bits);
    }
}

/* A root r of the square m / n: the middles between r and its neighbours lie on both sides of it,
 * and on none of them. Counted in units of 2^-25; the product of a middle's square with n is
 * compared. */
static void try_root(const char *name, unsigned bits, unsigned root, wide m, wide n) {
    wide up = units(root) + units(root + 1), down = units(root) + units(root - 1);

    check(down * down * n < m && m < up * up * n, "%s(0x%04x) is 0x%04x", name, bits, root);
}

static void roots(void) {
    for (unsigned bits = 1; bits < INFINITE; bits++) {
        try_root("hsqrt", bits, bits_of(hsqrt(half_of(bits))), (wide)units(bits) << 26, 1);
        try_root("hrsqrt", bits, bits_of(hrsqrt(half_of(bits))), (wide)1 << 74, units(bits));
    }
    for (unsigned bits = 0x8001; bits < 0xfc00; bits++)
        check(bits_of(hsqrt(half_of(bits))) == NOT_A_NUMBER &&
                  bits_of(hrsqrt(half_of(bits))) == NOT_A_NUMBER,
              "roots of 0x%04x", bits);
    check(bits_of(hsqrt(half_of(0))) == 0 && bits_of(hsqrt(half_of(SIGN))) == SIGN &&
              bits_of(hsqrt(half_of(INFINITE))) == INFINITE &&
              bits_of(hsqrt(half_of(INFINITE | SIGN))) == NOT_A_NUMBER,
          "hsqrt of zeros and infinities");
    check(bits_of(hrsqrt(half_of(0))) == INFINITE &&
              bits_of(hrsqrt(half_of(SIGN))) == (INFINITE | SIGN) &&
              bits_of(hrsqrt(half_of(INFINITE))) == 0,
          "hrsqrt of zeros and infinity");
}

static long double exp10_wide(long double value) {
    return powl(10, value);
}
static long double reciprocal(long double value) {
    return 1 / value;
}

static void function(const char *name, half (*tried)(half), long double (*exact)(long double)) {
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        long double value = exact(__half2float(half_of(bits)));
        unsigned want, got = bits_of(tried(half_of(bits)));

        if (value != value)
            want = NOT_A_NUMBER;
        else
            want = search<long double>(signbit(value), fabsl(value), 0x1p-24L);
        check(got == want, "%s(0x%04x) is 0x%04x, not 0x%04x", name, bits, got, want);
    }
}

void test_functions(void) {
    roots();
    function("hrcp", hrcp, reciprocal);
    function("hexp", hexp, expl);
    function("hexp2", hexp2, exp2l);
    function("hexp10", hexp10, exp10_wide);
    function("hlog", hlog, logl);
    function("hlog2", hlog2, log2l);
    function("hlog10", hlog10, log10l);
    function("hsin", hsin, sinl);
    function("hcos", hcos, cosl);
    function("htanh", htanh, tanhl);
    function("hfloor", hfloor, floorl);
    function("hceil", hceil, ceill);
    function("htrunc", htrunc, truncl);
    function("hrint", hrint, rintl);
}
