/* Every conversion of half against the search. */
#include <float.h>

#include "half_reference.h"
#include "half.h"

static const char modes[] = "nzdu";

static unsigned from_float(float value, char mode) {
    switch (mode) {
    case 'n':
        return bits_of(__float2half_rn(value));
    case 'z':
        return bits_of(__float2half_rz(value));
    case 'd':
        return bits_of(__float2half_rd(value));
    default:
        return bits_of(__float2half_ru(value));
    }
}

static unsigned wanted(double value, char mode) {
    if (value != value)
        return NOT_A_NUMBER;
    if (isinf(value))
        return INFINITE | (value < 0 ? SIGN : 0);
    return search<double>(signbit(value), fabs(value), 0x1p-24, mode);
}

static void try_double(double value) {
    unsigned want = wanted(value, 'n');

    check(bits_of(__double2half(value)) == want && bits_of(half(value)) == want,
          "__double2half(%a) is 0x%04x, not 0x%04x", value, bits_of(__double2half(value)), want);
}

static void try_float(float value) {
    for (const char *mode = modes; *mode; mode++)
        check(from_float(value, *mode) == wanted(value, *mode),
              "__float2half_r%c(%a) is 0x%04x, not 0x%04x", *mode, value, from_float(value, *mode),
              wanted(value, *mode));
    check(bits_of(__float2half(value)) == wanted(value, 'n') &&
              bits_of(half(value)) == wanted(value, 'n'),
          "__float2half(%a)", value);
    try_double(value);
}

static void try_near(float value) {
    for (int sign = -1; sign <= 1; sign += 2) {
        try_float(sign * value);
        try_float(sign * nextafterf(value, INFINITY));
        try_float(sign * nextafterf(value, 0));
        try_double(sign * nextafter(value, INFINITY));
        try_double(sign * nextafter(value, 0));
    }
}

static void floats(void) {
    const float limits[] = {FLT_MAX,  FLT_MIN,    FLT_TRUE_MIN, INFINITY, -INFINITY,
                            NAN,      -NAN,       65519.99f,    65520,    65536,
                            0x1p-25f, 0x1.8p-25f, 0x1p-26f,     131072,   -0.0f};
    const double far[] = {DBL_MAX, DBL_MIN, DBL_TRUE_MIN, INFINITY, NAN};

    for (unsigned bits = 0; bits < 0x10000; bits++) {
        float value = __half2float(half_of(bits));
        double want = ldexp((double)units(bits), -24) * (bits & SIGN ? -1 : 1);

        if (is_infinite(bits))
            want = bits & SIGN ? -INFINITY : INFINITY;
        if (is_nan(bits))
            check(value != value && wanted(value, 'n') == NOT_A_NUMBER, "NaN 0x%04x", bits);
        else
            check(value == want && !signbit(value) == !(bits & SIGN), "0x%04x is %a", bits, value);
        for (const char *mode = modes; *mode; mode++)
            check(from_float(value, *mode) == (is_nan(bits) ? (unsigned)NOT_A_NUMBER : bits),
                  "0x%04x to float and back, mode %c, is 0x%04x", bits, *mode,
                  from_float(value, *mode));
        check(__half_as_short(__short_as_half((short)bits)) == (short)bits, "bits 0x%04x", bits);
        check((bool)half_of(bits) == ((bits & 0x7fff) != 0), "bool 0x%04x", bits);
    }
    for (unsigned bits = 0; bits < INFINITE; bits++) {
        double value = ldexp((double)units(bits), -24), next = ldexp((double)units(bits + 1), -24);
        try_near((float)value);
        try_near((float)((value + next) / 2));
    }
    for (float limit : limits)
        try_float(limit);
    for (double limit : far) {
        try_double(limit);
        try_double(-limit);
    }
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)random_bits(); /* any float, then one of a half's range */
        float value;
        memcpy(&value, &bits, sizeof value);
        try_float(value);
        try_float(ldexpf((float)(int32_t)bits, (int)(random_bits() % 44) - 58));
    }
}

/* The integer next to a half, then within [least, most]. */
static wide whole(unsigned bits, char mode, wide nan, wide least, wide most) {
    wide magnitude = units(bits), result = magnitude >> 24, rest = magnitude - (result << 24);
    bool negative = bits & SIGN;

    if (is_nan(bits))
        return nan;
    if (is_infinite(bits))
        return negative ? least : most;
    if (mode == 'n')
        result += rest * 2 > 1 << 24 || (rest * 2 == 1 << 24 && result % 2);
    else
        result += rest && mode == (negative ? 'd' : 'u');
    if (negative)
        result = -result;
    return result < least ? least : result > most ? most : result;
}

template <class T> struct integer_functions {
    T (*to[4])(half);
    half (*from[4])(T);
    wide nan, least, most;
};

template <class T> void integers(const char *name, integer_functions<T> functions) {
    for (int mode = 0; mode < 4; mode++) {
        for (unsigned bits = 0; bits < 0x10000; bits++) {
            wide want = whole(bits, modes[mode], functions.nan, functions.least, functions.most);
            check(functions.to[mode](half_of(bits)) == (T)want, "__half2%s_r%c of 0x%04x is %lld",
                  name, modes[mode], bits, (long long)functions.to[mode](half_of(bits)));
            if (modes[mode] == 'z')
                check((T)half_of(bits) == (T)want, "0x%04x cast to %s", bits, name);
        }
        for (int i = -70000; i <= 70010; i++) {
            T value = i <= 70000 ? (T)i : i % 2 ? (T)functions.least : (T)functions.most;
            wide magnitude = value < 0 ? -(wide)value : (wide)value;
            unsigned want = search<wide>(value < 0, magnitude << 24, 1, modes[mode]);
            check(bits_of(functions.from[mode](value)) == want, "__%s2half_r%c(%lld) is 0x%04x",
                  name, modes[mode], (long long)value, bits_of(functions.from[mode](value)));
            if (modes[mode] == 'n')
                check(bits_of(half(value)) == want, "half(%s %lld)", name, (long long)value);
        }
    }
}

#define INTEGERS(type, name, ...)                                                                  \
    integers<type>(                                                                                \
        #name, {{__half2##name##_rn, __half2##name##_rz, __half2##name##_rd, __half2##name##_ru},  \
                {__##name##2half_rn, __##name##2half_rz, __##name##2half_rd, __##name##2half_ru},  \
                __VA_ARGS__})

void test_conversions(void) {
    floats();
    INTEGERS(short, short, 0, SHRT_MIN, SHRT_MAX);
    INTEGERS(unsigned short, ushort, 0, 0, USHRT_MAX);
    INTEGERS(int, int, 0, INT_MIN, INT_MAX);
    INTEGERS(unsigned, uint, 0, 0, UINT_MAX);
    INTEGERS(long long, ll, LLONG_MIN, LLONG_MIN, LLONG_MAX);
    INTEGERS(unsigned long long, ull, (wide)1 << 63, 0, ULLONG_MAX);
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        half value = half_of(bits);
        check(__half2char_rz(value) == whole(bits, 'z', 0, SCHAR_MIN, SCHAR_MAX) &&
                  (char)value == whole(bits, 'z', 0, CHAR_MIN, CHAR_MAX),
              "__half2char_rz of 0x%04x", bits);
        check(__half2uchar_rz(value) == whole(bits, 'z', 0, 0, UCHAR_MAX),
              "__half2uchar_rz of 0x%04x", bits);
        check((long)value == __half2ll_rz(value) && (unsigned long)value == __half2ull_rz(value),
              "0x%04x cast to long", bits);
    }
}
