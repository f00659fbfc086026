/* Integers: sums, products, logic, shifts, comparisons. */
#include "sass_operands.h"

namespace cpucuda {

static uint32_t permuted(uint32_t a, uint32_t how, uint32_t c) {
    const uint64_t bytes = (uint64_t)c << 32 | a;
    uint32_t result = 0;

    for (int k = 0; k < 4; k++) {
        const unsigned from = how >> 4 * k & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (from & 7)) & 255;

        if (from & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}

/* A term of a sum, whose carry counts; `with` a carry a minus is a complement. */
static uint64_t term(uint32_t x, bool minus, bool with) {
    return minus ? (uint64_t)(uint32_t)~x + !with : x;
}

/* Operations whose operand at 32 has no sign. */
static bool has_no_sign(unsigned operation) {
    return operation == SASS_SEL || operation == SASS_IMAD_WIDE || operation == SASS_IMAD_HI ||
           operation == SASS_LOP3 || operation == SASS_ISETP || operation == SASS_SHF ||
           operation == SASS_PRMT || operation == SASS_IMNMX || operation == SASS_VIMNMX;
}

bool execute_integer(sass_warp &warp, sass_registers &file, const sass_instruction &i,
                     unsigned operation, uint32_t lanes, sources &s) {
    const unsigned to = number_of(file, i, 16);
    uint32_t trash[32];
    uint32_t *d = to == file.zero ? trash : file.r[to];
    const signs sign = signs_of(i, s);

    if (!s.whole && i.bits(63, 1) && has_no_sign(operation))
        return false;
    switch (operation) {
    case SASS_SEL: {
        const uint32_t chosen = predicate(file, i, 87, 90);

        each(lanes, [&](int l) { d[l] = chosen >> l & 1 ? s.a[l] : s.b[l]; });
        return true;
    }
    case SASS_IADD3: {
        const bool with = i.bits(74, 1);
        const uint32_t one = with ? predicate(file, i, 87, 90) : 0;
        const uint32_t two = with ? predicate(file, i, 77, 80) : 0;
        uint32_t carry = 0, second = 0;

        each(lanes, [&](int l) {
            const uint64_t sum =
                term(s.a[l], sign.minus[0], with) + term(s.b[l], sign.minus[1], with) +
                term(s.c[l], sign.minus[2], with) + (one >> l & 1) + (two >> l & 1);

            d[l] = (uint32_t)sum;
            carry |= (uint32_t)((sum >> 32) != 0) << l;
            second |= (uint32_t)(sum >> 33 & 1) << l;
        });
        set_predicate(file, i.bits(81, 3), lanes, carry);
        set_predicate(file, i.bits(84, 3), lanes, second);
        return true;
    }
    case SASS_VIADD:
        each(lanes, [&](int l) {
            d[l] = (sign.minus[0] ? -s.a[l] : s.a[l]) + (sign.minus[1] ? -s.b[l] : s.b[l]);
        });
        return true;
    case SASS_IMAD: {
        const bool product = sign.minus[0] || (!s.swapped && sign.minus[1]), minus = sign.minus[2];
        const uint32_t carry = i.bits(74, 1) ? predicate(file, i, 87, 90) : 0;
        const bool with = i.bits(74, 1);

        each(lanes, [&](int l) {
            const uint32_t c = minus ? (with ? ~s.c[l] : -s.c[l]) : s.c[l], ab = s.a[l] * s.b[l];

            d[l] = (product ? -ab : ab) + c + (carry >> l & 1);
        });
        return true;
    }
    case SASS_IMAD_WIDE:
    case SASS_IMAD_HI: {
        const unsigned form = i.form(), third = number_of(file, i, 64);
        const bool is_signed = i.bits(73, 1);
        const uint32_t *high = file.r[third == file.zero ? third : third + 1];
        uint32_t carry = 0, above[32];

        if (s.swapped) {
            std::fill_n(above, 32, shared_operand_above(warp, i, form));
            high = above;
        }
        each(lanes, [&](int l) {
            const uint64_t product = is_signed
                                         ? (uint64_t)((int64_t)(int32_t)s.a[l] * (int32_t)s.b[l])
                                         : (uint64_t)s.a[l] * s.b[l];
            const uint64_t c = (uint64_t)high[l] << 32 | s.c[l];
            const uint64_t sum = product + c;

            carry |= (uint32_t)(sum < product) << l;
            if (operation == SASS_IMAD_HI) {
                d[l] = (uint32_t)(sum >> 32);
            } else {
                d[l] = (uint32_t)sum;
                if (to + 1 < file.zero)
                    file.r[to + 1][l] = (uint32_t)(sum >> 32);
            }
        });
        set_predicate(file, i.bits(81, 3), lanes, carry);
        return true;
    }
    case SASS_LEA: {
        const unsigned by = i.bits(75, 5);
        const bool high = i.bits(80, 1), extends = i.bits(73, 1);
        const bool with = i.bits(74, 1);
        const uint32_t in = with ? predicate(file, i, 87, 90) : 0;
        uint32_t carry = 0;

        each(lanes, [&](int l) {
            const uint64_t wide = extends ? (uint64_t)(int64_t)(int32_t)s.a[l]
                                          : (uint64_t)(high ? s.c[l] : 0) << 32 | s.a[l];
            uint32_t part = high ? (uint32_t)(wide << by >> 32) : s.a[l] << by;

            if (sign.minus[0])
                part = with ? ~part : -part;
            const uint64_t sum = part + term(s.b[l], sign.minus[1], with) + (in >> l & 1);
            d[l] = (uint32_t)sum;
            carry |= (uint32_t)(sum >> 32) << l;
        });
        set_predicate(file, i.bits(81, 3), lanes, carry);
        return true;
    }
    case SASS_LOP3: {
        const unsigned table = i.bits(72, 8);
        uint32_t said = 0;

        each(lanes, [&](int l) {
            const uint32_t value = logic(table, s.a[l], s.b[l], s.c[l]);

            d[l] = value;
            said |= (uint32_t)(value != 0) << l;
        });
        const uint32_t other = predicate(file, i, 87, 90);
        set_predicate(file, i.bits(81, 3), lanes, i.bits(80, 1) ? said & other : said | other);
        return true;
    }
    case SASS_ISETP: {
        const uint32_t low = predicate(file, i, 68, 71), other = predicate(file, i, 87, 90);
        const unsigned with = i.bits(74, 2);
        uint32_t said = 0;

        if (warp.watched)
            warp.compared(i, s.a[__builtin_ctz(lanes)], s.b[__builtin_ctz(lanes)]);
        each(lanes, [&](int l) {
            said |= (uint32_t)compare_integers(i, s.a[l], s.b[l], low >> l & 1) << l;
        });
        set_predicate(file, i.bits(81, 3), lanes, combine(with, said, other));
        set_predicate(file, i.bits(84, 3), lanes, combine(with, ~said, other));
        return true;
    }
    case SASS_SHF:
        each(lanes, [&](int l) { d[l] = shifted(i, s.a[l], s.b[l], s.c[l]); });
        return true;
    case SASS_PRMT:
        each(lanes, [&](int l) { d[l] = permuted(s.a[l], s.b[l], s.c[l]); });
        return true;
    case SASS_IMNMX:
    case SASS_VIMNMX:
    case SASS_VIADDMNMX: {
        const bool is_signed = i.bits(operation == SASS_IMNMX ? 73 : 72, 1);
        const uint32_t least = predicate(file, i, 87, 90);
        const auto choose = [&](uint32_t a, uint32_t b, int l) {
            const bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;

            return less == (least >> l & 1) ? a : b;
        };

        each(lanes, [&](int l) {
            d[l] = operation == SASS_VIADDMNMX
                       ? choose(s.a[l] + (sign.minus[1] ? -s.b[l] : s.b[l]), s.c[l], l)
                       : choose(s.a[l], s.b[l], l);
        });
        return true;
    }
    case SASS_IABS:
    case SASS_FLO:
    case SASS_BREV:
    case SASS_POPC: {
        const uint32_t *from = s.b;
        const uint32_t flip = sign.minus[1] ? ~0u : 0;

        each(lanes, [&](int l) {
            uint32_t x = from[l] ^ (operation == SASS_IABS ? 0 : flip), y = 0;

            if (operation == SASS_IABS) {
                y = (int32_t)x < 0 ? -x : x;
            } else if (operation == SASS_POPC) {
                y = (uint32_t)__builtin_popcount(x);
            } else if (operation == SASS_FLO) {
                y = !x ? ~0u : (uint32_t)(i.bits(74, 1) ? __builtin_clz(x) : 31 - __builtin_clz(x));
            } else {
                for (int k = 0; k < 32; k++)
                    y |= (x >> k & 1) << (31 - k);
            }
            d[l] = y;
        });
        return true;
    }
    default:
        return false;
    }
}

} // namespace cpucuda
