/* The problem `walk`: accelerations of bodies by an octree. */
#include "walk_problem.h"

#include <stddef.h>
#include <string.h>

static const char *const device_distributions[] = {"galaxy", "plummer", NULL};

/* None to two bodies; groups that are not full; several groups; leaves that no key tells apart. */
static const struct check_case cases[] = {
    {"plummer", 0, 2},
    {"plummer", 31, 33},
    {"plummer", 127, 129},
    {"plummer", 3000},
    {"galaxy", 2000},
    {"sphere", 700},
    {"clumps", 600},
    {"single", 300},
    {"one_place", 2},
    {"one_place", 200},
    {"line", 400},
    {"edges", 700},
    {"close", 500},
    {"plummer", 1001, 1999, ONE_OF},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"plummer", 0, 2}, {"plummer", 300}, {"galaxy", 200},
    {"one_place", 70}, {"close", 90},    {NULL, 0},
};

static const struct check_case trace_cases[] = {{"plummer", 2048, 0, FIXED}, {NULL, 0}};

static const struct varied varied[] = {
    {"accuracy", offsetof(struct walk_parameters, accuracy), 0x1p-12, 0x1p-6, 1, 1},
    {"angle", offsetof(struct walk_parameters, angle), 0.3, 0.9, 1, 1},
    {"softening", offsetof(struct walk_parameters, softening), 1.0 / 512, 1.0 / 32, 1},
    {NULL, 0},
};

static const int timed[] = {1 << 17, 1 << 20, 0};
static const int by_device[] = {1 << 23, 1 << 14, 1 << 17, 1 << 20, 0};
static const struct sizes sizes = {.single = 1 << 13,
                                   .variants = 1 << 10,
                                   .small = 1 << 11,
                                   .on_cpu = 1 << 12,
                                   .on_gpu = 1 << 20,
                                   .with_errors = 1 << 17,
                                   .beside = 1 << 12,
                                   .timed = timed,
                                   .iterations = 4,
                                   .by_device = by_device,
                                   .device_alone = 1};

static size_t output_bytes(const char *distribution, int n) {
    (void)distribution;
    return (size_t)n * sizeof(struct walk_force);
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    (void)iterations;
    *(struct walk_parameters *)memory =
        (struct walk_parameters){.n = n,
                                 .leaf = strcmp(distribution, "single") ? 16 : 1,
                                 .softening = 1.0 / 256,
                                 .angle = 0.7,
                                 .accuracy = 0x1p-9};
}

const struct problem walk_problem = {
    .name = "walk",
    .unit = "bodies",
    .per = "body",
    .element = "bodies",
    .iteration = "pass",
    .error = "|a - right| / |right|",
    .function = "walk_create",
    .distributions = tree_distributions,
    .device_distributions = device_distributions,
    .kernel_only = "passes",
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct walk_parameters),
    .slowest_rate = 2e4,
    .least_work = 250, /* each depth has a barrier of all threads */
    .input_bytes = tree_input_bytes,
    .output_bytes = output_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .varied = varied,
    .generate = tree_generate,
    .sharpen = tree_sharpen,
    .answer = walk_answer,
    .judge = walk_judge,
    .sampled_error = walk_sampled_error,
    .trusted = walk_trusted,
    .judge_timed = walk_judge_timed,
    .survey = walk_survey,
    .survey_is_small = 1,
    .techniques = walk_techniques,
};
