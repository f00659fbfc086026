/* The problem `toy`: all that the referee has to know of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/technique.h"
#include "toy.h"

static const char *const distributions[] = {"drawn", "counted", NULL};

static const struct check_case cases[] = {
    {"drawn", 0, 20}, {"drawn", 1000}, {"drawn", 100000}, {"counted", 100}, {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {{"drawn", 1}, {"drawn", 1000}, {NULL, 0}};

static const int timed[] = {100000, 0};
static const struct sizes sizes = {
    .variants = 1000, .small = 1000, .with_errors = 100000, .timed = timed};

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct toy_parameters parameters = {n, strcmp(distribution, "counted") ? 3 : 1};

    (void)iterations;
    memcpy(memory, &parameters, sizeof parameters);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    uint32_t *numbers = input;

    for (int i = 0; i < n; i++)
        numbers[i] = strcmp(distribution, "counted")
                         ? (uint32_t)((seed + 1) * 2654435761u * (uint64_t)(i + 1) >> 7)
                         : (uint32_t)i;
}

static int trusted(const void *memory, const void *input, void *output, int iterations) {
    const struct toy_parameters *parameters = memory;
    const uint32_t *in = input;
    uint32_t *out = output;

    for (int i = 0; i < parameters->n; i++) {
        out[i] = in[i];
        for (int iteration = 0; iteration < iterations; iteration++)
            out[i] = 2 * out[i] + parameters->addend;
    }
    return 0;
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    void *right = malloc((size_t)((const struct toy_parameters *)parameters)->n * sizeof(uint32_t));

    (void)distribution;
    if (right)
        trusted(parameters, input, right, iterations);
    return right;
}

static void compare(const struct toy_parameters *parameters, const uint32_t *right,
                    const uint32_t *out, enum outcome wrong, struct judgement *judgement) {
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    for (int i = 0; i < parameters->n; i++)
        if (out[i] != right[i]) {
            judgement->outcome = wrong;
            snprintf(judgement->message, sizeof judgement->message,
                     "number %d is %u and should be %u", i, out[i], right[i]);
            return;
        }
}

static void judge(const void *parameters, const void *input, const void *right, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement) {
    (void)input;
    (void)distribution;
    (void)iterations, (void)tolerance;
    compare(parameters, right, output, OUTCOME_WRONG, judgement);
}

static void judge_timed(const void *parameters, const void *input, const void *right,
                        const void *output, double tolerance, struct judgement *judgement) {
    (void)input, (void)tolerance;
    compare(parameters, right, output, OUTCOME_TIMED_OUTPUT, judgement);
}

/* The technique of the toy is that it does something. */
static double works(const struct observed *observed) {
    return observed->cpu_seconds > 0;
}

static void say_idle(const struct observed *observed, double bound, char *message) {
    (void)observed, (void)bound;
    snprintf(message, 512, "no work was seen");
}

static const struct technique *const techniques[] = {
    (const struct technique[]){{.name = "works", .measure = works, .say = say_idle, .unbounded = 1},
                               {NULL}},
    NULL,
};

const struct problem toy_problem = {
    .name = "toy",
    .unit = "numbers",
    .per = "number",
    .element = "numbers",
    .sizes = &sizes,
    .distributions = distributions,
    .largest = 1000000,
    .parameters_bytes = sizeof(struct toy_parameters),
    .slowest_rate = 5e7,
    .input_bytes = bytes_of_words,
    .output_bytes = bytes_of_words,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .work = work_per_element,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = generate,
    .answer = answer,
    .judge = judge,
    .trusted = trusted,
    .judge_timed = judge_timed,
    .techniques = techniques,
};
