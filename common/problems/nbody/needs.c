#include "nbody_problem.h"

#include <string.h>

/* An interaction of the plain loop, in multiply-add slots: 3 subtractions; r^2 as one multiply, two
 * multiply-adds and one addition for the softening; inv^3 as 2 multiplies; 3 multiply-adds into the
 * sums. And one correctly rounded reciprocal square root. */
static const struct need plain[] = {{"fma", 12}, {"rsqrt", 1}, {NULL, 0}};

/* With -ffast-math an estimate and a Newton step of 4 operations stand for the root. */
static const struct need fast[] = {{"fma", 16}, {NULL, 0}};

static const struct {
    const char *backend, *step, *variant; /* NULL: all others */
    const struct need *needs;
} table[] = {
    {"cpu", "01_serial", "gcc_fast", fast},
    {"cpu", "01_serial", "clang_fast", fast},
    {"cpu", "01_serial", NULL, plain},
    {"cpu", "02_openmp", NULL, plain},
};

const struct need *nbody_needs(const char *step, const char *variant, const char *backend) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(table[row].backend, backend) && !strcmp(table[row].step, step) &&
            (!table[row].variant || !strcmp(table[row].variant, variant)))
            return table[row].needs;
    return NULL;
}
