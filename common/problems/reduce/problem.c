/* The problem `reduce`: the sum of an array, unsigned or float. */
#include "reduce_problem.h"

#include <stdlib.h>
#include <string.h>

#include "problems/random.h"

/* Of integers: all there are; ones, whose sum is a number of elements. Of floats: in [-1, 1); the
 * same, times powers of two over six decades. */
static const char *const distributions[] = {"integers", "ones", "floats", "decades", NULL};

static const char *const device_distributions[] = {"integers", "floats", NULL};

/* Lengths up to two blocks of 1024 and a little more, each edge and some of the others, and around
 * edges of grids; the largest has more than twice as many vectors as a GPU holds threads, so that
 * each takes several. */
static const struct check_case cases[] = {
    {"integers", 0, 2},
    {"integers", 3, 1999},
    {"integers", 2000, 2050},
    {"integers", 4095, 4097},
    {"integers", 65535},
    {"integers", 65536},
    {"integers", 65537},
    {"ones", 999},
    {"ones", 65539},
    {"floats", 0, 2},
    {"floats", 257},
    {"floats", 999},
    {"floats", 65537},
    {"decades", 1023},
    {"decades", 65537},
    {"integers", 2051, 16383, ONE_OF},
    {"floats", 2051, 16383, ONE_OF},
    {"integers", 65539, 262143, ONE_OF},
    {"floats", 1048579},
    {"integers", 2400003},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"integers", 0, 5},
    {"integers", 31, 33},
    {"integers", 63, 65},
    {"integers", 127, 129},
    {"integers", 255, 257},
    {"integers", 511, 513},
    {"integers", 767},
    {"integers", 1023, 1025},
    {"integers", 2047, 2050},
    {"integers", 4095, 4097},
    {"integers", 8191},
    {"integers", 16383, 16385},
    {"ones", 999},
    {"floats", 1},
    {"floats", 257},
    {"floats", 4097},
    {"decades", 1023},
    {"integers", 129, 1999, ONE_OF},
    {NULL, 0},
};

/* More vectors than a GPU holds threads, so that it is seen which ones a thread takes. */
static const struct check_case trace_cases[] = {{"integers", 1200000, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 20, 0};
static const int by_device[] = {1 << 28, 1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                1 << 18, 1 << 20, 1 << 22, 1 << 24, 0};
static const struct sizes sizes = {.single = 1 << 20,
                                   .variants = 1 << 16,
                                   .small = 1 << 16,
                                   .on_cpu = 1 << 24,
                                   .on_gpu = 1 << 24,
                                   .with_errors = 1 << 28,
                                   .beside = 1 << 24,
                                   .timed = timed,
                                   .iterations = 100,
                                   .by_device = by_device,
                                   .device_alone = 1};

static int is_of_floats(const char *distribution) {
    return !strcmp(distribution, "floats") || !strcmp(distribution, "decades");
}

static size_t output_bytes(const char *distribution, int n) {
    (void)distribution, (void)n;
    return sizeof(int);
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    (void)iterations;
    *(struct reduce_parameters *)memory = (struct reduce_parameters){n, is_of_floats(distribution)};
}

static float draw_float(struct random *random, int decades) {
    double value = random_sign(random);

    /* 2^0 to 2^-20 */
    return (float)(decades ? ldexp(value, -(int)(random_bits(random) % 21)) : value);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    int ones = !strcmp(distribution, "ones"), decades = !strcmp(distribution, "decades");
    unsigned *integers = input;
    float *floats = input;

#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);

        if (is_of_floats(distribution))
            floats[i] = draw_float(&random, decades);
        else
            integers[i] = ones ? 1 : (unsigned)random_bits(&random);
    }
}

struct sum reduce_pass(const struct reduce_parameters *parameters, const void *in, int n,
                       const struct sum *last) {
    const unsigned *integers = in;
    const float *floats = in;
    double of_floats = 0, of_magnitudes = 0, factor = 1 / (1 + fabs(last->of_floats));
    unsigned of_integers = 0;

    if (parameters->of_floats) {
#pragma omp parallel for reduction(+ : of_floats, of_magnitudes) if (n >= WORTH_THREADS)
        for (int i = 0; i < n; i++) {
            of_floats += factor * floats[i];
            of_magnitudes += factor * fabsf(floats[i]);
        }
    } else {
#pragma omp parallel for reduction(+ : of_integers) if (n >= WORTH_THREADS)
        for (int i = 0; i < n; i++)
            of_integers += change_integer(integers[i], last->of_integers);
    }
    return (struct sum){of_integers, of_floats, of_magnitudes};
}

struct sum reduce_sum(const struct reduce_parameters *parameters, const void *in, int n,
                      int passes) {
    struct sum sum = {0};

    while (passes-- > 0)
        sum = reduce_pass(parameters, in, n, &sum);
    return sum;
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    const struct reduce_parameters *own = parameters;
    struct sum *sum = malloc(sizeof *sum);

    (void)distribution;
    if (sum)
        *sum = reduce_sum(own, input, own->n, iterations);
    return sum;
}

static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    const struct reduce_parameters *own = parameters;
    struct sum sum = reduce_sum(own, input, own->n, iterations);
    float of_floats = (float)sum.of_floats;

    memcpy(output, own->of_floats ? (void *)&of_floats : (void *)&sum.of_integers, sizeof(int));
    return 0;
}

const struct problem reduce_problem = {
    .name = "reduce",
    .unit = "elements",
    .per = "element",
    .element = "elements",
    .iteration = "pass",
    .error = "|sum - right| / sum of |x|",
    .function = "reduction_create",
    .distributions = distributions,
    .device_distributions = device_distributions,
    .kernel_only = "passes",
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct reduce_parameters),
    .slowest_rate = 1e6,
    .input_bytes = bytes_of_words,
    .output_bytes = output_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = generate,
    .sharpen = sharpen_words,
    .answer = answer,
    .judge = reduce_judge,
    .trusted = trusted,
    .judge_timed = reduce_judge_timed,
    .techniques = reduce_techniques,
};
