#include "problem.h"

#include <string.h>

const struct problem *problem_find(const char *name) {
    for (const struct problem *const *problem = problems; *problem; problem++)
        if (!strcmp((*problem)->name, name))
            return *problem;
    return NULL;
}
