/* Memory that instructions touch: device memory, shared memory, a thread's own. */
#include "requests.h"
#include "sass_operands.h"

namespace cpucuda {

static uint32_t changed(unsigned how, uint32_t old, uint32_t by, bool is_float, bool is_signed) {
    if (is_float)
        return to_bits(to_float(old) + to_float(by));
    switch (how) {
    case 0:
        return old + by;
    case 1:
        return is_signed ? (uint32_t)std::min((int32_t)old, (int32_t)by) : std::min(old, by);
    case 2:
        return is_signed ? (uint32_t)std::max((int32_t)old, (int32_t)by) : std::max(old, by);
    case 3:
        return old >= by ? 0 : old + 1;
    case 4:
        return !old || old > by ? by : old - 1;
    case 5:
        return old & by;
    case 6:
        return old | by;
    case 7:
        return old ^ by;
    default:
        return by;
    }
}

enum { LOCAL_BYTES = 4096 }; /* of a lane */

struct kind {
    sass_memory memory;
    sass_access access;
};

static kind kind_of(unsigned operation) {
    switch (operation) {
#define ACCESS(name, bits, memory, access)                                                         \
    case bits:                                                                                     \
        return {MEMORY_##memory, ACCESS_##access};
        SASS_ACCESSES(ACCESS)
#undef ACCESS
    default:
        return {MEMORY_NONE, ACCESS_NONE};
    }
}

void sass_warp::memory(const sass_instruction &i, uint32_t lanes, sass_counts &counts) {
    const unsigned operation = i.operation(), to = i.bits(16, 8);
    const int architecture = block->run->architecture;
    const kind kind = kind_of(operation);
    const bool global = kind.memory == MEMORY_GLOBAL, in_local = kind.memory == MEMORY_LOCAL;
    const bool loads = kind.access == ACCESS_LOADS, atomic = kind.access == ACCESS_ATOMIC;
    static const unsigned widths[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    const unsigned type = i.bits(73, 3);
    const bool floats = operation == SASS_RED_FLOAT || operation == SASS_ATOMG_FLOAT ||
                        (atomic && architecture < 90 && global && type == 3);
    const bool four = operation == SASS_RED_FLOAT && (i.bits(73, 4) == 11 || i.bits(73, 4) == 14);
    const unsigned width = !atomic              ? widths[type]
                           : four               ? 16
                           : architecture >= 90 ? (!floats && (type == 2 || type == 3) ? 8 : 4)
                                                : (type == 2 || type == 5 ? 8 : 4);
    const bool copies = operation == SASS_LDGSTS;
    const int64_t offset = copies ? (int64_t)(i.low << 20) >> 52 : (int64_t)i.low >> 40;
    uint64_t addresses[32];

    if (operation == SASS_LDC) { /* of a constant bank, by an index */
        const std::vector<char> &bank =
            i.bits(54, 5) ? block->run->kernel->banks[i.bits(54, 3)] : block->run->bank0;

        each(lanes, [&](int l) {
            const size_t at = i.bits(38, 16) + own.r[i.bits(24, 8)][l];

            for (unsigned k = 0; k < std::max(1u, width / 4); k++) {
                uint32_t value = 0;

                if (at + 4 * k + 4 <= bank.size())
                    memcpy(&value, &bank[at + 4 * k], 4);
                if (to + k < 255)
                    own.r[to + k][l] = value;
            }
        });
        return;
    }
    const unsigned base = i.bits(24, 8);
    const unsigned scale = global || in_local ? 0 : i.bits(78, 2) ? i.bits(78, 2) + 1 : 0;
    uint64_t plus = 0;

    if (i.bits(91, 1)) { /* with a uniform register */
        const unsigned which = loads ? i.bits(32, 6) : i.bits(64, 6);
        const bool descriptor = global && architecture >= 80;

        if (!descriptor && which != 63)
            plus = global ? (uint64_t)uniform.r[which + 1][0] << 32 | uniform.r[which][0]
                          : uniform.r[which][0];
    }
    each(lanes, [&](int l) {
        const uint64_t low = base == 255 ? 0 : own.r[base][l];
        const bool wide = global && base < 254 && (copies || i.bits(72, 1));
        const uint64_t high = wide ? own.r[base + 1][l] : 0;

        addresses[l] = global ? (high << 32 | low) + plus + (uint64_t)offset
                              : (uint32_t)((low << scale) + plus + (uint64_t)offset);
    });
    if (in_local && local.empty())
        local.assign(LOCAL_BYTES * 32, 0);
    if (global) {
        uint64_t sectors[WARP];
        const int count = pieces_of<SECTOR>(addresses, lanes, sectors);

        counts.sectors += (unsigned)count;
        if (loads) { /* one sector every time? */
            uint64_t &only = block->run->only[(size_t)(&counts - block->run->counts.data())];
            const uint64_t now = count == 1 ? sectors[0] : SASS_NO_SECTOR;

            only = !only || only == now ? now : SASS_NO_SECTOR;
        }
        const bool weak = (!i.bits(79, 2) || (architecture >= 80 && i.bits(77, 4) == 4)) &&
                          (!copies || i.bits(81, 1)); /* else .BYPASS */

        for (int k = 0; k < count; k++) {
            if (!atomic && loads && weak) {
                unsigned who = number;

                if (block->cache->touch(sectors[k], &who)) {
                    counts.l1_hits++;
                    counts.shared += who != number;
                }
            }
            if (atomic)
                sass_note_atomic(sectors[k], block->number());
            const sass_touch first = sass_first_touch(sectors[k], !loads);

            if (first == SASS_TOUCH)
                ++*(loads ? &block->run->touched.loaded : &block->run->touched.stored);
            else if (first == SASS_WRITE)
                ++block->run->touched.rewritten;
        }
    } else if (!in_local) {
        counts.wavefronts += wavefronts_of(addresses, lanes, width, loads);
    }

    if (copies) {
        uint64_t there[32];

        /* Its width and whether it goes past L1 are known. */
        if ((i.high & 0xffffdf100) != 0xb901000)
            refuse(*block->run, "a copy to shared memory (0x%03x) is of another kind", operation);
        each(lanes, [&](int l) {
            there[l] = (uint32_t)(own.r[to][l] + (uint64_t)((int64_t)i.low >> 44));
            if (there[l] + width <= block->shared.size())
                sass_load(addresses[l], (uint32_t *)&block->shared[there[l]], width);
        });
        counts.wavefronts += wavefronts_of(there, lanes, width, false);
        return;
    }

    char *const near = in_local ? local.data() : block->shared.data();
    const size_t room = in_local ? local.size() / 32 : block->shared.size();
    const auto place = [&](int l) -> char * {
        const uint64_t at = addresses[l];

        if (at + width > room)
            return nullptr;
        return near + at + (in_local ? (size_t)l * room : 0);
    };

    if (loads && operation == SASS_LDS && lanes == ~0u && width >= 4) { /* for speed alone */
        bool inside = true;

        for (int l = 0; l < 32; l++)
            inside &= addresses[l] + width <= room;
        if (inside) {
            for (unsigned k = 0; k < width / 4 && to + k < 255; k++)
                for (int l = 0; l < 32; l++)
                    memcpy(&own.r[to + k][l], near + addresses[l] + 4 * k, 4);
            return;
        }
    }
    const bool reduces = operation == SASS_RED || operation == SASS_RED_FLOAT;
    const bool swaps = operation == SASS_ATOMG_CAS || operation == SASS_ATOMS_CAS;
    const bool counted = /* .POPC.INC */
        operation == SASS_ATOMS && i.bits(87, 4) == (block->run->architecture >= 90 ? 11 : 10);
    const unsigned how = i.bits(87, reduces ? 3 : 4);

    if (atomic && !counted && !floats &&
        (swaps ? width == 8 : how > 8 || (width == 8 && how != 0 && how != 8)))
        refuse(*block->run, "atomic operation %u of %u bytes (0x%03x) is not known", how, width,
               operation);
    each(lanes, [&](int l) {
        uint32_t words[4] = {};

        if (loads) {
            if (global)
                sass_load(addresses[l], words, width);
            else if (char *from = place(l))
                memcpy(words, from, width);
            if (width < 4 && (type == 1 || type == 3)) /* signed */
                words[0] = (uint32_t)((int32_t)(words[0] << (32 - 8 * width)) >> (32 - 8 * width));
            for (unsigned k = 0; k < std::max(1u, width / 4) && to + k < 255; k++)
                own.r[to + k][l] = words[k];
            return;
        }
        const unsigned data = i.bits(32, 8);
        uint32_t old[4] = {};

        for (unsigned k = 0; k < std::max(1u, width / 4); k++)
            words[k] = data == 255 ? 0 : own.r[(data + k) & 255][l];
        if (atomic) {
            if (global)
                sass_load(addresses[l], old, width);
            else if (char *from = place(l))
                memcpy(old, from, width);
            if (swaps) {
                const uint32_t with = own.r[i.bits(64, 8)][l];

                words[0] = old[0] == words[0] ? with : old[0];
            } else if (counted) {
                words[0] = old[0] + 1;
            } else if (width == 8 && !floats) {
                const uint64_t sum =
                    ((uint64_t)old[1] << 32 | old[0]) + ((uint64_t)words[1] << 32 | words[0]);

                if (how == 0) {
                    words[0] = (uint32_t)sum;
                    words[1] = (uint32_t)(sum >> 32);
                }
            } else {
                for (unsigned k = 0; k < width / 4; k++)
                    words[k] = changed(how, old[k], words[k], floats, type == 1);
            }
            if (to != 255 && !reduces)
                for (unsigned k = 0; k < width / 4 && to + k < 255; k++)
                    own.r[to + k][l] = old[k];
        }
        if (global)
            sass_store(addresses[l], words, width);
        else if (char *at = place(l))
            memcpy(at, words, width);
    });
}

} // namespace cpucuda
