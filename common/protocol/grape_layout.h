/* How the problem `grape` lies in the player's buffers. Input: the bodies of a memory; bodies that
 * are written to it again, some of them twice; bodies that ask. Output: forces; how many neighbours
 * each has; MOST_LISTED places for the indices of each. */
#ifndef GRAPE_LAYOUT_H
#define GRAPE_LAYOUT_H

#include "grape_backend.h"

struct grape_parameters {
    int bodies, written, asking;
    double ti, softening;
};

struct written_body {
    struct j_body body;
    int address;
};

enum { MOST_LISTED = 256 };

static inline const struct written_body *grape_written(const struct grape_parameters *parameters,
                                                       const void *input) {
    return (const struct written_body *)((const struct j_body *)input + parameters->bodies);
}

static inline const struct i_body *grape_asking(const struct grape_parameters *parameters,
                                                const void *input) {
    return (const struct i_body *)(grape_written(parameters, input) + parameters->written);
}

static inline int *grape_counts(const struct grape_parameters *parameters, void *output) {
    return (int *)((struct force *)output + parameters->asking);
}

static inline int *grape_lists(const struct grape_parameters *parameters, void *output) {
    return grape_counts(parameters, output) + parameters->asking;
}

#endif
