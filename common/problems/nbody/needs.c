#include "nbody_problem.h"

#include <string.h>

/* An interaction of the plain loop, in multiply-add slots: 3 subtractions; r^2 as one multiply, two
 * multiply-adds and one addition for the softening; inv^3 as 2 multiplies; 3 multiply-adds into the
 * sums. And one correctly rounded reciprocal square root. */
static const struct need plain[] = {{"fma", 12}, {"rsqrt", 1}, {NULL, 0}};

/* With -ffast-math an estimate and a Newton step of 4 operations stand for the root. */
static const struct need fast[] = {{"fma", 16}, {NULL, 0}};

/* On the GPU, lanes of each kind of instruction: counted in the machine code of the loop over j
 * that nvcc 13.0 makes for sm_90 (-O3), divided by the interactions of one turn of it. 1 / sqrtf()
 * ends in two branches that leave out a call for arguments near the ends of float's range: the
 * branch counts, what it leaves out does not. 19 are additions, products and multiply-adds: 10 of
 * them of the formula, 2 of its two products for the cube, 7 correct the root and the reciprocal. A
 * load from shared memory has one address for all lanes: of 4 or 8 bytes it is one pass over the
 * banks, of 16 bytes two (measured on an H200, and what ncu counts). Loads of global memory take an
 * issue slot each; what else they take is not limited here. */
#define ON_GPU(slots, passes)                                                                      \
    (const struct need[]) {                                                                        \
        {"gpu_issue", slots}, {"gpu_fma", 19}, {"gpu_mufu", 2}, {"gpu_lds", passes}, {             \
            NULL, 0                                                                                \
        }                                                                                          \
    }

static const struct {
    const char *backend, *step, *variant; /* NULL: all others */
    const struct need *needs;
} table[] = {
    {"cpu", "01_serial", "gcc_fast", fast},
    {"cpu", "01_serial", "clang_fast", fast},
    {"cpu", "01_serial", NULL, plain},
    {"cpu", "02_openmp", NULL, plain},
    {"cuda", "03_cuda_naive", NULL, ON_GPU(36.5, 0)},
    {"cuda", "04_soa", NULL, ON_GPU(37, 0)},
    {"cuda", "05_tiling", "aos", ON_GPU(34.75, 2)},
    {"cuda", "05_tiling", NULL, ON_GPU(36.75, 3)},
    {"cuda", "06_unroll", "1", ON_GPU(41, 3)},
    {"cuda", "06_unroll", "2", ON_GPU(38.5, 3)},
    {"cuda", "06_unroll", "4", ON_GPU(36.75, 3)},
    {"cuda", "06_unroll", "8", ON_GPU(35.875, 3)},
    {"cuda", "06_unroll", "16", ON_GPU(35.4375, 3)},
    {"cuda", "06_unroll", "24", ON_GPU(35.3, 3)},
    {"cuda", "06_unroll", "32", ON_GPU(35.22, 3)},
    {"cuda", "07_device_integration", NULL, ON_GPU(35.4375, 3)},
};

const struct need *nbody_needs(const char *step, const char *variant, const char *backend) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(table[row].backend, backend) && !strcmp(table[row].step, step) &&
            (!table[row].variant || !strcmp(table[row].variant, variant)))
            return table[row].needs;
    return NULL;
}
