/* The path of a warp, instruction by instruction, with its loops cut short. */
#ifndef UNROLLED_H
#define UNROLLED_H

#include "machine_code.h"

struct unrolled {
    int *code; /* places of instructions; freed by the caller */
    int count, room;
};

/* Up to how many iterations loops are kept: those without a loop inside, and the others. */
struct cut {
    double inner, outer;
};

/* Returns how many instructions the path has then, and adds them to `to` unless it is NULL. */
double unroll(struct unrolled *to, const struct path *path, struct cut cut);

#endif
