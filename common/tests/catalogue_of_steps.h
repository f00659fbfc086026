/* The catalogue of steps/, for a group of tests that starts in the repository's root. */
#ifndef CATALOGUE_OF_STEPS_H
#define CATALOGUE_OF_STEPS_H

#include "testing.h"
#include "referee/build/catalogue.h"

static struct catalogue catalogue;

static inline int read_catalogue(void **state) {
    (void)state;
    return catalogue_read(&catalogue, "steps");
}

/* CUDA C is then cpucuda's alone. */
static inline int read_catalogue_without_nvcc(void **state) {
    setenv("NVCC", "", 1);
    return read_catalogue(state);
}

/* Adds a step of another problem, which builds on none and whose source no other step has. */
static inline void add_other_step(void) {
    catalogue.steps[catalogue.count++] = (struct step){.name = "91_other",
                                                       .part = "III",
                                                       .problem = "other",
                                                       .source = "other.cu",
                                                       .expected = "accepted",
                                                       .tolerance = "1e-6"};
}

#endif
