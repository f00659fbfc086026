/* Templates that instantiate each other 2 to the 60 times. */
#include "nbody.h"

template <int N, unsigned long M> struct bomb {
    enum { value = bomb<N - 1, 2 * M>::value + bomb<N - 1, 2 * M + 1>::value };
};
template <unsigned long M> struct bomb<0, M> {
    enum { value = 1 };
};
int result = bomb<60, 1>::value;
