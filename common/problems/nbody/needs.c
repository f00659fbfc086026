#include "nbody_problem.h"

#include <string.h>

/* An interaction of the plain loop, in multiply-add slots: 3 subtractions; r^2 as one multiply, two
 * multiply-adds and one addition for the softening; inv^3 as 2 multiplies; 3 multiply-adds into the
 * sums. And one reciprocal square root. */
static const struct need plain[] = {{"fma", 12}, {"rsqrt", 1}, {NULL, 0}};

static const struct {
    const char *step;
    const struct need *needs;
} table[] = {
    {"01_serial", plain},
    {"02_openmp", plain},
};

const struct need *nbody_needs(const char *step, const char *variant) {
    (void)variant; /* compilers, flags and schedules: the interaction stays the same */
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(table[row].step, step))
            return table[row].needs;
    return NULL;
}
