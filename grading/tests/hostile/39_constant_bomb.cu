/* A compiler that computes constants for ever. */
#include "nbody.h"

constexpr unsigned long spend(unsigned long n) {
    return n < 2 ? n : spend(n - 1) + spend(n - 2);
}
template <int N> struct many {
    static constexpr unsigned long value = spend(24 + N % 3) + many<N - 1>::value;
};
template <> struct many<0> {
    static constexpr unsigned long value = 0;
};
constexpr unsigned long result = many<880>::value;
