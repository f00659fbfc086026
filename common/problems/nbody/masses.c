/* The problem `nbody_masses`: that of `nbody`, with a mass a body. Its input is n bodies, then n
 * masses; outputs, errors and verdicts are those of `nbody`. */
#include "nbody_problem.h"

#include "techniques.h"
#include "protocol/nbody_masses_parameters.h"
#include "problems/random.h"

#include <math.h>
#include <string.h>

/* Masses differ in `masses` and `soft_cube_masses`, whose bodies are those of `uniform` and
 * `soft_cube`. */
static const char *const distributions[] = {"uniform",          "masses",  "cube",  "soft_cube",
                                            "soft_cube_masses", "plummer", "shell", NULL};

static const char *const device_distributions[] = {"soft_cube", "soft_cube_masses", NULL};

int nbody_has_masses(const char *distribution) {
    return !strcmp(distribution, "masses") || !strcmp(distribution, "soft_cube_masses");
}

/* The distribution of `nbody` that has the same bodies. */
static const char *bodies_of(const char *distribution) {
    return !strcmp(distribution, "masses")             ? "uniform"
           : !strcmp(distribution, "soft_cube_masses") ? "soft_cube"
                                                       : distribution;
}

static const struct check_case cases[] = {
    {"uniform", 1},
    {"uniform", 2},
    {"uniform", 3},
    {"uniform", 255},
    {"masses", 256},
    {"masses", 257},
    {"masses", 65, 253, ONE_OF},
    {"masses", 259, 865, ONE_OF},
    {"uniform", 1023},
    {"uniform", 1024},
    {"masses", 1025},
    {"masses", 257},
    {"uniform", 16385, 17407, ONE_OF},
    {"masses", 2051, 4095, ONE_OF},
    {"soft_cube_masses", 1025, 0, FIXED},
    {"soft_cube_masses", 2047, 0, FIXED},
    {"cube", 4096, 0, FIXED},
    {NULL, 0},
};

/* Fewer sizes: the large one is one more than a block has with 256 threads of eight bodies each,
 * and ThreadSanitizer takes a hundred microseconds to begin and end a CUDA thread, of which steps
 * that split their sums start tens of thousands a launch. */
static const struct check_case sanitizer_cases[] = {
    {"uniform", 1},
    {"uniform", 2},
    {"masses", 257},
    {"uniform", 3, 127, ONE_OF},
    {"soft_cube_masses", 1025, 0, FIXED},
    {"uniform", 2049},
    {NULL, 0},
};

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct nbody_masses_parameters *massive = memory;

    nbody_problem.set_parameters(&massive->parameters, bodies_of(distribution), n, iterations);
    massive->has_masses = nbody_has_masses(distribution);
}

static void set_timed_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct nbody_masses_parameters *massive = memory;

    nbody_problem.set_timed_parameters(&massive->parameters, bodies_of(distribution), n,
                                       iterations);
    massive->has_masses = nbody_has_masses(distribution);
}

/* NULL where all masses are 1. */
static const float *masses_of(const struct nbody_masses_parameters *massive, const void *input) {
    const struct body *bodies = input;

    return massive->has_masses ? (const float *)(bodies + massive->parameters.n) : NULL;
}

/* Over 20 octaves, six decades, from 2^-18 to 4, as many in each; their mean is 0.26. Every eighth
 * body, the second first, is a test body without mass. */
static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    enum { OCTAVES = 20, HIGHEST = 1 };
    float *masses = (float *)((struct body *)input + n);

    nbody_generate(input, bodies_of(distribution), n, seed);
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed_of(seed, (uint64_t)n), (uint64_t)i);
        int octave = HIGHEST - (int)(OCTAVES * random_unit(&random));
        double mass = ldexp(1.0 + random_unit(&random), octave);

        masses[i] = !nbody_has_masses(distribution) ? 1.0f : i % 8 == 1 ? 0.0f : (float)mass;
    }
}

static void sharpen(void *input, const void *before, const char *distribution, int n) {
    nbody_sharpen(input, before, distribution, n);
    keep_ends((struct body *)input + n, before ? (const struct body *)before + n : NULL, n,
              sizeof(float));
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    return nbody_answer_with(parameters, input, masses_of(parameters, input), distribution,
                             iterations);
}

static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    return nbody_trusted_with(parameters, input, masses_of(parameters, input), output, iterations);
}

static double sampled_error(const void *parameters, const void *input, const void *output) {
    return nbody_sampled_error(parameters, input, masses_of(parameters, input), output);
}

static size_t input_bytes(const char *distribution, int n) {
    return nbody_bodies_bytes(distribution, n) + (size_t)n * sizeof(float);
}

double nbody_quantity(const char *name, const char *distribution) {
    return !strcmp(name, "masses") ? nbody_has_masses(distribution)
           : !strcmp(name, "hard") ? !strcmp(distribution, "plummer")
                                   : NAN;
}

const struct problem nbody_masses_problem = {
    .name = "nbody_masses",
    .unit = "interactions",
    .per = "interaction",
    .element = "bodies",
    .error = NBODY_ERROR,
    .function = "simulation_create_with_masses",
    .distributions = distributions,
    .device_distributions = device_distributions,
    .kernel_only = "forces",
    .decimals_distribution = "cube",
    .sizes = &nbody_masses_sizes,
    .largest = 16777216,
    .parameters_bytes = sizeof(struct nbody_masses_parameters),
    .slowest_rate = NBODY_SLOWEST_RATE,
    .input_bytes = input_bytes,
    .output_bytes = nbody_bodies_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = nbody_trace_cases,
    .work = work_of_pairs,
    .most_iterations = NBODY_MOST_ITERATIONS,
    .set_parameters = set_parameters,
    .set_timed_parameters = set_timed_parameters,
    .quicken = nbody_quicken,
    .varied = nbody_varied, /* the parameters begin with those of nbody */
    .generate = generate,
    .sharpen = sharpen,
    .answer = answer,
    .judge = nbody_judge,
    .bring_to_rest = nbody_bring_to_rest,
    .sampled_error = sampled_error,
    .trusted = trusted,
    .judge_timed = nbody_judge_timed,
    .motion = &nbody_motion,
    .quantity = nbody_quantity,
    .techniques = nbody_techniques,
};
