/* Floats, halves and what is converted to and from them. */
#include "sass_operands.h"

#include "cpucuda/half_types.h"
#include "cpucuda/tensor.h"

#include <math.h>

namespace cpucuda {

static uint32_t half_of(float value) {
    return nearest_half(value);
}

/* Gives the first `count` operands their signs and absolute values. */
static void sign_floats(const sass_instruction &i, sources *s, int count) {
    const signs sign = signs_of(i, *s);
    const uint32_t **const operands[3] = {&s->a, &s->b, &s->c};

    for (int k = 0; k < count; k++) {
        const uint32_t keep = sign.absolute[k] ? ~(1u << 31) : ~0u;
        const uint32_t flip = sign.minus[k] ? 1u << 31 : 0;

        if (!sign.minus[k] && !sign.absolute[k])
            continue;
        for (int lane = 0; lane < 32; lane++)
            s->changed[k][lane] = ((*operands[k])[lane] & keep) ^ flip;
        *operands[k] = s->changed[k];
    }
}

/* Of a register with two halves that of this part, or the one that the operand names. */
static float half(const uint32_t *from, int l, unsigned which, unsigned part) {
    return value_of((unsigned short)(from[l] >> 16 * (which == 2 ? 0 : which == 3 ? 1 : part)));
}

/* Whether the two operands' halves of this part compare as the instruction says; a bit per lane. */
static uint32_t compare_halves(const sass_instruction &i, const sources &s, uint32_t lanes,
                               unsigned part) {
    const unsigned field = s.whole ? 0 : i.bits(60, 2), signs = s.whole ? 0 : i.bits(62, 2);
    uint32_t said = 0;

    each(lanes, [&](int l) {
        float a = half(s.a, l, i.bits(74, 2), part), b = half(s.b, l, field, part);

        a = i.bits(73, 1) ? fabsf(a) : a;
        b = signs & 1 ? fabsf(b) : b;
        said |= (uint32_t)compare_reals(i.bits(76, 4), i.bits(72, 1) ? -a : a, signs & 2 ? -b : b)
                << l;
    });
    return said;
}

static float unit_of_mufu(unsigned which, float x) {
    switch (which) {
    case 0:
        return cosf(x * 6.2831853f);
    case 1:
        return sinf(x * 6.2831853f);
    case 2:
        return exp2f(x);
    case 3:
        return log2f(x);
    case 4:
        return 1 / x;
    case 5:
        return 1 / sqrtf(x);
    case 8:
        return sqrtf(x);
    default:
        return tanhf(x);
    }
}

uint64_t integer_of(const sass_instruction &i, double x, int bits) {
    const double whole = rounded(i, x);

    if (x != x)
        return 0;
    if (i.bits(72, 1)) {
        const double most = ldexp(1, bits - 1);

        return whole >= most    ? ((uint64_t)1 << (bits - 1)) - 1
               : whole <= -most ? (uint64_t)1 << (bits - 1)
                                : (uint64_t)(int64_t)whole;
    }
    return whole <= 0 ? 0 : whole >= ldexp(1, bits) ? ~(uint64_t)0 >> (64 - bits) : (uint64_t)whole;
}

/* A float of an integer, rounded as I2F says. */
static float float_of(const sass_instruction &i, long double x) {
    float near = (float)x;
    const unsigned how = i.bits(78, 2);

    if (how == 2 && (long double)near < x)
        near = nextafterf(near, INFINITY);
    if ((how == 1 || (how == 3 && x > 0)) && (long double)near > x)
        near = nextafterf(near, -INFINITY);
    return near;
}

/* Products of matrices, m16n8k16 with halves and a sum of floats. */
static void multiply_matrices(const sass_registers &file, const sass_instruction &i,
                              product_fragments fragments[32]) {
    const unsigned a = number_of(file, i, 24), b = number_of(file, i, 32),
                   c = number_of(file, i, 64);
    uint64_t lanes[32];

    for (int lane = 0; lane < 32; lane++) {
        product_fragments &own = fragments[lane];

        for (unsigned k = 0; k < 4; k++) {
            own.a[k] = file.r[a + k][lane];
            own.c[k] = c == file.zero ? 0 : to_float(file.r[c + k][lane]);
        }
        for (unsigned k = 0; k < 2; k++)
            own.b[k] = file.r[b + k][lane];
        lanes[lane] = (uint64_t)&own;
    }
    multiply_fragments(lanes);
}

bool execute_float(sass_registers &file, const sass_instruction &i, uint32_t lanes, sources &s) {
    const unsigned operation = i.operation(), to = number_of(file, i, 16);
    uint32_t trash[32];
    uint32_t *d = to == file.zero ? trash : file.r[to];

    switch (operation) {
    case SASS_FSEL: {
        const uint32_t chosen = predicate(file, i, 87, 90);

        sign_floats(i, &s, 2);
        each(lanes, [&](int l) { d[l] = chosen >> l & 1 ? s.a[l] : s.b[l]; });
        return true;
    }
    case SASS_FMUL:
        sign_floats(i, &s, 2);
        each(lanes, [&](int l) { d[l] = to_bits(to_float(s.a[l]) * to_float(s.b[l])); });
        return true;
    case SASS_FADD:
        sign_floats(i, &s, s.swapped ? 3 : 2);
        if (s.swapped)
            s.b = s.c;
        each(lanes, [&](int l) { d[l] = to_bits(to_float(s.a[l]) + to_float(s.b[l])); });
        return true;
    case SASS_FFMA: /* rounded twice, which changes nothing that is counted */
        sign_floats(i, &s, 3);
        each(lanes, [&](int l) {
            d[l] = to_bits((float)((double)to_float(s.a[l]) * to_float(s.b[l]) + to_float(s.c[l])));
        });
        return true;
    case SASS_FMNMX: {
        const uint32_t least = predicate(file, i, 87, 90);

        sign_floats(i, &s, 2);
        each(lanes, [&](int l) {
            const float a = to_float(s.a[l]), b = to_float(s.b[l]);

            d[l] = to_bits(least >> l & 1 ? fminf(a, b) : fmaxf(a, b));
        });
        return true;
    }
    case SASS_FSETP: {
        const unsigned how = i.bits(76, 4), with = i.bits(74, 2);
        const uint32_t other = predicate(file, i, 87, 90);
        uint32_t said = 0;

        sign_floats(i, &s, 2);
        each(lanes, [&](int l) {
            said |= (uint32_t)compare_reals(how, to_float(s.a[l]), to_float(s.b[l])) << l;
        });
        set_predicate(file, i.bits(81, 3), lanes, combine(with, said, other));
        set_predicate(file, i.bits(84, 3), lanes, combine(with, ~said, other));
        return true;
    }
    case SASS_HSETP2:
        if (i.bits(69, 3) || i.bits(84, 3) != 7)
            return false;
        set_predicate(file, i.bits(81, 3), lanes,
                      combine(0, compare_halves(i, s, lanes, 0), predicate(file, i, 87, 90)));
        return true;
    case SASS_HSET2: {
        const uint32_t other = predicate(file, i, 87, 90), yes = i.bits(71, 1) ? 0x3c00 : 0xffff;
        const uint32_t low = compare_halves(i, s, lanes, 0) & other,
                       high = compare_halves(i, s, lanes, 1) & other;

        if (i.bits(69, 2))
            return false;
        each(lanes,
             [&](int l) { d[l] = (high >> l & 1 ? yes << 16 : 0) | (low >> l & 1 ? yes : 0); });
        return true;
    }
    case SASS_FCHK: /* no division here needs the slow path */
        set_predicate(file, i.bits(81, 3), lanes, 0);
        return true;
    case SASS_MUFU: {
        const unsigned which = i.bits(74, 4);

        if (which > 9 || which == 6 || which == 7)
            return false;
        sign_floats(i, &s, 2);
        each(lanes, [&](int l) { d[l] = to_bits(unit_of_mufu(which, to_float(s.b[l]))); });
        return true;
    }
    case SASS_F2I:
    case SASS_F2I_WIDE: { /* with 64 bits on one side */
        const int bits = 8 << i.bits(75, 2);

        if (i.bits(84, 2) == 3)
            return false;
        sign_floats(i, &s, 2);
        each(lanes, [&](int l) {
            const uint64_t value = integer_of(i, to_float(s.b[l]), bits);

            d[l] = (uint32_t)value;
            if (bits == 64 && to + 1 < file.zero)
                file.r[to + 1][l] = (uint32_t)(value >> 32);
        });
        return true;
    }
    case SASS_I2F:
    case SASS_I2FP:
    case SASS_I2F_WIDE: {
        const bool is_signed = i.bits(74, 1), wide = i.bits(84, 2) == 3;
        const unsigned reg = number_of(file, i, 32);

        if ((wide && i.form() != 1) || i.bits(75, 2) == 3)
            return false;
        each(lanes, [&](int l) {
            const uint64_t x = wide ? (uint64_t)file.r[(reg + 1) & 255][l] << 32 | s.b[l] : s.b[l];

            d[l] = to_bits(float_of(i, !is_signed ? (long double)x
                                       : wide     ? (long double)(int64_t)x
                                                  : (long double)(int32_t)x));
        });
        return true;
    }
    case SASS_FRND: /* to a whole number */
        if (i.bits(75, 2) != 2 || i.bits(84, 2) != 2)
            return false;
        sign_floats(i, &s, 2);
        each(lanes, [&](int l) { d[l] = to_bits((float)rounded(i, to_float(s.b[l]))); });
        return true;
    case SASS_F2F: { /* to or from a half; types of another size are not known */
        const bool to_half = i.bits(75, 2) == 1;

        if (i.bits(75, 2) + i.bits(84, 2) != 3)
            return false;
        sign_floats(i, &s, to_half ? 2 : 0);
        each(lanes, [&](int l) {
            d[l] = to_half ? half_of(to_float(s.b[l])) : to_bits(value_of((unsigned short)s.b[l]));
        });
        return true;
    }
    case SASS_F2FP: /* two floats to a pair of halves, the first above */
        each(lanes,
             [&](int l) { d[l] = half_of(to_float(s.a[l])) << 16 | half_of(to_float(s.b[l])); });
        return true;
    case SASS_HADD2:
    case SASS_HFMA2:
    case SASS_HMUL2:
    case SASS_HFMA2_MMA: {
        const unsigned field = s.whole ? 0 : i.bits(60, 2), third = i.bits(81, 2);
        const float minus_a = i.bits(72, 1) ? -1 : 1;
        const float minus_field = !s.whole && i.bits(63, 1) ? -1 : 1,
                    minus_c = i.bits(84, 1) ? -1 : 1;
        const bool adds = operation == SASS_HADD2, product = operation == SASS_HMUL2;

        each(lanes, [&](int l) {
            float parts[2];

            for (unsigned k = 0; k < 2; k++) {
                const float a = minus_a * half(s.a, l, i.bits(74, 2), k);
                const float f = minus_field * half(s.swapped ? s.c : s.b, l, field, k);
                const float o = minus_c * half(s.swapped ? s.b : s.c, l, third, k);

                parts[k] = adds ? a + f : product ? a * f : s.swapped ? a * o + f : a * f + o;
            }
            d[l] = adds && i.bits(78, 1) ? to_bits(parts[0])
                                         : half_of(parts[1]) << 16 | half_of(parts[0]);
        });
        return true;
    }
    case SASS_HMMA: {
        product_fragments fragments[32];

        if (i.bits(72, 15) != 0x18 || i.form() != 1 || lanes != ~0u) /* other shapes and types */
            return false;
        multiply_matrices(file, i, fragments);
        for (unsigned k = 0; k < 4; k++)
            each(lanes, [&](int l) { file.r[to + k][l] = to_bits(fragments[l].d[k]); });
        return true;
    }
    case SASS_MOVM: { /* a transposed 8 x 8 matrix of halves */
        uint32_t old[32];

        memcpy(old, s.a, sizeof old);
        each(lanes, [&](int l) {
            uint32_t value = 0;

            for (int k = 0; k < 2; k++) {
                const int row = l % 4 * 2 + k, column = l / 4;

                value |= (old[row * 4 + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * k;
            }
            d[l] = value;
        });
        return true;
    }
    default:
        return false;
    }
}

} // namespace cpucuda
