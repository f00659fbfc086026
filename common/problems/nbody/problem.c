#include "nbody_problem.h"

#include "techniques.h"

#include <math.h>
#include <string.h>

/* Seed values of mini-nbody, from which the homework behind Part I descends. */
static const double time_step = 0.01;
static const float softening = 1e-9f;
/* Of `soft_cube`: that of published all-pairs codes whose rates ours are compared with. */
static const float large_softening = 1e-4f;

/* Simulated time, and with it the thresholds of nbody_judge_timed(), stays that of this many. */
enum { ITERATIONS_OF_FULL_STEP = 10 };

static const char *const distributions[] = {"uniform", "cube",  "soft_cube",
                                            "plummer", "shell", NULL};

static const char *const device_distributions[] = {"soft_cube", NULL};

/* Tiles and blocks of 256 and 1024 with one body too few and one too many; sizes that nobody knows;
 * one size twice, for a program that keeps something by n; and one that fills many tiles. The
 * decimals of `cube` mean something only where its coordinates are dense. */
static const struct check_case cases[] = {
    {"uniform", 1},
    {"uniform", 2},
    {"uniform", 255},
    {"uniform", 256},
    {"uniform", 257},
    {"uniform", 3, 253, ONE_OF},
    {"uniform", 259, 865, ONE_OF},
    {"uniform", 1000},
    {"uniform", 1023},
    {"uniform", 1024},
    {"uniform", 1025},
    {"uniform", 257},
    {"uniform", 16385, 17407, ONE_OF},
    {"cube", 4096, 0, FIXED},
    {NULL, 0},
};

/* More pairs cost ThreadSanitizer half a minute in some steps, and meet no more kinds of blocks. */
static const struct check_case sanitizer_cases[] = {
    {"uniform", 1},   {"uniform", 2},   {"uniform", 129, 253, ONE_OF},
    {"uniform", 256}, {"uniform", 257}, {"uniform", 1025},
    {NULL, 0},
};

/* Where what is not an interaction no longer counts. */
const struct check_case nbody_trace_cases[] = {{"uniform", 4096, 0, FIXED}, {NULL, 0}};

/* With one body per unit volume, softening between a hundredth of and the whole square of the mean
 * distance. Twice, half or none of it changes velocities by 1% or more. */
const struct varied nbody_varied[] = {
    {"dt", offsetof(struct parameters, dt), 0.005, 0.02},
    {"softening", offsetof(struct parameters, softening), 0.01, 0.9},
    {NULL, 0},
};

/* Two bodies at one place, in different tiles: with softening they attract each other by nothing,
 * and are two. */
void nbody_sharpen(void *input, const void *before, const char *distribution, int n) {
    struct body *bodies = input;

    (void)distribution;
    bodies[n / 2].x = bodies[n / 3].x;
    bodies[n / 2].y = bodies[n / 3].y;
    bodies[n / 2].z = bodies[n / 3].z;
    keep_ends(bodies, before, n, sizeof *bodies);
}

size_t nbody_bodies_bytes(const char *distribution, int n) {
    (void)distribution;
    return (size_t)n * sizeof(struct body);
}

/* Those of the homework behind Part I, and of them the least and the largest. */
static const int timed[] = {30000, 65536, 131072, 0};
static const int timed_with_masses[] = {30000, 131072, 0};
static const int by_device[] = {131072, 1024, 4096, 16384, 1048576, 0};

/* Step 01 takes a minute at 131072, and is compared with GPUs at the least. */
#define SIZES(of_timed, alone)                                                                     \
    {                                                                                              \
        .single = 16384, .variants = 2048, .small = 4096, .on_cpu = 4096, .on_gpu = 131072,        \
        .with_errors = 131072, .beside = 30000, .timed = (of_timed), .iterations = 10,             \
        .by_device = by_device, .device_alone = (alone)                                            \
    }
const struct sizes nbody_sizes = SIZES(timed, 0), nbody_masses_sizes = SIZES(timed_with_masses, 1);

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct parameters *parameters = memory;
    double dt = time_step;
    int is_soft = nbody_in_henon_units(distribution) || !strcmp(distribution, "soft_cube");
    if (iterations > ITERATIONS_OF_FULL_STEP)
        dt *= (double)ITERATIONS_OF_FULL_STEP / iterations;
    /* n unit masses within a length of order 1 fall together in a time of order 1 / sqrt(n). In
     * `cube` dt is mini-nbody's nevertheless, and they are flung out of it by a single step. */
    if (is_soft)
        dt /= sqrt(n);
    *parameters = (struct parameters){
        .n = n, .dt = (float)dt, .softening = is_soft ? large_softening : softening};
}

/* Timed runs from `uniform` have velocities of up to an edge of the cube per unit of time. In the
 * mean field, taken as a sphere's of this density, a body moves as on a spring of 4 pi / 3: at rest
 * half an edge away, it passes the centre at 2.05 half edges. So the cloud neither falls together
 * nor flies apart. */
void nbody_quicken(void *input, const char *distribution, int n) {
    struct body *bodies = input;
    float edge = (float)nbody_edge(n);

    if (strcmp(distribution, "uniform") && strcmp(distribution, "masses"))
        return;
    for (int i = 0; i < n; i++) {
        bodies[i].vx *= edge;
        bodies[i].vy *= edge;
        bodies[i].vz *= edge;
    }
}

/* A body moves at most a fifth of the distance of neighbours in an iteration there, and a force
 * changes with each; the softening is a third of that distance in length, and after the longest
 * time roundings have grown by less than ten (judge_timed.c). Other distributions are timed as
 * published programs time them: little changes. But `soft_cube` has no less softening either: in
 * half precision the force of two bodies that are nearer than it is off by 1e-3, and where there
 * are few bodies this is most of the error of all. */
static void set_timed_parameters(void *memory, const char *distribution, int n, int iterations) {
    static const double most_moved = 0.2, longest = 3, softened = 0.1;
    struct parameters *parameters = memory;
    int is_cube = !strcmp(distribution, "cube") || !strcmp(distribution, "soft_cube"),
        is_uniform = !strcmp(distribution, "uniform");
    double distance = is_cube ? 2 / nbody_edge(n) : 1;

    set_parameters(memory, is_cube ? "soft_cube" : distribution, n, iterations);
    if (is_cube || is_uniform)
        parameters->softening =
            fmaxf(parameters->softening, (float)(softened * distance * distance));
    if (is_uniform)
        parameters->dt = (float)fmin(most_moved / nbody_edge(n), longest / iterations);
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    return nbody_answer_with(parameters, input, NULL, distribution, iterations);
}

static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    return nbody_trusted_with(parameters, input, NULL, output, iterations);
}

static double sampled_error(const void *parameters, const void *input, const void *output) {
    return nbody_sampled_error(parameters, input, NULL, output);
}

/* The softening length is 0.05 Henon units, under half the mean distance of 16384 bodies in the
 * shell (0.12); at speed 2 a body moves half of it in a time step. The shell is at its densest at
 * about 4.5, so the film shows it fall together and part again. */
static const struct scene scenes[] = {
    {"shell", 16384, 6, 0.0125}, {"plummer", 16384, 2, 0.0125}, {NULL, 0, 0, 0}};

/* From Henon units of time. */
static void set_filmed_parameters(void *parameters, const char *distribution, int n, double dt) {
    (void)distribution;
    *(struct parameters *)parameters = (struct parameters){n, (float)(dt / sqrt(n)), 0.0025f};
}

const struct motion nbody_motion = {.scenes = scenes,
                                    .element = sizeof(struct body),
                                    .position = offsetof(struct body, x),
                                    .velocity = offsetof(struct body, vx),
                                    .softening_is_squared = 1,
                                    .set_parameters = set_filmed_parameters};

const struct problem nbody_problem = {
    .name = "nbody",
    .unit = "interactions",
    .per = "interaction",
    .element = "bodies",
    .error = NBODY_ERROR,
    .distributions = distributions,
    .device_distributions = device_distributions,
    .kernel_only = "forces",
    .decimals_distribution = "cube",
    .sizes = &nbody_sizes,
    .largest = 16777216,
    .parameters_bytes = sizeof(struct parameters),
    .slowest_rate = NBODY_SLOWEST_RATE,
    .input_bytes = nbody_bodies_bytes,
    .output_bytes = nbody_bodies_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = nbody_trace_cases,
    .work = work_of_pairs,
    .most_iterations = NBODY_MOST_ITERATIONS,
    .set_parameters = set_parameters,
    .set_timed_parameters = set_timed_parameters,
    .quicken = nbody_quicken,
    .varied = nbody_varied,
    .generate = nbody_generate,
    .sharpen = nbody_sharpen,
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
