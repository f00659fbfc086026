/* Inputs of the problem `leapfrog`. For tests. */
#ifndef LEAPFROG_INPUTS_H
#define LEAPFROG_INPUTS_H

#include "testing.h"
#include "problems/leapfrog/leapfrog_problem.h"

static inline struct star *stars_of(const char *distribution, int n, uint64_t seed) {
    struct star *stars = calloc((size_t)n, sizeof *stars);

    assert_non_null(stars);
    leapfrog_problem.generate(stars, distribution, n, seed);
    return stars;
}

static inline struct integration_parameters leapfrog_parameters(const char *distribution, int n) {
    struct integration_parameters parameters;

    leapfrog_problem.set_parameters(&parameters, distribution, n, 2);
    return parameters;
}

static inline struct judgement judged_stars(const struct integration_parameters *parameters,
                                            const struct star *in, const struct star *out,
                                            const char *distribution, int steps) {
    void *answer = leapfrog_problem.answer(parameters, in, distribution, steps);
    struct judgement judgement;

    assert_non_null(answer);
    leapfrog_problem.judge(parameters, in, answer, out, distribution, steps, 1e-8, &judgement);
    free(answer);
    return judgement;
}

#endif
