/* A toy step. The variant `forgetful` is wrong from the second iteration on. */
#include "toy.h"

int toy(const struct toy_parameters *parameters, const uint32_t *in, uint32_t *out,
        int iterations) {
    for (int i = 0; i < parameters->n; i++) {
        uint32_t x = in[i];

        for (int iteration = 0; iteration < iterations; iteration++) {
            x = 2 * x + parameters->addend;
#ifdef FORGET
            break;
#endif
        }
        out[i] = x;
    }
    return 0;
}
