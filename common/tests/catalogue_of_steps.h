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

#endif
