/* The contract of a toy step: x becomes 2 x + addend, modulo 2^32, `iterations` times. */
#ifndef TOY_H
#define TOY_H

#include <stdint.h>

struct toy_parameters {
    int n;
    uint32_t addend;
};

/* Reads n numbers from `in`, writes n to `out`. Returns 0 when done. */
int toy(const struct toy_parameters *parameters, const uint32_t *in, uint32_t *out, int iterations);

#endif
