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
 * branch counts, what it leaves out does not. A load from shared memory has one address for all
 * lanes: of 4 or 8 bytes it is one pass over the banks, of 16 bytes two (measured on an H200, and
 * what ncu counts). Loads of global memory take an issue slot each; what else they take is not
 * limited here. */
#define ON_GPU(slots, fma, mufu, passes)                                                           \
    (const struct need[]) {                                                                        \
        {"gpu_issue", slots}, {"gpu_fma", fma}, {"gpu_mufu", mufu}, {"gpu_lds", passes}, {         \
            NULL, 0                                                                                \
        }                                                                                          \
    }

/* 19 are additions, products and multiply-adds: 10 of the formula, 2 products for the cube, and 7
 * that correct the root and the reciprocal, of which MUFU gives a first estimate each. */
#define SLOW_ROOT(slots, passes) ON_GPU(slots, 19, 2, passes)
/* 12, and two products around the root for the sake of denormal arguments. Without a branch between
 * bodies, the coordinates of four come by three loads of 16 bytes. */
#define RSQRT(slots) ON_GPU(slots, 14, 1, 1.5)
#define FTZ(slots)   ON_GPU(slots, 12, 1, 1.5)
/* Half precision: additions, products and conversions are of the same pipe. */
#define HALF(slots, fma, passes) ON_GPU(slots, fma, 1, passes)

static const struct {
    const char *backend, *step, *variant; /* NULL: all others */
    const struct need *needs;
} table[] = {
    {"cpu", "01_serial", "gcc_fast", fast},
    {"cpu", "01_serial", "clang_fast", fast},
    {"cpu", "01_serial", NULL, plain},
    {"cpu", "02_openmp", NULL, plain},
    {"cuda", "03_cuda_naive", NULL, SLOW_ROOT(36.5, 0)},
    {"cuda", "04_soa", NULL, SLOW_ROOT(37, 0)},
    {"cuda", "05_tiling", "aos", SLOW_ROOT(34.75, 2)},
    {"cuda", "05_tiling", NULL, SLOW_ROOT(36.75, 3)},
    {"cuda", "06_unroll", "1", SLOW_ROOT(41, 3)},
    {"cuda", "06_unroll", "2", SLOW_ROOT(38.5, 3)},
    {"cuda", "06_unroll", "4", SLOW_ROOT(36.75, 3)},
    {"cuda", "06_unroll", "8", SLOW_ROOT(35.875, 3)},
    {"cuda", "06_unroll", "16", SLOW_ROOT(35.4375, 3)},
    {"cuda", "06_unroll", "24", SLOW_ROOT(35.3, 3)},
    {"cuda", "06_unroll", "32", SLOW_ROOT(35.22, 3)},
    {"cuda", "07_device_integration", NULL, SLOW_ROOT(35.4375, 3)},
    {"cuda", "08_rsqrt", NULL, RSQRT(17.1875)},
    {"cuda", "09_ftz", "1", ON_GPU(22, 12, 1, 3)},
    {"cuda", "09_ftz", "2", FTZ(18)},
    {"cuda", "09_ftz", "4", FTZ(15.5)},
    {"cuda", "09_ftz", "8", FTZ(14.625)},
    {"cuda", "09_ftz", "16", FTZ(14.1875)},
    {"cuda", "09_ftz", "24", FTZ(14.04)},
    {"cuda", "09_ftz", "32", FTZ(13.97)},
    {"cuda", "10_fp16", "seed", HALF(15.6875, 13.5, 0.75)},
    {"cuda", "10_fp16", "pure_half", HALF(19.4375, 13, 3)},
    {"cuda", "10_fp16", "half2", HALF(15.09, 13.5, 0.75)},
    {"cuda", "11_pinned", NULL, FTZ(14.1875)},
    {"cuda", "12_float4", "float4", ON_GPU(13.125, 11, 1, 2)},
    {"cuda", "12_float4", "float3", ON_GPU(12.88, 11, 1, 1.5)},
    {"cuda", "12_float4", "soa", ON_GPU(12.91, 11, 1, 1.5)},
    /* Without masses, by the formula: 3 differences, 2 products, 6 multiply-adds, the root, a load
     * for four bodies i, and 3 instructions of the loop for 8 bodies j. Ceilings are one device's,
     * so variants of several have none. */
    {"cuda", "17_multi_gpu", "one", ON_GPU(12.35, 11, 1, 0.5)},
};

const struct need *nbody_needs(const char *step, const char *variant, const char *backend) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(table[row].backend, backend) && !strcmp(table[row].step, step) &&
            (!table[row].variant || !strcmp(table[row].variant, variant)))
            return table[row].needs;
    return NULL;
}
