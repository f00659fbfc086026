/* Inputs and parameters for the tests of the problem `nbody`. */
#ifndef NBODY_INPUTS_H
#define NBODY_INPUTS_H

#include "testing.h"
#include "problems/nbody/nbody_problem.h"

static inline struct body *bodies_of(int n) {
    struct body *bodies = calloc((size_t)n, sizeof *bodies);
    assert_non_null(bodies);
    return bodies;
}

static inline struct body *generated(const char *distribution, int n, uint64_t seed) {
    struct body *bodies = bodies_of(n);
    nbody_problem.generate(bodies, distribution, n, seed);
    return bodies;
}

static inline struct parameters parameters_of(const char *distribution, int n, int iterations) {
    struct parameters parameters;
    nbody_problem.set_parameters(&parameters, distribution, n, iterations);
    return parameters;
}

#endif
