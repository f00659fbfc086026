/* Skips iterations of a long loop, whose length is not known beforehand: where a block stands for
 * many, its values do not matter, only which way it goes. Registers that change by the same amount
 * in each iteration are set as if many more had passed; then one more iteration shows whether the
 * loop still goes on. If it does, the skipped ones count like those before them; if not, all is
 * taken back, and fewer are tried. No comparison of integers may come to equal operands in between,
 * since many loops end only there; a loop without one that goes on regularly is not skipped. So the
 * last iterations, and what follows, are executed. */
#include "sass.h"

#include <algorithm>
#include <stdlib.h>

namespace cpucuda {

enum { WATCHED = 4, MOST_SKIPPED = 1 << 28 };

/* The block before something that may be taken back. */
struct kept {
    std::vector<sass_warp> warps;
    std::vector<char> shared;
    std::vector<sass_path> paths;
    std::vector<sass_counts> counts;
    sass_touched touched;
    sass_cache cache;

    explicit kept(const sass_block &block)
        : warps(block.warps), shared(block.shared), paths(block.paths), counts(block.run->counts),
          touched(block.run->touched), cache(*block.cache) {
    }
    void take_back(sass_block *block) const {
        block->warps = warps;
        block->shared = shared;
        std::copy(paths.begin(), paths.end(), block->paths.begin()); /* warps point to them */
        block->run->counts = counts;
        block->run->touched = touched;
        *block->cache = cache;
    }
};

/* All warps that have not ended execute one iteration, from the loop's head to it again; false:
 * they do not come back by the same way. */
static bool iterate(sass_block *block) {
    std::vector<uint64_t> end; /* 0: it ended before */

    for (sass_warp &warp : block->warps) {
        end.push_back(warp.ended() ? 0 : warp.executed + warp.length);
        warp.parked = false;
    }
    while (block->advance()) {
        bool all = true;

        for (size_t k = 0; k < end.size(); k++) {
            const sass_warp &warp = block->warps[k];

            if (end[k] && (warp.ended() || warp.executed > end[k]))
                return false;
            all &= !end[k] || warp.parked;
        }
        if (all)
            return true;
    }
    return false;
}

/* By how much registers change in an iteration, where the last two agree; 0 elsewhere. */
static bool find_steps(const sass_registers &now, const sass_registers &before,
                       const sass_registers &first, sass_registers *steps) {
    bool any = false;

    for (int k = 0; k < 256; k++)
        for (int lane = 0; lane < 32; lane++) {
            const uint32_t step = now.r[k][lane] - before.r[k][lane];

            steps->r[k][lane] = step == before.r[k][lane] - first.r[k][lane] ? step : 0;
            any |= steps->r[k][lane] != 0;
        }
    return any;
}

static void take_steps(sass_registers *now, const sass_registers &steps, uint32_t times) {
    for (int k = 0; k < 256; k++)
        for (int lane = 0; lane < 32; lane++)
            now->r[k][lane] += times * steps.r[k][lane];
}

/* Adds to the counts of `now` those between two others, `times` as often. */
static void add_counts(sass_run *now, const kept &from, const kept &to, double times) {
    static uint64_t sass_counts::*const all[] = {&sass_counts::issued,  &sass_counts::lanes,
                                                 &sass_counts::sectors, &sass_counts::l1_hits,
                                                 &sass_counts::shared,  &sass_counts::wavefronts};

    for (size_t k = 0; k < now->counts.size(); k++)
        for (uint64_t sass_counts::*count : all)
            now->counts[k].*count +=
                (uint64_t)(times * (double)(to.counts[k].*count - from.counts[k].*count) + 0.5);
    now->touched.add(times, from.touched, to.touched);
}

void sass_warp::compared(const sass_instruction &i, uint32_t a, uint32_t b) {
    size_t k = 0;

    while (k < comparisons.size() && comparisons[k].which != &i)
        k++;
    if (k == comparisons.size())
        comparisons.push_back({&i, 0, 0, 0, 0});
    comparisons[k].now = i.bits(73, 1) ? (int64_t)(int32_t)a - (int32_t)b : (int64_t)a - b;
}

static void end_iteration(sass_warp *warp) {
    for (sass_warp::comparison &comparison : warp->comparisons) {
        const int64_t step = comparison.now - comparison.before;

        comparison.times = step == comparison.step ? comparison.times + 1 : 1;
        comparison.step = step;
        comparison.before = comparison.now;
    }
}

/* Iterations before any comparison of the warp that goes on regularly has equal operands. */
static int64_t iterations_left(const sass_warp &warp) {
    int64_t left = MOST_SKIPPED;

    for (const sass_warp::comparison &of : warp.comparisons)
        if (of.times > WATCHED / 2 && of.step && (of.now < 0) == (of.step > 0))
            left = std::min(left, std::abs(of.now) / std::abs(of.step));
    return left;
}

void skip_iterations(sass_block *block) {
    uint64_t head = 0;
    bool all = true, any = false, goes_on = true;
    std::vector<std::pair<sass_registers, sass_registers>> steps(block->warps.size());
    std::vector<sass_warp> two, one; /* before the last two iterations */
    int64_t left = MOST_SKIPPED;

    for (sass_warp &warp : block->warps) {
        if (warp.parked && !head)
            head = warp.head;
        all &= warp.ended() || (warp.parked && warp.head >> 32 == head >> 32);
    }
    for (sass_warp &warp : block->warps) {
        warp.tried();
        warp.watched = warp.parked ? warp.head : head; /* in parts of its own */
        warp.comparisons.clear();
    }

    const kept first(*block);

    for (int k = 0; all && goes_on && k < WATCHED; k++) {
        two.swap(one);
        one = block->warps;
        goes_on = iterate(block);
        for (sass_warp &warp : block->warps)
            end_iteration(&warp);
    }
    for (size_t k = 0; all && goes_on && k < block->warps.size(); k++) {
        const sass_warp &now = block->warps[k];

        any |= find_steps(now.own, one[k].own, two[k].own, &steps[k].first);
        any |= find_steps(now.uniform, one[k].uniform, two[k].uniform, &steps[k].second);
        left = std::min(left, iterations_left(now) - 1);
    }

    const kept last(*block);
    int64_t times = left < MOST_SKIPPED - 1 ? left : 0; /* else nothing tells that it ends */

    while (any && times > 0 && left > 0) {
        const kept base(*block);

        for (size_t k = 0; k < block->warps.size(); k++) {
            take_steps(&block->warps[k].own, steps[k].first, (uint32_t)times);
            take_steps(&block->warps[k].uniform, steps[k].second, (uint32_t)times);
        }
        if (iterate(block)) {
            block->run->skipped = true;
            add_counts(block->run, first, last, (double)times / WATCHED);
            for (const sass_warp &warp : block->warps)
                if (!warp.ended())
                    warp.path->items.back() += (uint64_t)times;
            left -= times + 1;
        } else {
            base.take_back(block);
        }
        times = std::min(times / 2, left);
    }
    for (sass_warp &warp : block->warps) {
        warp.parked = false;
        warp.watched = 0;
    }
}

} // namespace cpucuda
