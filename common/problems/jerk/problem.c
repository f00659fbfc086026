/* The problem `jerk`: what a block of stars feels of all stars, as the GRAPE-6 computes it. */
#include "jerk_problem.h"

static const char *const device_distributions[] = {
    "plummer", "block_16", "block_64", "block_256", "block_2048", "block_16384", NULL};

/* One source and two; around edges of warps, tiles and blocks; targets few and many; parts of more
 * than a tile. */
static const struct check_case cases[] = {
    {"plummer", 1, 2},
    {"plummer", 127, 129},
    {"plummer", 511, 513},
    {"unsoftened", 1, 2},
    {"unsoftened", 3},
    {"unsoftened", 257},
    {"unsoftened", 641},
    {"close", 3, 8},
    {"close", 450},
    {"crowded", 3, 8},
    {"crowded", 500},
    {"coincident", 2},
    {"coincident", 3, 8},
    {"coincident", 384},
    {"block_16", 1, 2},
    {"block_16", 4099},
    {"block_64", 1000},
    {"block_64", 5},
    {"block_256", 1025},
    {"block_2048", 200},
    {"plummer", 641, 769, ONE_OF},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"plummer", 1, 2}, {"plummer", 130},   {"unsoftened", 33},  {"close", 9},
    {"crowded", 40},   {"coincident", 40}, {"coincident", 140}, {"block_16", 300},
    {"block_64", 150}, {"block_256", 60},  {NULL, 0},
};

static const struct check_case trace_cases[] = {{"plummer", 512, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 17, 0};
static const int by_device[] = {1 << 17, 1 << 12, 1 << 14, 1 << 20, 0};
static const struct sizes sizes = {.single = 1 << 14,
                                   .variants = 260,
                                   .small = 1 << 10,
                                   .on_cpu = 1 << 14,
                                   .on_gpu = 1 << 17,
                                   .with_errors = 1 << 14,
                                   .beside = 1 << 14,
                                   .timed = timed,
                                   .iterations = 10,
                                   .by_device = by_device,
                                   .device_alone = 1};

static const struct varied varied[] = {
    {"softening", offsetof(struct jerk_parameters, softening), 1e-3, 0.05, 1}, {NULL}};

static size_t input_bytes(const char *distribution, int n) {
    return ((size_t)n + (size_t)jerk_targets_of(distribution, n)) * sizeof(struct particle);
}

static size_t output_bytes(const char *distribution, int n) {
    return (size_t)jerk_targets_of(distribution, n) * sizeof(struct force);
}

static double work(const char *distribution, int n) {
    return (double)n * jerk_targets_of(distribution, n);
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    (void)iterations;
    *(struct jerk_parameters *)memory = (struct jerk_parameters){
        n, jerk_targets_of(distribution, n), jerk_softening_of(distribution)};
}

const struct problem jerk_problem = {
    .name = "jerk",
    .unit = "interactions",
    .per = "interaction",
    .element = "sources",
    .iteration = "pass",
    .error = "|a - right| / sum of |m r / s^3|",
    .function = "gravity_create",
    .distributions = jerk_distributions,
    .device_distributions = device_distributions,
    .kernel_only = "passes",
    .sizes = &sizes,
    .largest = 1 << 24,
    .parameters_bytes = sizeof(struct jerk_parameters),
    .slowest_rate = 1e6,
    .input_bytes = input_bytes,
    .output_bytes = output_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .varied = varied,
    .generate = jerk_generate,
    .sharpen = jerk_sharpen,
    .answer = jerk_answer,
    .judge = jerk_judge,
    .sampled_error = jerk_sampled_error,
    .trusted = jerk_trusted,
    .judge_timed = jerk_judge_timed,
    .techniques = jerk_techniques,
};
