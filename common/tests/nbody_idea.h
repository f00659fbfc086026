/* What a run of N-body was seen to do, made up, and whether a step finds its technique in it. */
#ifndef NBODY_IDEA_H
#define NBODY_IDEA_H

#include "testing.h"
#include "problems/nbody/nbody_problem.h"
#include "technique_of_step.h"

/* Two iterations of 4096 bodies. */
static inline struct observed two_iterations(void) {
    return (struct observed){.n = 4096, .iterations = 2, .flags = ""};
}

static inline void follows(const char *step, const struct observed *observed) {
    char message[512] = "";

    if (step_follows(&nbody_problem, step, observed, message) != 1)
        fail_msg("%s: %s", step, message);
}

static inline void lacks(const char *step, const struct observed *observed, const char *words) {
    char message[512] = "";

    assert_int_equal(step_follows(&nbody_problem, step, observed, message), 0);
    if (!strstr(message, words))
        fail_msg("\"%s\" is not in: %s", words, message);
}

#endif
