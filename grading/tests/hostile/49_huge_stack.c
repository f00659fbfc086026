/* Calls itself without end, a MiB each time. */
#include "honest.h"

static int dig(volatile int depth) {
    volatile char block[1 << 20];

    block[0] = block[sizeof block - 1] = (char)depth;
    return depth < 0 ? 0 : dig(depth + 1) + block[0];
}

HONEST_BUT_ITS_RUN {
    return dig(iterations);
}
