/* What timed runs run on: inputs, and the outputs that are right. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdint.h>

#include "problems/problem.h"

struct round {
    void *input;
    /* For the caller to fill in: */
    void *right;          /* the trusted program's output */
    int right_iterations; /* for which it was computed; 0: not yet */
    void *answer;         /* the problem's, of one iteration; NULL: not yet */
};

/* The round of a seed: the same as before if there is still memory for it, since all programs of a
 * problem are timed on the same inputs, and to make one may take longer than to run them. It
 * belongs to this file and stays until the next call; `distribution` has to stay, too. NULL when
 * memory is short. */
struct round *round_get(const struct problem *problem, const char *distribution, int n,
                        uint64_t seed);

#endif
