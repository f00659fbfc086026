/* What the files that execute instructions share: operands, predicates, loops over lanes. */
#ifndef CPUCUDA_SASS_OPERANDS_H
#define CPUCUDA_SASS_OPERANDS_H

#include "sass.h"

#include <algorithm>
#include <math.h>
#include <string.h>

namespace cpucuda {

inline float to_float(uint32_t bits) {
    float value;

    memcpy(&value, &bits, 4);
    return value;
}

inline uint32_t to_bits(float value) {
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

inline double to_double(uint32_t low, uint32_t high) {
    const uint64_t bits = (uint64_t)high << 32 | low;
    double value;

    memcpy(&value, &bits, 8);
    return value;
}

/* The operands of an instruction with three sources. */
struct sources {
    const uint32_t *a, *b, *c;
    bool swapped, whole; /* the field at 32 is the third; it is an immediate, which has no sign */
    uint32_t field[32];  /* of a constant, a uniform register, an immediate */
    uint32_t changed[3][32];
};

/* Signs of the operands; absolute values are floats' alone. */
struct signs {
    bool minus[3], absolute[3];
};

inline signs signs_of(const sass_instruction &i, const sources &s) {
    const bool in_field[2] = {!s.whole && i.bits(63, 1), !s.whole && i.bits(62, 1)};
    const bool other[2] = {(bool)i.bits(75, 1), (bool)i.bits(74, 1)};
    const int b = s.swapped, c = !s.swapped;

    return {{(bool)i.bits(72, 1), b ? other[0] : in_field[0], c ? other[0] : in_field[0]},
            {(bool)i.bits(73, 1), b ? other[1] : in_field[1], c ? other[1] : in_field[1]}};
}

inline unsigned number_of(const sass_registers &file, const sass_instruction &i, int at) {
    return i.bits(at, 8) & file.zero;
}

/* A pair of registers; that of the register which is always 0 is 0. */
inline double pair_of(const sass_registers &file, unsigned number, int lane) {
    return number == file.zero ? 0 : to_double(file.r[number][lane], file.r[number + 1][lane]);
}

inline void set_pair(sass_registers &file, unsigned number, int lane, uint64_t bits) {
    if (number == file.zero)
        return;
    file.r[number][lane] = (uint32_t)bits;
    file.r[number + 1][lane] = (uint32_t)(bits >> 32);
}

inline void set_pair(sass_registers &file, unsigned number, int lane, double value) {
    uint64_t bits;

    memcpy(&bits, &value, 8);
    set_pair(file, number, lane, bits);
}

/* sass_execute.cpp. Bits of 32 that the operand at 32 has for every lane, unless it is a register;
 * and the upper 32 of a pair, 0 if it is an immediate. */
uint32_t shared_operand(const sass_warp &warp, const sass_instruction &i, unsigned form);
uint32_t shared_operand_above(const sass_warp &warp, const sass_instruction &i, unsigned form);

/* sass_floats.cpp. Integer of a real, as F2I says, of so many bits. */
uint64_t integer_of(const sass_instruction &i, double x, int bits);

/* Each executes an instruction of its kind on registers of lanes or on uniform ones; false: it is
 * of another kind. `s` has been read. */
bool execute_float(sass_registers &file, const sass_instruction &i, uint32_t lanes, sources &s);
bool execute_double(const sass_warp &warp, sass_registers &file, const sass_instruction &i,
                    uint32_t lanes, const sources &s);
bool execute_integer(sass_warp &warp, sass_registers &file, const sass_instruction &i,
                     unsigned operation, uint32_t lanes, sources &s);

template <class F> void each(uint32_t lanes, F act) {
    if (lanes == ~0u) {
        for (int lane = 0; lane < 32; lane++)
            act(lane);
        return;
    }
    for (; lanes; lanes &= lanes - 1)
        act(__builtin_ctz(lanes));
}

inline uint32_t predicate(const sass_registers &file, const sass_instruction &i, int at,
                          int negated) {
    return file.p[i.bits(at, 3)] ^ (i.bits(negated, 1) ? ~0u : 0);
}

inline void set_predicate(sass_registers &file, unsigned which, uint32_t lanes, uint32_t value) {
    if (which < 7)
        file.p[which] = (file.p[which] & ~lanes) | (value & lanes);
}

inline uint32_t combine(unsigned how, uint32_t one, uint32_t other) {
    return how == 0 ? one & other : how == 1 ? one | other : one ^ other;
}

template <class T> bool compare(unsigned how, T a, T b) {
    return (how & 1 && a < b) || (how & 2 && a == b) || (how & 4 && a > b);
}

/* Of floats and doubles. */
template <class T> bool compare_reals(unsigned how, T a, T b) {
    const bool unordered = a != a || b != b;

    if (how == 7 || how == 8)
        return unordered == (how == 8);
    return unordered ? how & 8 : compare(how, a, b);
}

/* As the field at 78 says: to the nearest, down, up, towards zero. */
inline double rounded(const sass_instruction &i, double x) {
    switch (i.bits(78, 2)) {
    case 0:
        return nearbyint(x);
    case 1:
        return floor(x);
    case 2:
        return ceil(x);
    default:
        return trunc(x);
    }
}

inline bool compare_integers(const sass_instruction &i, uint32_t a, uint32_t b, bool low) {
    const unsigned how = i.bits(76, 3);
    const bool is_signed = i.bits(73, 1);

    if (how == 7)
        return true;
    if (!i.bits(72, 1))
        return is_signed ? compare(how, (int32_t)a, (int32_t)b) : compare(how, a, b);
    if (a == b)
        return low;
    return how == 5 || (is_signed ? compare(how, (int32_t)a, (int32_t)b) : compare(how, a, b));
}

inline uint32_t logic(unsigned table, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;

    for (int k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return result;
}

inline uint32_t shifted(const sass_instruction &i, uint32_t low, uint32_t by, uint32_t high) {
    const unsigned type = i.bits(73, 2), most = type & 2 ? 32 : 64;
    const unsigned shift = i.bits(75, 1) ? by % most : std::min(by, most);
    const uint64_t both = (uint64_t)high << 32 | low;
    uint64_t result;

    if (i.bits(76, 1)) {
        if (type & 1)
            result = shift < 64 ? both >> shift : 0;
        else
            result = (uint64_t)((int64_t)both >> std::min(shift, 63u));
    } else {
        result = shift < 64 ? both << shift : 0;
    }
    return i.bits(80, 1) ? (uint32_t)(result >> 32) : (uint32_t)result;
}

} // namespace cpucuda

#endif
