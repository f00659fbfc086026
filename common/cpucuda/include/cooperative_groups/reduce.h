/* cooperative_groups::reduce() over a tile: every thread gets the result. */
#ifndef CPUCUDA_COOPERATIVE_GROUPS_REDUCE_H
#define CPUCUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
    T operator()(T a, T b) const {
        return a + b;
    }
};
template <class T> struct less {
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};

/* Pairs, then pairs of pairs: floats are rounded in the same order in every thread. */
template <unsigned Size, class Parent, class T, class F>
T reduce(const thread_block_tile<Size, Parent> &group, T value, F combine, CPUCUDA_CALLER) {
    for (unsigned apart = Size / 2; apart > 0; apart /= 2) {
        T other = (T)group.shfl_xor(value, apart, file, line);
        value = group.thread_rank() & apart ? combine(other, value) : combine(value, other);
    }
    return value;
}
template <class T, class F> T reduce(const coalesced_group &, T value, F) {
    return value;
}

} // namespace cooperative_groups

#endif
