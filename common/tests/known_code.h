/* Code whose cycles are known, for the player of a multiprocessor and the model around it. */
#ifndef KNOWN_CODE_H
#define KNOWN_CODE_H

#include <math.h>

#include "referee/estimate/model.h"
#include "testing.h"

enum { FFMA = 0x223, MUFU = 0x308, LDS = 0x984, BAR = 0xb1d, IADD3 = 0x210, LDG = 0x981 };
enum { HADD2 = 0x230, STG = 0x986, ATOMG = 0x3a8, MATCH = 0x3a1 };
enum { LDGSTS = 0xfae, LDGDEPBAR = 0x9af, DEPBAR = 0x91a };
enum { NONE = 7, TIMES = 200 };

static struct gpu_model gpu;

static inline int read_gpu(void **state) {
    char message[256];

    (void)state;
    return gpu_model_read(&gpu, "h200", message);
}

/* An instruction of that code, with the promises of the compiler: cycles to the warp's next, the
 * barrier that it sets, and a bit for each that it waits for. Its registers are RZ. */
static inline struct instruction make(unsigned operation, unsigned stall, unsigned sets,
                                      unsigned waits) {
    struct instruction i = {.low = 0xff00ff0000ull << 8 | 0x7000 | operation, .issued = 1};

    i.low |= 0xffull << 32;
    i.high = 0xff | (uint64_t)stall << 41 | (uint64_t)sets << 46 | (uint64_t)NONE << 49 |
             (uint64_t)waits << 52;
    instruction_decode(&i);
    return i;
}

/* Within three in a hundred, for how it begins and ends. */
static inline void assert_cycles(double cycles, double expected) {
    if (fabs(cycles - expected) > 0.03 * expected + 30)
        fail_msg("%g cycles, not %g", cycles, expected);
}

#endif
