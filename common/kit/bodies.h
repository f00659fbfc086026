/* All bodies as an array of n numbers for each component, and the way there from the array of
 * structures of the contract and back. */
#ifndef BODIES_H
#define BODIES_H

#include <stddef.h>

#include "nbody.h"

#ifndef NUMBER
#define NUMBER float /* what a coordinate is stored as */
#endif

struct bodies {
    NUMBER *x, *y, *z, *vx, *vy, *vz;
};

/* The six arrays in one piece of memory, of 6 n numbers. */
static inline struct bodies arrays(NUMBER *memory, size_t n) {
    struct bodies bodies = {memory,         memory + n,     memory + 2 * n,
                            memory + 3 * n, memory + 4 * n, memory + 5 * n};
    return bodies;
}

/* `to` gets the transpose of a matrix of rows * columns numbers, stored row by row. An array of
 * structures is a matrix of n rows, a body each; the arrays are its 6 columns. `To` and `From` are
 * the types of the numbers, which may differ. */
template <typename To, typename From>
static inline void transpose(To *to, const From *from, int rows, int columns) {
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            to[column * rows + row] = from[row * columns + column];
}

/* From the contract's n bodies into the six arrays, and back. */
static inline void load(NUMBER *memory, const struct body *in, int n) {
    transpose(memory, &in->x, n, 6);
}

static inline void store(struct body *out, const NUMBER *memory, int n) {
    transpose(&out->x, memory, 6, n);
}

#endif
