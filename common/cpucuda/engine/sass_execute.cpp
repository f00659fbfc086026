/* What instructions do with registers: constants, votes, shuffles, predicates; and which file has
 * the others. */
#include "sass_operands.h"

namespace cpucuda {

/* Bits of 32 that the operand at 32 has for every lane, unless it is a register. */
uint32_t shared_operand(const sass_warp &warp, const sass_instruction &i, unsigned form) {
    if (form == 4 || form == 2)
        return i.bits(32, 32);
    if (form == 6 || form == 7)
        return warp.uniform.r[i.bits(32, 6)][0];

    const unsigned bank = i.bits(54, 5), at = i.bits(38, 16);
    const sass_run &run = *warp.block->run;
    const std::vector<char> &bytes = bank == 0 ? run.bank0 : run.kernel->banks[bank % 8];
    uint32_t value = 0;

    if (at + 4 <= bytes.size())
        memcpy(&value, &bytes[at], 4);
    return value;
}

uint32_t shared_operand_above(const sass_warp &warp, const sass_instruction &i, unsigned form) {
    sass_instruction second = i;

    if (form == 4 || form == 2 || (form > 5 && i.bits(32, 6) == 63))
        return 0;
    second.low += form > 5 ? (uint64_t)1 << 32 : (uint64_t)4 << 38;
    return shared_operand(warp, second, form);
}

static void read_sources(const sass_warp &warp, sass_registers &file, const sass_instruction &i,
                         sources *s) {
    const unsigned form = i.form();
    const uint32_t *field = s->field;

    s->swapped = form == 2 || form == 3 || form == 7;
    s->whole = form == 2 || form == 4;
    if (form == 1 || form == 0)
        field = file.r[number_of(file, i, 32)];
    else
        std::fill_n(s->field, 32, shared_operand(warp, i, form));
    s->a = file.r[number_of(file, i, 24)];
    s->b = s->swapped ? file.r[number_of(file, i, 64)] : field;
    s->c = s->swapped ? field : file.r[number_of(file, i, 64)];
}

static uint32_t special(const sass_warp &warp, unsigned which, int lane) {
    const sass_block &block = *warp.block;
    const dim3 size = block.run->launched->block;
    const unsigned rank = warp.number * 32 + (unsigned)lane;

    switch (which) {
    case 0x00: /* LANEID */
        return (uint32_t)lane;
    case 0x21: /* TID */
        return rank % size.x;
    case 0x22:
        return rank / size.x % size.y;
    case 0x23:
        return rank / size.x / size.y;
    case 0x25: /* CTAID */
        return block.index.x;
    case 0x26:
        return block.index.y;
    case 0x27:
        return block.index.z;
    case 0x38: /* EQMASK, LTMASK, LEMASK, GTMASK, GEMASK */
        return 1u << lane;
    case 0x39:
        return (1u << lane) - 1;
    case 0x3a:
        return (2u << lane) - 1;
    case 0x3b:
        return ~((2u << lane) - 1);
    case 0x3c:
        return ~((1u << lane) - 1);
    case 0x50: /* CLOCK, and where shared memory begins for the compiler's own addresses */
    case 0x88:
        return 0;
    default:
        refuse(*block.run, "special register 0x%x is not known", which);
    }
}

/* Lanes whose predicate is true, and whether the vote says so: all, any, or all alike. */
static uint32_t vote(const sass_instruction &i, uint32_t lanes, uint32_t said, bool *result) {
    said &= lanes;
    *result = i.bits(72, 2) == 0   ? said == lanes
              : i.bits(72, 2) == 1 ? said != 0
                                   : !said || said == lanes;
    return said;
}

static void shuffle(sass_registers &file, const sass_instruction &i, uint32_t lanes, uint32_t *d) {
    const unsigned how = i.bits(58, 2);
    const bool lane_given = i.form() == 4 || i.form() == 7;
    const bool rest_given = i.form() == 2 || i.form() == 7;
    uint32_t old[32], by_lane[32], rest[32], inside = 0;

    memcpy(old, file.r[i.bits(24, 8)], sizeof old);
    for (int l = 0; l < 32; l++) {
        by_lane[l] = lane_given ? i.bits(53, 5) : file.r[i.bits(32, 8)][l];
        rest[l] = rest_given ? i.bits(40, 13) : file.r[i.bits(64, 8)][l];
    }
    each(lanes, [&](int l) {
        const int by = (int)(by_lane[l] & 31), clamp = (int)(rest[l] & 31);
        const int segments = (int)(rest[l] >> 8 & 31);
        const int most = (l & segments) | (clamp & ~segments), least = l & segments;
        const int from = how == 0   ? least | (by & ~segments)
                         : how == 1 ? l - by
                         : how == 2 ? l + by
                                    : l ^ by;
        const bool there = how == 1 ? from >= most : from <= most;

        d[l] = there ? old[from & 31] : old[l];
        inside |= (uint32_t)there << l;
    });
    set_predicate(file, i.bits(81, 3), lanes, inside);
}

static uint32_t reduced(const sass_instruction &i, uint32_t lanes, const uint32_t *from) {
    const unsigned how = i.bits(78, 3);
    uint32_t value = from[__builtin_ctz(lanes)];

    each(lanes & (lanes - 1), [&](int lane) {
        const uint32_t x = from[lane];
        const bool less = i.bits(73, 1) ? (int32_t)x < (int32_t)value : x < value;

        value = how == 0             ? value & x
                : how == 1           ? value | x
                : how == 2           ? value ^ x
                : how == 3           ? value + x
                : less == (how == 4) ? x
                                     : value;
    });
    return value;
}

/* Operations that stand between the registers of lanes and uniform ones; false: it is another. */
static bool execute_between(sass_warp &warp, const sass_instruction &i, uint32_t lanes) {
    const uint32_t *from = warp.own.r[i.bits(24, 8)];
    const unsigned to = i.bits(16, 6);
    uint32_t value;
    bool result;

    switch (i.operation()) {
    case SASS_R2UR:
    case SASS_R2UR_SAME: {
        uint32_t same = 0;

        value = from[__builtin_ctz(lanes)];
        each(lanes, [&](int lane) { same |= (uint32_t)(from[lane] == value) << lane; });
        set_predicate(warp.own, i.bits(81, 3), lanes, same);
        break;
    }
    case SASS_S2UR:
        value = special(warp, i.bits(72, 8), 0);
        break;
    case SASS_REDUX:
        value = reduced(i, lanes, from);
        break;
    case SASS_VOTEU:
        value = vote(i, lanes, predicate(warp.own, i, 87, 90), &result);
        set_predicate(warp.uniform, i.bits(81, 3), ~0u, result ? ~0u : 0);
        break;
    case SASS_ULDC:
        value = shared_operand(warp, i, 5);
        if (i.bits(73, 3) == 5 && to + 1 < 63)
            std::fill_n(warp.uniform.r[to + 1], 32, shared_operand_above(warp, i, 5));
        break;
    default:
        return false;
    }
    if (to < 63)
        std::fill_n(warp.uniform.r[to], 32, value);
    return true;
}

/* Votes, predicates and the rest; false: the operation is not known. */
static bool execute_other(sass_warp &warp, sass_registers &file, const sass_instruction &i,
                          unsigned operation, uint32_t lanes, sources &s, sass_counts &counts) {
    const unsigned to = number_of(file, i, 16);
    uint32_t trash[32];
    uint32_t *d = to == file.zero ? trash : file.r[to];

    switch (operation) {
    case SASS_MOV:
        each(lanes, [&](int l) { d[l] = s.swapped ? s.c[l] : s.b[l]; });
        return true;
    case SASS_CS2R: /* of a register that is always 0, or the clock */
        each(lanes, [&](int l) {
            d[l] = 0;
            if (i.bits(80, 1) && to < 254)
                file.r[to + 1][l] = 0;
        });
        return true;
    case SASS_S2R:
        each(lanes, [&](int l) { d[l] = special(warp, i.bits(72, 8), l); });
        return true;
    case SASS_VOTE: {
        bool result;
        const uint32_t said = vote(i, lanes, predicate(file, i, 87, 90), &result);

        each(lanes, [&](int l) { d[l] = said; });
        set_predicate(file, i.bits(81, 3), lanes, result ? ~0u : 0);
        return true;
    }
    case SASS_MATCH: {
        uint32_t found[32] = {};

        each(lanes, [&](int l) {
            each(lanes, [&](int k) { found[l] |= (uint32_t)(s.a[k] == s.a[l]) << k; });
        });
        each(lanes, [&](int l) {
            d[l] = found[l];
            counts.wavefronts += found[l] >> l == 1; /* the last lane with its value */
        });
        return true;
    }
    case SASS_SHFL:
        shuffle(file, i, lanes, d);
        return true;
    case SASS_P2R: {
        const uint32_t mask = s.b[__builtin_ctz(lanes)];

        each(lanes, [&](int l) {
            uint32_t all = 0;

            for (int k = 0; k < 7; k++)
                all |= (file.p[k] >> l & 1) << k;
            d[l] = (s.a[l] & ~mask) | (all & mask);
        });
        return true;
    }
    case SASS_R2P: {
        const unsigned byte = i.bits(76, 2) * 8;

        for (unsigned k = 0; k < 7; k++) {
            uint32_t said = 0;

            if (!(s.b[0] >> k & 1))
                continue;
            each(lanes, [&](int l) { said |= (s.a[l] >> (k + byte) & 1) << l; });
            set_predicate(file, k, lanes, said);
        }
        return true;
    }
    case SASS_PLOP3: {
        const unsigned table = i.bits(64, 3) | i.bits(72, 5) << 3, second = i.bits(16, 8);
        const uint32_t a = predicate(file, i, 87, 90), b = predicate(file, i, 77, 80);
        const uint32_t c = predicate(i.bits(67, 1) ? warp.uniform : file, i, 68, 71);
        const uint32_t one = logic(table, a, b, c), two = logic(second, a, b, c);

        set_predicate(file, i.bits(81, 3), lanes, one);
        set_predicate(file, i.bits(84, 3), lanes, two);
        return true;
    }
    case SASS_B2R: /* the result of a barrier's vote */
        each(lanes, [&](int l) { d[l] = warp.block->voted; });
        set_predicate(file, i.bits(81, 3), lanes, warp.block->voted ? ~0u : 0);
        return true;
    case SASS_BMOV_FROM:
        each(lanes, [&](int l) { d[l] = warp.meets[i.bits(24, 4)]; });
        if (i.bits(84, 1)) /* .CLEAR */
            warp.meets[i.bits(24, 4)] = 0;
        return true;
    case SASS_BMOV_TO:
        warp.meets[i.bits(24, 4)] = s.b[__builtin_ctz(lanes)];
        return true;
    case SASS_NOP:
    case SASS_YIELD:
    case SASS_MEMBAR:
    case SASS_ERRBAR:
    case SASS_CCTL:
    case SASS_WARPSYNC: /* its lanes have met: step() */
    case SASS_DEPBAR:
    case SASS_LDGDEPBAR: /* copies to shared memory are done at once */
    case SASS_NANOSLEEP:
        return true;
    default:
        return false;
    }
}

enum kind { UNKNOWN, COMPUTES, ACCESSES };

static kind kind_of(unsigned operation) {
    switch (operation) {
#define COMPUTE(name, bits, pipe) case bits:
        SASS_COMPUTES(COMPUTE)
#undef COMPUTE
        return COMPUTES;
#define ACCESS(name, bits, memory, access) case bits:
        SASS_ACCESSES(ACCESS)
#undef ACCESS
        return ACCESSES;
    default:
        return UNKNOWN;
    }
}

/* What the operation on one value for the warp does to lanes. */
static unsigned on_lanes(unsigned operation) {
    switch (operation) {
    case SASS_UFLO:
        return SASS_FLO;
    case SASS_UBREV:
        return SASS_BREV;
    case SASS_UPOPC:
        return SASS_POPC;
    default:
        return operation - 0x80;
    }
}

void sass_warp::execute(const sass_instruction &i, uint32_t lanes, sass_counts &counts) {
    unsigned operation = i.operation();
    const kind kind = kind_of(operation);
    sass_registers *file = &own;
    sources s;

    if (kind == ACCESSES) {
        memory(i, lanes, counts);
        return;
    }
    if (execute_between(*this, i, lanes))
        return;
    if (operation >= 0x80 && operation < 0x100) {
        operation = on_lanes(operation);
        file = &uniform;
        lanes = ~0u;
    }
    read_sources(*this, *file, i, &s);
    if (kind == UNKNOWN ||
        (!execute_float(*file, i, lanes, s) && !execute_double(*this, *file, i, lanes, s) &&
         !execute_integer(*this, *file, i, operation, lanes, s) &&
         !execute_other(*this, *file, i, operation, lanes, s, counts)))
        refuse(*block->run, "instruction 0x%03x is not known, %016llx %016llx", i.operation(),
               (unsigned long long)i.low, (unsigned long long)i.high);
}

} // namespace cpucuda
