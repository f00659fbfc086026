/* The problem `tree`: an octree over bodies, with masses and centres of mass. */
#include "tree_problem.h"

#include <stdlib.h>
#include <string.h>

static const char *const device_distributions[] = {"plummer", "galaxy", NULL};

/* None, one and two bodies; a leaf's bodies and one more; around warps and blocks; several depths;
 * groups that no key tells apart. */
static const struct check_case cases[] = {
    {"plummer", 0, 2},
    {"plummer", 15, 18},
    {"plummer", 255, 257},
    {"plummer", 5000},
    {"sphere", 1000},
    {"galaxy", 3000},
    {"clumps", 2},
    {"clumps", 1500},
    {"single", 2},
    {"single", 3, 4},
    {"single", 700},
    {"one_place", 2},
    {"one_place", 16, 17},
    {"one_place", 600},
    {"line", 2},
    {"line", 900},
    {"edges", 3},
    {"edges", 2000},
    {"close", 41},
    {"close", 1200},
    {"plummer", 2001, 4001, ONE_OF},
    {"edges", 301, 1999, ONE_OF},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"plummer", 0, 2}, {"plummer", 17}, {"plummer", 300},  {"galaxy", 513},
    {"clumps", 40},    {"single", 60},  {"one_place", 40}, {"line", 100},
    {"edges", 200},    {"close", 90},   {NULL, 0},
};

static const struct check_case trace_cases[] = {{"plummer", 4096, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 17, 1 << 20, 0};
static const int by_device[] = {1 << 23, 1 << 14, 1 << 17, 1 << 20, 0};
static const struct sizes sizes = {.single = 1 << 17,
                                   .variants = 1 << 12,
                                   .small = 1 << 12,
                                   .on_cpu = 1 << 17,
                                   .on_gpu = 1 << 23,
                                   .with_errors = 1 << 20,
                                   .beside = 1 << 20,
                                   .timed = timed,
                                   .iterations = 4,
                                   .by_device = by_device,
                                   .device_alone = 1};

static size_t output_bytes(const char *distribution, int n) {
    (void)distribution;
    return tree_bytes(n);
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    enum { LEAF = 16 };

    (void)iterations;
    *(struct tree_parameters *)memory =
        (struct tree_parameters){n, strcmp(distribution, "single") ? LEAF : 1};
}

/* The number of the body whose place body 0 has in the last build. */
static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    int *moved = malloc(sizeof *moved);

    (void)distribution;
    if (moved && (*moved = tree_build(parameters, input, iterations, NULL)) < 0) {
        free(moved);
        moved = NULL;
    }
    return moved;
}

static void judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement) {
    const struct tree got = tree_in(parameters, (void *)output);

    (void)distribution, (void)iterations;
    tree_judge_one(parameters, input, *(const int *)answer, &got, tolerance, judgement);
}

/* A tree tells by itself whether it is right, so nothing but body 0's place is left to say. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    int *moved = output;

    *moved = tree_build(parameters, input, iterations, NULL);
    return *moved < 0 ? -1 : 0;
}

static void judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement) {
    const struct tree got = tree_in(parameters, (void *)output);
    char message[sizeof judgement->message];

    tree_judge_one(parameters, input, *(const int *)trusted, &got, tolerance, judgement);
    if (!judgement->outcome)
        return;
    memcpy(message, judgement->message, sizeof message);
    judge_as(judgement, OUTCOME_TIMED_OUTPUT, "the tree of the timed run is wrong: %.700s",
             message);
}

const struct problem tree_problem = {
    .name = "tree",
    .unit = "bodies",
    .per = "body",
    .element = "bodies",
    .iteration = "build",
    .error = "|centre of mass - right| / largest coordinate of the node's bodies",
    .function = "octree_create",
    .distributions = tree_distributions,
    .device_distributions = device_distributions,
    .kernel_only = "builds",
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct tree_parameters),
    .slowest_rate = 1e4,
    .least_work = 1000, /* each depth has a barrier of all threads */
    .input_bytes = tree_input_bytes,
    .output_bytes = output_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = tree_generate,
    .sharpen = tree_sharpen,
    .answer = answer,
    .judge = judge,
    .trusted = trusted,
    .judge_timed = judge_timed,
    .techniques = tree_techniques,
};
