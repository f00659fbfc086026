/* A warp executes machine code: where its lanes go, and what they wait for. */
#include "sass.h"

#include <algorithm>
#include <string.h>

namespace cpucuda {

void sass_warp::begin(sass_block *of, unsigned which) {
    const unsigned lanes = std::min(32u, of->threads - which * 32);

    block = of;
    number = which;
    live = lanes == 32 ? ~0u : (1u << lanes) - 1;
    memset(&own, 0, sizeof own);
    memset(&uniform, 0, sizeof uniform);
    own.p[7] = uniform.p[7] = ~0u;
    own.zero = 255;
    uniform.zero = 63;
    memset(meets, 0, sizeof meets);
    executed = length = 0;
    head = watched = 0;
    parked = false;
    loops.clear();
    groups.assign(1, {live, 0, SASS_RUNS, 0, 0});
}

/* Returns the repeat that the path now ends with, or 0. */
uint64_t sass_warp::end_segment(sass_group &group, uint32_t next) {
    uint64_t repeat = 0;

    if (path && group.at >= group.segment)
        repeat = path->add(group.segment, group.at - group.segment + 1, next <= group.segment);
    group.segment = next;
    return repeat;
}

/* Where a jump leads; units are 4 bytes, from the next instruction on. */
static uint32_t target(const sass_instruction &i, uint32_t at, int architecture) {
    int64_t words = (int64_t)((i.high & 0x3ffff) << 30 | i.low >> 34);

    words = words << 16 >> 16; /* 48 bits */
    if (architecture >= 90)
        words = words * 256 + i.bits(16, 8);
    return (uint32_t)((int64_t)at + 1 + words / 4);
}

/* Groups that wait for lanes which have come, or have gone, go on. Whether any did. */
bool sass_warp::settle() {
    bool any = false;

    for (size_t k = 0; k < groups.size(); k++) {
        sass_group &group = groups[k];
        uint32_t there = 0, wanted;

        if (group.state != SASS_SYNC && group.state != SASS_MEET)
            continue;
        wanted = (group.state == SASS_SYNC ? meets[group.wanted] : group.wanted) & live;
        for (const sass_group &other : groups)
            if (other.state == group.state && other.at == group.at)
                there |= other.lanes;
        if (wanted & ~there)
            continue;
        const uint32_t at = group.at;
        const sass_state state = group.state;
        sass_group whole = {0, at, SASS_RUNS, 0, at};

        for (size_t j = groups.size(); j-- > 0;)
            if (groups[j].state == state && groups[j].at == at) {
                whole.lanes |= groups[j].lanes;
                groups.erase(groups.begin() + (ptrdiff_t)j);
            }
        if (state == SASS_SYNC) {
            whole.at++;
            whole.segment++;
        } else {
            whole.wanted = ~0u; /* it met: the instruction is executed now */
        }
        groups.push_back(whole);
        any = true;
        k = (size_t)-1;
    }
    return any;
}

/* One instruction of the group; false: it does not go on, or groups have changed. */
bool sass_warp::step(sass_group &group) {
    const sass_kernel &kernel = *block->run->kernel;

    if (group.at >= kernel.code.size())
        fail("internal", "the machine code of %s leads out of it", kernel.name.c_str());

    const sass_instruction &i = kernel.code[group.at];
    const unsigned guard = i.bits(12, 3), operation = i.operation();
    sass_counts &counts = block->run->counts[group.at];
    const bool is_uniform =
        operation >= SASS_UMOV && operation < SASS_FLO && operation != SASS_R2UR_SAME;
    uint32_t lanes = (is_uniform ? uniform : own).p[guard] ^ (i.bits(15, 1) ? ~0u : 0);

    lanes &= group.lanes;
    /* Lanes of a mask meet before they exchange values; then this comes again. */
    if (group.wanted != ~0u &&
        ((operation == SASS_WARPSYNC && lanes) || (operation == SASS_BRA && i.bits(33, 1)))) {
        uint32_t wanted = ~0u;

        if (operation == SASS_WARPSYNC && (i.bits(9, 3) == 4))
            wanted = i.bits(32, 32);
        else if (operation == SASS_WARPSYNC && i.bits(9, 3) == 1)
            wanted = own.r[i.bits(32, 8)][__builtin_ctz(lanes)];
        else if (operation == SASS_BRA && block->run->architecture >= 80 && i.bits(24, 6) != 63)
            wanted = uniform.r[i.bits(24, 6)][0];
        if (wanted & live & ~group.lanes) {
            end_segment(group, group.at);
            group.state = SASS_MEET;
            group.wanted = wanted;
            settle();
            return false;
        }
    }
    group.wanted = 0;
    executed++;
    counts.issued++;
    counts.lanes += (unsigned)__builtin_popcount(lanes);
    switch (operation) {
    case SASS_BSSY:
        meets[i.bits(16, 4)] = group.lanes;
        break;
    case SASS_BREAK: {
        const unsigned condition = i.bits(87, 3);

        lanes &= own.p[condition] ^ (i.bits(90, 1) ? ~0u : 0);
        meets[i.bits(16, 4)] &= ~lanes;
        group.at++;
        settle();
        return false;
    }
    case SASS_BSYNC:
        if (!lanes)
            break;
        end_segment(group, group.at + 1);
        group.state = SASS_SYNC;
        group.wanted = i.bits(16, 4);
        settle();
        return false;
    case SASS_BAR:
        if (!lanes)
            break;
        if (i.bits(77, 2) == 2) { /* a vote of the block */
            const uint32_t said = own.p[i.bits(87, 3)] ^ (i.bits(90, 1) ? ~0u : 0);

            if (said & lanes)
                block->votes = 1;
        }
        end_segment(group, group.at + 1);
        group.state = SASS_BARRIER;
        return false;
    case SASS_EXIT: {
        const unsigned condition = i.bits(87, 3);

        lanes &= own.p[condition] ^ (i.bits(90, 1) ? ~0u : 0);
        if (!lanes)
            break;
        live &= ~lanes;
        group.lanes &= ~lanes;
        if (group.lanes) {
            group.at++;
        } else {
            end_segment(group, ~0u);
            groups.erase(groups.begin() + (&group - groups.data()));
        }
        settle();
        return false;
    }
    case SASS_BRA:
    case SASS_CALL:
    case SASS_RET: {
        uint32_t to = target(i, group.at, block->run->architecture);

        if (operation == SASS_BRA && i.bits(33, 1)) { /* .DIV: not here, where lanes met */
            break;
        } else if (operation == SASS_BRA && i.bits(32, 1)) { /* .U */
            lanes = (uniform.p[guard] & 1) ^ i.bits(15, 1) ? group.lanes : 0;
        } else if (operation != SASS_CALL) {
            lanes &= own.p[i.bits(87, 3)] ^ (i.bits(90, 1) ? ~0u : 0);
        }
        if (!lanes)
            break;
        if (operation == SASS_RET)
            to += own.r[i.bits(24, 8)][__builtin_ctz(lanes)] / 16;
        const uint64_t repeat = end_segment(group, to);

        if (lanes == group.lanes) {
            group.at = to;
            if (repeat && groups.size() == 1 && block->run->sampled)
                come_to_head(to, repeat);
            return groups.size() == 1 && !parked;
        }
        group.lanes &= ~lanes;
        group.at++;
        group.segment = group.at;
        groups.push_back({lanes, to, SASS_RUNS, 0, to});
        return false;
    }
    default:
        if (lanes)
            execute(i, lanes, counts);
    }
    group.at++;
    return true;
}

/* Parks at the head of a loop that takes long, for skip_iterations(). */
void sass_warp::come_to_head(uint32_t at, uint64_t repeat) {
    enum { LEAST_TIMES = 4, LEAST_EXECUTED = 16384 };
    const uint64_t times = (uint32_t)repeat;
    size_t k = 0;

    head = (uint64_t)at << 32 | (repeat & ~SASS_REPEAT) >> 32;
    while (k < loops.size() && loops[k].name != head)
        k++;
    if (k == loops.size())
        loops.push_back({head, executed, LEAST_TIMES});
    length = executed - loops[k].executed;
    loops[k].executed = executed;
    parked = watched ? head == watched
                     : times >= loops[k].tried_from && length * times >= LEAST_EXECUTED;
}

void sass_warp::tried() {
    for (loop &loop : loops)
        if (loop.name == head)
            loop.tried_from *= 8;
}

bool sass_warp::advance(unsigned most) {
    bool any = false;
    unsigned turn = 0;

    while (most && !groups.empty() && !parked) {
        size_t first = groups.size();

        /* Lanes at the lowest address go first, so that those which jumped over something wait for
         * those which did it; now and then another group, for which they may wait. */
        turn++;
        for (size_t k = 0; k < groups.size(); k++)
            if (groups[k].state == SASS_RUNS &&
                (first == groups.size() ||
                 (turn % 512 ? groups[k].at < groups[first].at : groups[k].at > groups[first].at)))
                first = k;
        if (first == groups.size())
            return any;
        any = true;
        uint32_t next = ~0u; /* where another group waits to be joined */

        for (size_t k = groups.size(); k-- > 0;) {
            if (k == first || groups[k].state != SASS_RUNS)
                continue;
            if (groups[k].at == groups[first].at) {
                if (path && groups[first].segment < groups[first].at) {
                    groups[first].at--;
                    end_segment(groups[first], groups[first].at + 1);
                    groups[first].at++;
                }
                groups[first].lanes |= groups[k].lanes;
                groups.erase(groups.begin() + (ptrdiff_t)k);
                if (k < first)
                    first--;
            } else if (groups[k].at > groups[first].at) {
                next = std::min(next, groups[k].at);
            }
        }
        while (most && step(groups[first])) {
            most--;
            if (groups[first].at >= next)
                break;
        }
        if (most)
            most--;
    }
    return any || !most;
}

} // namespace cpucuda
