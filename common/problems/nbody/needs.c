#include "nbody_problem.h"

#include <string.h>

/* An interaction of the plain loop, in multiply-add slots: 3 subtractions; r^2 as one multiply, two
 * multiply-adds and one addition for the softening; inv^3 as 2 multiplies; 3 multiply-adds into the
 * sums. And one correctly rounded reciprocal square root. */
static const struct need plain[] = {{"fma", 12}, {"rsqrt", 1}, {NULL, 0}};

/* With -ffast-math an estimate and a Newton step of 4 operations stand for the root. */
static const struct need fast[] = {{"fma", 16}, {NULL, 0}};

/* In vectors, with a mass; the softening begins the sum. 3 subtractions, 3 multiply-adds for r^2, 3
 * multiplies for m / r^3, 3 multiply-adds into the sums; root and division as above. */
static const struct need massive[] = {{"fma", 12}, {"rsqrt", 1}, {NULL, 0}};

/* With an estimate of the root and a Newton step: 2 more, and the estimate itself, which takes 3
 * slots of 16 floats on Intel's AVX-512. */
static const struct need estimated[] = {{"fma", 17}, {NULL, 0}};

/* Of both bodies of a pair at once, so half of: 12 of the formula, 2 of the Newton step, the
 * estimate, a product for the other mass and 3 multiply-adds into the other's sums. */
static const struct need mutual[] = {{"fma", 10.5}, {NULL, 0}};

/* On the GPU, lanes of each kind of instruction: counted in the machine code of the loop over j
 * that nvcc 13.0 makes for sm_90 (-O3), divided by the interactions of one turn of it. 1 / sqrtf()
 * ends in two branches that leave out a call for arguments near the ends of float's range: the
 * branch counts, what it leaves out does not. A load from shared memory has one address for all
 * lanes: of 4 or 8 bytes it is one pass over the banks, of 16 bytes two (measured on an H200, and
 * what ncu counts). Loads of global memory take an issue slot each; what else they take is not
 * limited here. */
#define GPU_NEEDS(slots, fma, mufu, passes)                                                        \
    (const struct need[]) {                                                                        \
        {"gpu_issue", slots}, {"gpu_fma", fma}, {"gpu_mufu", mufu}, {"gpu_lds", passes}, {         \
            NULL, 0                                                                                \
        }                                                                                          \
    }

#define ON_GPU(slots, fma, mufu, passes) GPU_NEEDS(slots, fma, mufu, passes), NULL

/* 19 are additions, products and multiply-adds: 10 of the formula, 2 products for the cube, and 7
 * that correct the root and the reciprocal, of which MUFU gives a first estimate each. */
#define SLOW_ROOT(slots, passes) ON_GPU(slots, 19, 2, passes)
/* 12, and two products around the root for the sake of denormal arguments. Without a branch between
 * bodies, the coordinates of four come by three loads of 16 bytes. */
#define RSQRT(slots) ON_GPU(slots, 14, 1, 1.5)
#define FTZ(slots)   ON_GPU(slots, 12, 1, 1.5)
/* Half precision: additions, products and conversions are of the same pipe. */
#define HALF(slots, fma, passes) ON_GPU(slots, fma, 1, passes)

/* Of a program whose threads have several bodies: 12 of the formula, and `more`; a load of 16 bytes
 * for all bodies of the thread; two instructions of the loop a turn of eight bodies j. By formula,
 * and by nvcc's PTX for what the sums add: not by machine code. With masses a product more. */
#define BODIES(bodies, more)                                                                       \
    GPU_NEEDS(12 + 1.25 / (bodies) + (more), 11 + (more), 1, 2.0 / (bodies))
#define BLOCKED(bodies, more) BODIES(bodies, more), BODIES(bodies, (more) + 1)

/* Step 15, by its formula and PTX and not from machine code: bodies of mass 1, so 11 additions,
 * products and multiply-adds and a root, and with masses a product more; a load for each body j of
 * a thread, which serves 8 bodies i in a thread or 1; and three instructions of the loop for each
 * turn of four bodies j. A pass is of 128 bytes; lanes that share a body have different addresses.
 */
#define EIGHT_BODIES(fma, passes)                                                                  \
    GPU_NEEDS((fma) + 1.22, fma, 1, passes), GPU_NEEDS((fma) + 2.22, (fma) + 1, 1, passes)
#define ONE_BODY(fma, passes)                                                                      \
    GPU_NEEDS((fma) + 2.75, fma, 1, passes), GPU_NEEDS((fma) + 3.75, (fma) + 1, 1, passes)

struct counted {
    const char *backend, *step, *variant;   /* NULL: all others */
    const struct need *needs, *with_masses; /* NULL: the same */
};

static const struct counted table[] = {
    {"cpu", "01_serial", "gcc_fast", fast, NULL},
    {"cpu", "01_serial", "clang_fast", fast, NULL},
    {"cpu", "01_serial", NULL, plain, NULL},
    {"cpu", "02_openmp", NULL, plain, NULL},
    {"cpu", "13_cpu_simd", "omp_simd", massive, NULL},
    {"cpu", "13_cpu_simd", "third_law", mutual, NULL},
    {"cpu", "13_cpu_simd", NULL, estimated, NULL},
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
    {"cuda", "14_register_blocking", "chosen", BODIES(8, 0), BODIES(4, 1)},
    {"cuda", "14_register_blocking", "1", BLOCKED(1, 0)},
    {"cuda", "14_register_blocking", "2", BLOCKED(2, 0)},
    {"cuda", "14_register_blocking", "8", BLOCKED(8, 0)},
    {"cuda", "14_register_blocking", "softening_last", BLOCKED(4, 1)},
    {"cuda", "14_register_blocking", "compensated", BLOCKED(4, 9)},
    {"cuda", "14_register_blocking", "two_floats", BLOCKED(4, 21)},
    {"cuda", "14_register_blocking", NULL, BLOCKED(4, 0)},
    {"cuda", "15_threads_per_body", "chosen", EIGHT_BODIES(11, 0)},
    {"cuda", "15_threads_per_body", "graph", EIGHT_BODIES(11, 0)},
    {"cuda", "15_threads_per_body", "persistent", EIGHT_BODIES(11, 0)},
    {"cuda", "15_threads_per_body", "tile", EIGHT_BODIES(11, 0.5)},
    {"cuda", "15_threads_per_body", "potential", EIGHT_BODIES(12, 0)},
    {"cuda", "15_threads_per_body", "softening_last", ONE_BODY(12, 2)},
    {"cuda", "15_threads_per_body", "shuffle_32", ONE_BODY(11, 4)},
    {"cuda", "15_threads_per_body", NULL, ONE_BODY(11, 2)},
    {"cuda", "16_tensor_cores", NULL, ON_GPU(9, 8, 0.5, 0.13)},
    /* Without masses, by the formula: 3 differences, 2 products, 6 multiply-adds, the root, a load
     * for four bodies i, and 3 instructions of the loop for 8 bodies j. Ceilings are one device's,
     * so variants of several have none. */
    {"cuda", "17_multi_gpu", "one", ON_GPU(12.35, 11, 1, 0.5)},
};

/* Where tensor cores can be used: the softening of timed runs is large enough in all distributions
 * but `plummer`, which reaches too far out for it. */
static const struct counted soft[] = {
    /* By hand, from the formulas (solutions/16_tensor_cores/NOTES.md), for boxes that do not touch
     * and bodies that suit tensor cores. */
    {"cuda", "16_tensor_cores", "one_sided", ON_GPU(4.1, 2, 1, 0.1)},
    {"cuda", "16_tensor_cores", "fp32", ON_GPU(9, 8, 0.5, 0.13)},
    {"cuda", "16_tensor_cores", NULL, ON_GPU(2.5, 1, 0.5, 0.1)},
};

static const struct counted *find(const struct counted *counted, size_t count, const char *step,
                                  const char *variant, const char *backend) {
    for (; count-- > 0; counted++)
        if (!strcmp(counted->backend, backend) && !strcmp(counted->step, step) &&
            (!counted->variant || !strcmp(counted->variant, variant)))
            return counted;
    return NULL;
}

const struct need *nbody_needs(const char *step, const char *variant, const char *backend,
                               const char *distribution) {
    const struct counted *found = NULL;

    if (strcmp(distribution, "plummer"))
        found = find(soft, sizeof soft / sizeof *soft, step, variant, backend);
    if (!found)
        found = find(table, sizeof table / sizeof *table, step, variant, backend);
    if (found && found->with_masses && nbody_has_masses(distribution))
        return found->with_masses;
    return found ? found->needs : NULL;
}
