/* Doubles, each in a pair of registers of which the first has the lower half. */
#include "sass_operands.h"

namespace cpucuda {

/* Of an instruction with three sources, for each lane. An immediate is an upper half. */
struct doubles {
    double a[32], b[32], c[32];
};

static void read_doubles(const sass_warp &warp, const sass_registers &file,
                         const sass_instruction &i, const sources &s, doubles *x) {
    const unsigned form = i.form();
    const signs sign = signs_of(i, s);
    double *const field = s.swapped ? x->c : x->b, *const other = s.swapped ? x->b : x->c;
    double *const all[3] = {x->a, x->b, x->c};
    const uint32_t word = s.field[0];
    const double shared = form < 2  ? 0
                          : s.whole ? to_double(0, word)
                                    : to_double(word, shared_operand_above(warp, i, form));

    for (int lane = 0; lane < 32; lane++) {
        x->a[lane] = pair_of(file, number_of(file, i, 24), lane);
        field[lane] = form < 2 ? pair_of(file, number_of(file, i, 32), lane) : shared;
        other[lane] = pair_of(file, number_of(file, i, 64), lane);
        for (int k = 0; k < 3; k++) {
            if (sign.absolute[k])
                all[k][lane] = fabs(all[k][lane]);
            if (sign.minus[k])
                all[k][lane] = -all[k][lane];
        }
    }
}

/* The upper half of 1 / x or of 1 / sqrt(x), from x's. */
static uint32_t upper_of_mufu(bool root, uint32_t x) {
    const double value = to_double(0, x), result = 1 / (root ? sqrt(value) : value);
    uint64_t bits;

    memcpy(&bits, &result, 8);
    return (uint32_t)(bits >> 32);
}

/* Conversions: types are 2 for 32 bits and 3 for 64; false: of another kind. */
static bool convert(sass_registers &file, const sass_instruction &i, uint32_t lanes,
                    const sources &s, const doubles &x) {
    const unsigned operation = i.operation(), to = number_of(file, i, 16);
    const unsigned target = i.bits(75, 2), source = i.bits(84, 2);
    const signs sign = signs_of(i, s);
    uint32_t trash[32];
    uint32_t *d = to == file.zero ? trash : file.r[to];

    if (operation == SASS_F2F_WIDE && source == 3 && target == 2 && !i.bits(78, 2)) {
        each(lanes, [&](int l) { d[l] = to_bits((float)x.b[l]); });
    } else if (operation == SASS_F2F_WIDE && source == 2 && target == 3) {
        each(lanes, [&](int l) {
            const float size = sign.absolute[1] ? fabsf(to_float(s.b[l])) : to_float(s.b[l]);

            set_pair(file, to, l, (double)(sign.minus[1] ? -size : size));
        });
    } else if (operation == SASS_F2I_WIDE && source == 3) {
        each(lanes, [&](int l) {
            const uint64_t value = integer_of(i, x.b[l], 8 << target);

            if (target == 3)
                set_pair(file, to, l, value);
            else
                d[l] = (uint32_t)value;
        });
    } else if (operation == SASS_I2F_WIDE && target == 3 && source > 1 && i.form() == 1 &&
               number_of(file, i, 32) != file.zero) {
        const unsigned from = number_of(file, i, 32);
        const bool is_signed = i.bits(74, 1);

        each(lanes, [&](int l) {
            const uint32_t low = file.r[from][l];
            const uint64_t all = source == 3 ? (uint64_t)file.r[from + 1][l] << 32 | low : low;

            set_pair(file, to, l,
                     !is_signed    ? (double)all
                     : source == 3 ? (double)(int64_t)all
                                   : (double)(int32_t)low);
        });
    } else if (operation == SASS_FRND_WIDE && source == 3 && target == 3) {
        each(lanes, [&](int l) { set_pair(file, to, l, rounded(i, x.b[l])); });
    } else {
        return false;
    }
    return true;
}

bool execute_double(const sass_warp &warp, sass_registers &file, const sass_instruction &i,
                    uint32_t lanes, const sources &s) {
    const unsigned operation = i.operation(), to = number_of(file, i, 16);
    const unsigned which = i.bits(74, 4);
    uint32_t trash[32];
    uint32_t *d = to == file.zero ? trash : file.r[to];
    doubles x;

    if (operation == SASS_MUFU && (which == 6 || which == 7)) {
        each(lanes, [&](int l) { d[l] = upper_of_mufu(which == 7, s.b[l]); });
        return true;
    }
    switch (operation) {
    case SASS_DMUL:
    case SASS_DADD:
    case SASS_DFMA:
    case SASS_DSETP:
    case SASS_F2F_WIDE:
    case SASS_F2I_WIDE:
    case SASS_I2F_WIDE:
    case SASS_FRND_WIDE:
        read_doubles(warp, file, i, s, &x);
        break;
    default:
        return false;
    }
    switch (operation) {
    case SASS_DMUL:
        each(lanes, [&](int l) { set_pair(file, to, l, x.a[l] * x.b[l]); });
        return true;
    case SASS_DADD:
        each(lanes, [&](int l) { set_pair(file, to, l, x.a[l] + x.c[l]); });
        return true;
    case SASS_DFMA: /* divisions need its one rounding */
        each(lanes, [&](int l) { set_pair(file, to, l, fma(x.a[l], x.b[l], x.c[l])); });
        return true;
    case SASS_DSETP: {
        const double *const second = s.swapped ? x.c : x.b;
        const uint32_t other = predicate(file, i, 87, 90);
        uint32_t said = 0;

        each(lanes, [&](int l) {
            said |= (uint32_t)compare_reals(i.bits(76, 4), x.a[l], second[l]) << l;
        });
        set_predicate(file, i.bits(81, 3), lanes, combine(i.bits(74, 2), said, other));
        set_predicate(file, i.bits(84, 3), lanes, combine(i.bits(74, 2), ~said, other));
        return true;
    }
    default:
        return convert(file, i, lanes, s, x);
    }
}

} // namespace cpucuda
