/* The problem `scan`: what the elements of an array come to up to each of them. */
#include "scan_problem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "problems/random.h"

/* Sums of all integers there are; the same, exclusive; sums of ones, whose inclusive scan counts;
 * maxima of numbers that rise, from far below 0, as many as the array goes on. */
static const char *const distributions[] = {"sums",   "sums_exclusive",   "ones", "ones_exclusive",
                                            "maxima", "maxima_exclusive", NULL};

static const char *const device_distributions[] = {"sums", NULL};

/* Lengths up to 2050, each edge and some of the others, and lengths around edges of warps, blocks
 * and tiles, those of step 22 (8192 elements) among them; the largest have many times 32 tiles.
 * Ones come early, since of large cases the first that fails is told, and their results are counts.
 */
static const struct check_case cases[] = {
    {"sums", 0, 2},
    {"ones", 1000},
    {"ones", 8193},
    {"ones", 65536},
    {"sums", 3, 1999},
    {"sums", 2000, 2050},
    {"sums", 4095, 4097},
    {"sums", 6143, 6145},
    {"sums", 8191, 8193},
    {"sums", 16383, 16385},
    {"sums", 24575, 24577},
    {"sums", 65535, 65537},
    {"sums", 131071, 131073},
    {"sums", 196607, 196609},
    {"sums_exclusive", 0, 2},
    {"sums_exclusive", 3, 130},
    {"sums_exclusive", 2047, 2049},
    {"sums_exclusive", 8193},
    {"sums_exclusive", 65539},
    {"ones_exclusive", 65537},
    {"maxima", 0, 2},
    {"maxima", 3, 130},
    {"maxima", 8191, 8193},
    {"maxima", 65537},
    {"maxima_exclusive", 0, 2},
    {"maxima_exclusive", 3, 5},
    {"maxima_exclusive", 8193},
    {"maxima_exclusive", 9999},
    {"sums", 2051, 65533, ONE_OF},
    {"maxima", 2051, 16383, ONE_OF},
    {"sums", 65539, 262143, ONE_OF},
    {"sums", 1048579},
    {"ones", 1048577},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"sums", 0, 5},
    {"sums", 31, 33},
    {"sums", 127, 129},
    {"sums", 255, 257},
    {"sums", 511, 513},
    {"sums", 1023, 1025},
    {"sums", 2047, 2050},
    {"sums", 4095, 4097},
    {"sums", 8191, 8193},
    {"sums", 24577},
    {"sums_exclusive", 1, 2},
    {"sums_exclusive", 8193},
    {"ones", 1000},
    {"maxima", 1},
    {"maxima", 257},
    {"maxima", 8193},
    {"maxima_exclusive", 1},
    {"maxima_exclusive", 16385},
    {"sums", 259, 1999, ONE_OF},
    {NULL, 0},
};

/* Whole tiles, if they have 3 or 4 times a power of two elements: a part of one has no vectors. */
static const struct check_case trace_cases[] = {{"sums", 98304, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 20, 0};
static const int by_device[] = {1 << 28, 1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                1 << 18, 1 << 20, 1 << 22, 1 << 24, 0};
static const struct sizes sizes = {.single = 1 << 20,
                                   .variants = 1 << 15,
                                   .small = 1 << 16,
                                   .on_cpu = 1 << 24,
                                   .on_gpu = 1 << 24,
                                   .with_errors = 1 << 28,
                                   .beside = 1 << 24,
                                   .timed = timed,
                                   .iterations = 100,
                                   .by_device = by_device,
                                   .device_alone = 1};

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    (void)iterations;
    *(struct scan_parameters *)memory =
        (struct scan_parameters){n, !strncmp(distribution, "maxima", strlen("maxima")),
                                 strstr(distribution, "_exclusive") != NULL};
}

/* Element i of n: it rises by 2^31 over all of them, from -2^30, with noise of 16 times the rise
 * from one to the next, so that every few elements there is a new maximum. */
static int rising(struct random *random, int i, int n) {
    double rise = 0x1p31 / n, noise = random_unit(random) * (n > 32 ? 16 : 1);

    return (int)((i + noise) * rise - 0x1p30 - 0x1p29);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    int ones = !strncmp(distribution, "ones", strlen("ones"));
    int maxima = !strncmp(distribution, "maxima", strlen("maxima"));
    int *elements = input;

#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);

        elements[i] = ones     ? 1
                      : maxima ? rising(&random, i, n)
                               : (int)(unsigned)random_bits(&random);
    }
}

static int nothing(const struct scan_parameters *parameters) {
    return parameters->of_maxima ? INT_MIN : 0;
}

static int combine(const struct scan_parameters *parameters, int a, int b) {
    return !parameters->of_maxima ? (int)((unsigned)a + (unsigned)b) : a > b ? a : b;
}

/* Scans from[begin] to from[end - 1], after what lies before; returns what they all come to. */
static int scan_part(const struct scan_parameters *parameters, const int *from, int *to, int begin,
                     int end, int before) {
    for (int i = begin; i < end; i++) {
        int with = combine(parameters, before, from[i]);

        to[i] = parameters->is_exclusive ? before : with;
        before = with;
    }
    return before;
}

/* From `from` to `to`, which may be the same. */
static void scan_once(const struct scan_parameters *parameters, const int *from, int *to,
                      int block) {
    int n = parameters->n, length = block ? block : n;

    for (int begin = 0; begin < n; begin += length)
        scan_part(parameters, from, to, begin, length < n - begin ? begin + length : n,
                  nothing(parameters));
}

int *scan_serially(const struct scan_parameters *parameters, const int *in, int passes, int block) {
    int *results = malloc((size_t)parameters->n * sizeof *results + 1);

    for (int pass = 0; pass < passes && results; pass++)
        scan_once(parameters, pass ? results : in, results, block);
    return results;
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    (void)distribution;
    return scan_serially(parameters, input, iterations, 0);
}

/* On all cores: the totals of parts, what lies before each part, the scans of the parts. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    enum { PARTS = 256 };
    const struct scan_parameters *own = parameters;
    const int *from = input;
    long n = own->n;

    for (int pass = 0; pass < iterations; pass++, from = output) {
        int before[PARTS], last = nothing(own);

#pragma omp parallel for if (n >= WORTH_THREADS)
        for (int part = 0; part < PARTS; part++) {
            before[part] = nothing(own);
            for (int i = (int)(part * n / PARTS); i < (part + 1) * n / PARTS; i++)
                before[part] = combine(own, before[part], from[i]);
        }
        for (int part = 0; part < PARTS; part++) {
            int with = combine(own, last, before[part]);

            before[part] = last;
            last = with;
        }
#pragma omp parallel for if (n >= WORTH_THREADS)
        for (int part = 0; part < PARTS; part++)
            scan_part(own, from, output, (int)(part * n / PARTS), (int)((part + 1) * n / PARTS),
                      before[part]);
    }
    return 0;
}

const struct problem scan_problem = {
    .name = "scan",
    .unit = "elements",
    .per = "element",
    .element = "elements",
    .iteration = "pass",
    .error = "share of wrong elements",
    .function = "scan_create",
    .distributions = distributions,
    .device_distributions = device_distributions,
    .kernel_only = "passes",
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct scan_parameters),
    .slowest_rate = 1e6,
    .input_bytes = bytes_of_words,
    .output_bytes = bytes_of_words,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = generate,
    .sharpen = sharpen_words,
    .answer = answer,
    .judge = scan_judge,
    .trusted = trusted,
    .judge_timed = scan_judge_timed,
    .techniques = scan_techniques,
};
