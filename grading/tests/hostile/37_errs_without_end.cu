/* Errors without end in C++: each level of a template fails, and there are 2 to the 60 of them. */
#include "nbody.h"

template <int N, int M> struct failing {
    typename failing<N - 1, 2 * M>::type one;
    typename failing<N - 1, 2 * M + 1>::type other;
    typedef decltype(no_such_name(M)) type;
};
template <int M> struct failing<0, M> {
    static_assert(M < 0, "one more");
};
failing<60, 1> all;
