#include "problem.h"

#include <string.h>

const struct problem *problem_find(const char *name) {
    for (const struct problem *const *problem = problems; *problem; problem++)
        if (!strcmp((*problem)->name, name))
            return *problem;
    return NULL;
}

const char *problem_distribution(const struct problem *problem, const char *asked) {
    for (const char *const *distribution = problem->distributions; asked && *distribution;
         distribution++)
        if (!strcmp(*distribution, asked))
            return asked;
    return problem->distributions[0];
}
