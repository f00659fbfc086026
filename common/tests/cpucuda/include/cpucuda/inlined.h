/* A function as cpucuda's headers have them: what it does counts for the line that calls it. */
#ifndef INLINED_H
#define INLINED_H

static inline __attribute__((always_inline)) void add_one(float *address) {
    *address += 1;
}

#endif
