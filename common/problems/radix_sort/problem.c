/* The problem `radix_sort`: an array of keys, with values or without, sorted. */
#include "sort_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/random.h"

/* What is sorted follows from the distribution; the first four patterns are of all bits there are.
 */
static const struct kind_of_input {
    const char *name;
    int key_bytes, key_kind, has_values;
    enum { ALL, EQUAL, FEW, SORTED, REVERSED } pattern;
} kinds[] = {
    {"keys", 4, UNSIGNED_KEYS, 0, ALL},        {"pairs", 4, UNSIGNED_KEYS, 1, ALL},
    {"wide", 8, UNSIGNED_KEYS, 0, ALL},        {"wide_pairs", 8, UNSIGNED_KEYS, 1, ALL},
    {"signed", 4, SIGNED_KEYS, 0, ALL},        {"floats", 4, FLOAT_KEYS, 1, ALL},
    {"doubles", 8, FLOAT_KEYS, 0, ALL},        {"equal", 4, UNSIGNED_KEYS, 1, EQUAL},
    {"few", 4, SIGNED_KEYS, 1, FEW},           {"sorted", 4, UNSIGNED_KEYS, 1, SORTED},
    {"reversed", 4, SIGNED_KEYS, 1, REVERSED},
};

static const char *const distributions[] = {"keys",   "pairs",  "wide",     "wide_pairs",
                                            "signed", "floats", "doubles",  "equal",
                                            "few",    "sorted", "reversed", NULL};

static const char *const device_distributions[] = {"keys", "pairs", "wide", "wide_pairs", NULL};

/* Lengths up to 2050, each edge and some of the others, and lengths around powers of two and tiles
 * of 256, 384 and 512 threads with few keys or many. Kinds of keys and widths meet several tiles,
 * but not each pair of them: `few` and `floats` do, and `wide`. */
static const struct check_case cases[] = {
    {"keys", 0, 2},
    {"keys", 3, 1999},
    {"keys", 2000, 2050},
    {"keys", 4095, 4097},
    {"keys", 6143, 6145},
    {"keys", 7679, 7681},
    {"keys", 8191, 8193},
    {"keys", 15359, 15361},
    {"keys", 32767, 32769},
    {"pairs", 0, 2},
    {"pairs", 1000},
    {"pairs", 6143, 6145},
    {"pairs", 16385},
    {"wide", 6145},
    {"wide_pairs", 257},
    {"wide_pairs", 3841},
    {"signed", 1000},
    {"floats", 257},
    {"floats", 10000},
    {"doubles", 1000},
    {"equal", 1000},
    {"equal", 12289},
    {"few", 1023},
    {"few", 20001},
    {"sorted", 6145},
    {"reversed", 6145},
    {"keys", 262147},
    {"keys", 2051, 16383, ONE_OF},
    {"wide_pairs", 2051, 4095, ONE_OF},
    {"pairs", 16385, 40959, ONE_OF},
    {NULL, 0},
};

/* Of sizes below 150 each build has two runs of several sorts, each of which takes as long as that
 * of a tile: more of them cost ThreadSanitizer seconds. So `keys` alone meet each edge of a warp,
 * and the other kinds, whose loads and stores have the same bounds, one of them. */
static const struct check_case sanitizer_cases[] = {
    {"keys", 0, 2},
    {"keys", 31, 33},
    {"keys", 255, 257},
    {"keys", 640, 641},
    {"keys", 1023, 1025},
    {"keys", 2048},
    {"keys", 7680, 7681},
    {"pairs", 0, 2},
    {"pairs", 513},
    {"pairs", 6145},
    {"wide", 6145},
    {"wide_pairs", 31, 33},
    {"wide_pairs", 3841},
    {"signed", 1000},
    {"floats", 31, 33},
    {"floats", 1000},
    {"doubles", 257},
    {"equal", 1000},
    {"few", 6145},
    {"pairs", 259, 1999, ONE_OF},
    {NULL, 0},
};

static const struct check_case trace_cases[] = {{"keys", 32768, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 20, 0};
static const int by_device[] = {1 << 27, 1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                1 << 18, 1 << 20, 1 << 22, 1 << 24, 0};
static const struct sizes sizes = {.single = 1 << 20,
                                   .variants = 1 << 13,
                                   .small = 1 << 15,
                                   .on_cpu = 1 << 22,
                                   .on_gpu = 1 << 24,
                                   .with_errors = 1 << 22,
                                   .beside = 1 << 24,
                                   .timed = timed,
                                   .iterations = 10,
                                   .by_device = by_device,
                                   .device_alone = 1};

static const struct kind_of_input *kind_of(const char *distribution) {
    const struct kind_of_input *kind = kinds;

    while (strcmp(kind->name, distribution))
        kind++;
    return kind;
}

static size_t bytes(const char *distribution, int n) {
    const struct kind_of_input *kind = kind_of(distribution);

    return (size_t)n * ((size_t)kind->key_bytes + (kind->has_values ? sizeof(unsigned) : 0));
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    const struct kind_of_input *kind = kind_of(distribution);

    (void)iterations;
    *(struct radix_sort_parameters *)memory =
        (struct radix_sort_parameters){n, kind->key_bytes, kind->key_kind, kind->has_values};
}

/* A quarter of floats are those that are easily put in the wrong place. */
static uint64_t draw_float(struct random *random, int key_bytes) {
    static const uint32_t narrow[] = {0, 1, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000};
    static const uint64_t wide[] = {0,
                                    1,
                                    UINT64_C(0x3ff0000000000000),
                                    UINT64_C(0x7fefffffffffffff),
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0x7ff8000000000000)};
    uint64_t any = random_bits(random), which = random_bits(random);
    uint64_t magnitude = key_bytes == 8 ? wide[which % 6] : narrow[which % 6];

    if (which >> 62)
        return any;
    return magnitude | (any & UINT64_C(1) << (8 * key_bytes - 1));
}

static uint64_t draw(const struct kind_of_input *kind, struct random *random, int i, int n,
                     uint64_t seed) {
    switch (kind->pattern) {
    case EQUAL:
        return random_of(seed, 0).state;
    case FEW: /* of both signs, with all digits */
        return random_of(seed, random_bits(random) % 5).state;
    case SORTED:
        return (uint64_t)((double)i / n * 4294967296.0);
    case REVERSED:
        return (uint64_t)((double)(n - 1 - i) / n * 4294967296.0) - 2147483648u;
    case ALL:
        break;
    }
    return kind->key_kind == FLOAT_KEYS ? draw_float(random, kind->key_bytes) : random_bits(random);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    const struct kind_of_input *kind = kind_of(distribution);
    unsigned *values = (unsigned *)((char *)input + (size_t)n * (size_t)kind->key_bytes);

#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);
        uint64_t bits = draw(kind, &random, i, n, seed);

        if (kind->key_bytes == 8)
            ((uint64_t *)input)[i] = bits;
        else
            ((uint32_t *)input)[i] = (uint32_t)bits;
        if (kind->has_values)
            values[i] = (unsigned)seed_of(seed, 0) + (unsigned)i * VALUE_STEP;
    }
}

static void sharpen(void *input, const void *before, const char *distribution, int n) {
    keep_ends(input, before, n, (size_t)kind_of(distribution)->key_bytes);
}

/* Merging takes a minute for 2^27 keys. */
static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    const struct radix_sort_parameters *own = parameters;
    int (*sort)(const struct radix_sort_parameters *, const void *, void *, int) =
        own->n > sizes.with_errors ? sort_fast : sort_simply;
    void *sorted = malloc(bytes(distribution, own->n) + 1);

    if (sorted && sort(own, input, sorted, iterations)) {
        free(sorted);
        return NULL;
    }
    return sorted;
}

static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    return sort_fast(parameters, input, output, iterations);
}

/* Bytes per key: `keys` are its own; moved_BITS what all passes of so many bits read and write of
 * keys and values; counted_BITS what they read of keys if each counts for itself. */
static double quantity(const char *name, const char *distribution) {
    const struct kind_of_input *kind = kind_of(distribution);
    int key = kind->key_bytes, value = kind->has_values ? 4 : 0, bits, end = 0, passes;

    if (!strcmp(name, "keys"))
        return key;
    if (sscanf(name, "%*[a-z]_%d%n", &bits, &end) != 1 || name[end] || bits < 1)
        return NAN;
    passes = (8 * key + bits - 1) / bits;
    return !strncmp(name, "moved_", 6)     ? 2.0 * passes * (key + value)
           : !strncmp(name, "counted_", 8) ? (double)passes * key
                                           : NAN;
}

const struct problem radix_sort_problem = {
    .name = "radix_sort",
    .unit = "keys",
    .per = "key",
    .element = "keys",
    .iteration = "sort",
    .function = "radix_sort_create",
    .distributions = distributions,
    .device_distributions = device_distributions,
    .kernel_only = "sorts",
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct radix_sort_parameters),
    .slowest_rate = 1e5,
    .least_work = 1000, /* lanes vote for each bit of a digit, whether they have keys or not */
    .input_bytes = bytes,
    .output_bytes = bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = generate,
    .sharpen = sharpen,
    .answer = answer,
    .judge = sort_judge,
    .trusted = trusted,
    .judge_timed = sort_judge_timed,
    .quantity = quantity,
    .techniques = sort_techniques,
};
