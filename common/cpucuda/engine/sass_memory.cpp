/* Device memory as machine code sees it, and a cache in front of it. */
#include "sass.h"

#include <string.h>
#include <unordered_map>

namespace cpucuda {

/* The allocation of the last access, nearly always the next one's too. */
static uint64_t known_start, known_end;

static bool is_known(uint64_t address, unsigned bytes) {
    if (address >= known_start && address + bytes <= known_end)
        return true;

    const allocation *found = find_allocation(reinterpret_cast<void *>(address));

    if (!found || found->freed)
        return false;
    known_start = reinterpret_cast<uint64_t>(found->start);
    known_end = known_start + found->bytes;
    return address >= known_start && address + bytes <= known_end;
}

bool sass_load(uint64_t address, void *to, unsigned bytes) {
    if (!is_known(address, bytes)) {
        memset(to, 0, bytes);
        return false;
    }
    memcpy(to, reinterpret_cast<void *>(address), bytes);
    return true;
}

bool sass_store(uint64_t address, const void *from, unsigned bytes) {
    if (!is_known(address, bytes))
        return false;
    memcpy(reinterpret_cast<void *>(address), from, bytes);
    return true;
}

/* Two bits per sector, by pages of 64. */
struct touches {
    uint64_t touched, written;
};
static std::unordered_map<uint64_t, touches> pages;
static uint64_t last_page;
static touches *last;

sass_touch sass_first_touch(uint64_t sector, bool writes) {
    const uint64_t page = sector / 64, bit = (uint64_t)1 << sector % 64;

    if (!last || page != last_page) {
        last = &pages[page];
        last_page = page;
    }
    const sass_touch first = !(last->touched & bit)             ? SASS_TOUCH
                             : writes && !(last->written & bit) ? SASS_WRITE
                                                                : SASS_NOTHING;
    last->touched |= bit;
    if (writes)
        last->written |= bit;
    return first;
}

/* By sector: the block that did atomic operations there, or SEVERAL. */
static std::unordered_map<uint64_t, uint64_t> atomics;
enum : uint64_t { SEVERAL = ~(uint64_t)0 };

void sass_note_atomic(uint64_t sector, uint64_t block) {
    uint64_t &who = atomics.emplace(sector, block).first->second;

    if (who != block)
        who = SEVERAL;
}

bool sass_is_contended(uint64_t sector) {
    const auto found = atomics.find(sector);

    return found != atomics.end() && found->second == SEVERAL;
}

void sass_forget() {
    pages.clear();
    last = nullptr;
    known_start = known_end = 0;
}

enum { WAYS = 8, LINE_SECTORS = 4 };

sass_cache::sass_cache(size_t bytes) : sets(bytes / (WAYS * LINE_SECTORS * 32)), now(0) {
    if (!sets)
        sets = 1;
    lines.assign(sets * WAYS, {~(uint64_t)0, 0, 0, 0});
}

bool sass_cache::touch(uint64_t sector, unsigned *warp) {
    const uint64_t tag = sector / LINE_SECTORS;
    const unsigned bit = 1u << sector % LINE_SECTORS;
    line *set = &lines[(tag ^ tag >> 9) % sets * WAYS], *oldest = set;

    now++;
    for (int i = 0; i < WAYS; i++) {
        if (set[i].tag == tag) {
            const bool there = set[i].sectors & bit;

            set[i].used = now;
            set[i].sectors |= bit;
            if (there)
                *warp = set[i].warp;
            else
                set[i].warp = *warp;
            return there;
        }
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    *oldest = {tag, now, bit, *warp};
    return false;
}

} // namespace cpucuda
