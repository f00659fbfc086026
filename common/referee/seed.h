/* Seeds: one for each input, all from the one that a command prints. */
#ifndef SEED_H
#define SEED_H

#include <stdint.h>

/* The k-th seed of a command's `seed` (splitmix64, Steele, Lea and Flood 2014). */
static inline uint64_t seed_of(uint64_t seed, uint64_t k) {
    uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
