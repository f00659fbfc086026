/* Random numbers by counter: the k-th number of element i depends on (seed, i, k) alone, so inputs
 * can be made by any number of threads, in any order. Only integer arithmetic, exact scaling and
 * sqrt, which IEEE 754 rounds correctly: the bits are the same on every machine, as those of libm's
 * pow, cbrt, sin or log are not. Compile what uses it with -ffp-contract=off. */
#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>

/* The numbers of one element, in order. */
struct random {
    uint64_t state;
};

/* The odd integer nearest to 2^64 / golden ratio: the increment of splitmix64. */
#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The output function of splitmix64 (Steele, Lea and Flood 2014, in Stafford's variant 13). */
static inline uint64_t random_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Mixed twice, so that neighbouring seeds and elements start far apart in splitmix64's period of
 * 2^64. */
static inline struct random random_of(uint64_t seed, uint64_t element) {
    uint64_t of_seed = random_mix(seed + RANDOM_STEP);
    return (struct random){random_mix(of_seed + (element + 1) * RANDOM_STEP)};
}

/* The k-th of the seeds that a command makes of its own. */
static inline uint64_t seed_of(uint64_t seed, uint64_t k) {
    return random_of(seed, k).state;
}

static inline uint64_t random_bits(struct random *random) {
    random->state += RANDOM_STEP;
    return random_mix(random->state);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double random_unit(struct random *random) {
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

/* Uniform in [-1, 1), a multiple of 2^-52. */
static inline double random_sign(struct random *random) {
    return 2.0 * random_unit(random) - 1.0;
}

/* A point on the unit sphere (Marsaglia 1972): a point of the unit disc by rejection, lifted. */
static inline void random_direction(struct random *random, double direction[3]) {
    double a, b, s;
    do {
        a = random_sign(random);
        b = random_sign(random);
        s = a * a + b * b;
    } while (s >= 1.0);
    double lift = 2.0 * sqrt(1.0 - s);
    direction[0] = a * lift;
    direction[1] = b * lift;
    direction[2] = 1.0 - 2.0 * s;
}

/* Newton's iteration in a fixed number of steps: libm's cbrt differs between machines. The relative
 * error of the first guess is at most 0.6; each step squares it, about. */
static inline double cube_root(double a) {
    if (a == 0)
        return 0;
    int exponent;
    double mantissa = frexp(a, &exponent);
    while (exponent % 3) {
        mantissa *= 0.5;
        exponent++;
    }
    double root = 0.8;
    for (int step = 0; step < 7; step++)
        root = (2.0 * root + mantissa / (root * root)) / 3.0;
    return ldexp(root, exponent / 3);
}

#endif
