/* The problem `grape`: calls of the GRAPE-6's interface, of a memory that changes a little between
 * them. */
#include "grape_problem.h"

#include <math.h>
#include <stdio.h>

/* One body and two; around edges of warps, tiles and blocks; few that ask and many. */
static const struct check_case cases[] = {
    {"sphere", 1, 2},
    {"sphere", 127, 129},
    {"sphere", 511, 513, ONE_OF},
    {"unsoftened", 1, 2},
    {"unsoftened", 3},
    {"unsoftened", 257},
    {"coincident", 3, 8},
    {"coincident", 300},
    {"block_16", 1, 2},
    {"block_16", 4099},
    {"block_64", 1000},
    {"block_256", 700},
    {"block_2048", 100},
    {"sphere", 2000, 2050, ONE_OF},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"sphere", 1, 2}, {"sphere", 130}, {"coincident", 40}, {"block_16", 300}, {NULL, 0},
};

static const struct check_case trace_cases[] = {{"block_64", 1024, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 14, 1 << 17, 0};
static const struct sizes sizes = {.single = 1 << 14,
                                   .variants = 260,
                                   .small = 1 << 10,
                                   .on_cpu = 1 << 12,
                                   .on_gpu = 1 << 15,
                                   .with_errors = 1 << 12,
                                   .beside = 1 << 12,
                                   .timed = timed,
                                   .iterations = 3};

static const struct varied varied[] = {
    {"ti", offsetof(struct grape_parameters, ti), 0.01, 0.1, 1},
    {"softening", offsetof(struct grape_parameters, softening), 1e-3, 0.05, 1},
    {NULL}};

static size_t input_bytes(const char *distribution, int n) {
    return (size_t)n * sizeof(struct j_body) +
           (size_t)grape_written_of(distribution, n) * sizeof(struct written_body) +
           (size_t)jerk_targets_of(distribution, n) * sizeof(struct i_body);
}

static size_t output_bytes(const char *distribution, int n) {
    return (size_t)jerk_targets_of(distribution, n) *
           (sizeof(struct force) + (1 + MOST_LISTED) * sizeof(int));
}

static double work(const char *distribution, int n) {
    return (double)n * jerk_targets_of(distribution, n);
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    int softened = distribution[0] == 's' || distribution[0] == 'b';

    (void)iterations;
    *(struct grape_parameters *)memory = (struct grape_parameters){
        n, grape_written_of(distribution, n), jerk_targets_of(distribution, n), 1.0 / 16,
        softened ? 1.0 / 256 : 0};
}

/* Bytes that go to the devices in a call, as a share of the bodies that are written and of those
 * that ask; the memory itself went there before the first. */
static double bytes_in(const struct observed *observed) {
    const char *distribution = trace_cases[0].distribution;
    double written = (double)sizeof(struct written_body);
    double asking = 2.0 * (double)(sizeof(struct i_body) * observed->counters.devices);
    double needed = written * grape_written_of(distribution, observed->n) +
                    asking * jerk_targets_of(distribution, observed->n);

    return ((double)observed->counters.bytes_in - written * observed->n) /
           (needed * observed->iterations);
}

static void say_bytes_in(const struct observed *observed, double bound, char *message) {
    snprintf(message, 512,
             "a call sends %.1f times the bytes of the bodies that were written and of those that "
             "ask; at most %.1f are wanted: the memory stays on the device",
             bytes_in(observed), bound);
}

static const struct technique *const techniques[] = {
    (const struct technique[]){
        {.name = "bytes_in_per_call", .measure = bytes_in, .say = say_bytes_in},
        {NULL},
    },
    NULL,
};

const struct problem grape_problem = {
    .name = "grape",
    .unit = "interactions",
    .per = "interaction",
    .element = "bodies",
    .iteration = "call",
    .error = "|a - right| / sum of |m r / s^3|",
    .function = "grape_gpu",
    .distributions = grape_distributions,
    .sizes = &sizes,
    .largest = 1 << 24,
    .parameters_bytes = sizeof(struct grape_parameters),
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
    .generate = grape_generate,
    .answer = grape_answer,
    .judge = grape_judge,
    .sampled_error = grape_sampled_error,
    .trusted = grape_trusted,
    .judge_timed = grape_judge_timed,
    .techniques = techniques,
};
