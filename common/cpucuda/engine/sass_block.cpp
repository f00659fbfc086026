/* A block of warps that execute machine code, and the paths they take. */
#include "sass.h"

namespace cpucuda {

/* Instructions that a warp executes before the next one goes on: few, so that what they load
 * together is in a cache together, as on a GPU. */
enum { QUANTUM = 64, SHARED_FIRST = 1024 };

/* A repeat of that many segments is looked for. */
enum { LONGEST_LOOP = 512 };

/* Whether each repeat among the last items has its body among them too. */
static bool is_closed(const std::vector<uint64_t> &items, size_t length) {
    for (size_t k = 0; k < length; k++) {
        const uint64_t item = items[items.size() - length + k];

        if (item & SASS_REPEAT && (item & ~SASS_REPEAT) >> 32 > k)
            return false;
    }
    return true;
}

uint64_t sass_path::add(unsigned first, unsigned count, bool jumped_back) {
    items.push_back((uint64_t)first << 32 | count);
    if (!jumped_back)
        return 0;
    const size_t size = items.size();

    for (size_t length = 1; length <= LONGEST_LOOP && 2 * length <= size; length++) {
        const auto end = items.end(), again = end - (ptrdiff_t)length;
        /* body, repeat of it, body: once more */
        if (size >= 2 * length + 1 && again[-1] >> 32 == (SASS_REPEAT >> 32 | length) &&
            std::equal(again, end, again - 1 - (ptrdiff_t)length)) {
            items.resize(size - length);
            return ++items.back();
        }
        if (std::equal(again, end, again - (ptrdiff_t)length) && is_closed(items, length)) {
            items.resize(size - length);
            items.push_back(SASS_REPEAT | (uint64_t)length << 32 | 2);
            return items.back();
        }
    }
    return 0;
}

void sass_block::begin(sass_run *of, sass_cache *shared_cache, uint3 where, bool keep_paths) {
    const dim3 size = of->launched->block;

    run = of;
    cache = shared_cache;
    index = where;
    threads = size.x * size.y * size.z;
    voted = votes = 0;
    shared.assign(SHARED_FIRST + of->kernel->static_shared + of->launched->dynamic_bytes + 16, 0);
    warps.resize((threads + 31) / 32);
    paths.assign(keep_paths ? warps.size() : 0, {});
    for (size_t k = 0; k < warps.size(); k++) {
        warps[k].local.clear();
        warps[k].path = keep_paths ? &paths[k] : nullptr;
        warps[k].begin(this, (unsigned)k);
    }
}

bool sass_block::ended() const {
    for (const sass_warp &warp : warps)
        if (!warp.ended())
            return false;
    return true;
}

bool sass_block::advance() {
    bool any = false, waiting = false, all = true, parked = false;

    for (sass_warp &warp : warps) {
        any |= !warp.parked && warp.advance(QUANTUM);
        parked |= warp.parked;
    }
    for (const sass_warp &warp : warps)
        for (const sass_group &group : warp.groups) {
            waiting |= group.state == SASS_BARRIER;
            all &= group.state == SASS_BARRIER;
        }
    if (!any && parked && warps[0].watched == 0) { /* all others wait for these */
        skip_iterations(this);
        return true;
    }
    if (!waiting || !all)
        return any;
    voted = votes;
    votes = 0;
    for (sass_warp &warp : warps)
        for (sass_group &group : warp.groups) {
            group.state = SASS_RUNS;
            group.segment = ++group.at;
        }
    return true;
}

} // namespace cpucuda
