/* The problem `galaxy`: the bodies of a disk galaxy in equilibrium. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "galaxy_problem.h"
#include "problems/stars/systems.h"
#include "problems/technique.h"

static const char *const distributions[] = {"m31", "spheres", "bulge", "disk", NULL};

/* A few bodies of each component; enough for rare ones, far out or fast; the largest says whether
 * threads share the work. */
static const struct check_case cases[] = {
    {"m31", 1, 2},    {"m31", 3, 199, ONE_OF},
    {"m31", 2000},    {"m31", 2000, 4999, ONE_OF},
    {"spheres", 999}, {"bulge", 2},
    {"bulge", 803},   {"disk", 3},
    {"disk", 2005},   {"m31", 20001},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"m31", 1}, {"m31", 500}, {"bulge", 33}, {"disk", 65}, {NULL, 0}};

static const struct check_case trace_cases[] = {{"m31", 20000, 0, FIXED}, {NULL, 0}};

/* So that no number of the usual galaxy can stand in a program. */
static const struct varied varied[] = {
    {"disk mass", offsetof(struct galaxy_parameters, mass[DISK]), 1e5, 3e5, 1},
    {"bulge scale", offsetof(struct galaxy_parameters, scale[BULGE]), 0.4, 1.2, 1},
    {"index", offsetof(struct galaxy_parameters, index), 1.5, 3, 1},
    {"truncation", offsetof(struct galaxy_parameters, truncation), 150, 400, 1},
    {"thickness", offsetof(struct galaxy_parameters, thickness), 0.3, 1, 1},
    {"least_q", offsetof(struct galaxy_parameters, least_q), 1.2, 2.5, 1},
    {NULL, 0},
};

static const int timed[] = {1 << 17, 1 << 20, 0};
static const struct sizes sizes = {.single = 1 << 17,
                                   .variants = 2001,
                                   .small = 1 << 17,
                                   .on_cpu = 1 << 20,
                                   .on_gpu = 1 << 20,
                                   .with_errors = 1 << 15,
                                   .beside = 1 << 20,
                                   .timed = timed};

static size_t seed_bytes(const char *distribution, int n) {
    (void)distribution, (void)n;
    return sizeof(uint64_t);
}

/* M31 as in Miki's model for GOTHIC (2019): masses in solar masses, scales in kpc. The truncation
 * is ours: it gives the middle of the halo the density of an untapered one whose mass inside about
 * 200 kpc is the halo's. */
static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct galaxy_parameters p = {.n = n,
                                  .mass = {8.11e11, 8e9, 3.24e10, 3.66e10},
                                  .scale = {7.63, 9, 0.61, 5.4},
                                  .index = 2.2,
                                  .truncation = 260,
                                  .thickness = 0.6,
                                  .least_q = 1.8};

    (void)iterations;
    for (int c = 0; c < COMPONENTS; c++) {
        int is_left_out = (c == DISK && !strcmp(distribution, "spheres")) ||
                          (c != BULGE && !strcmp(distribution, "bulge")) ||
                          (c != DISK && !strcmp(distribution, "disk"));

        p.mass[c] = is_left_out ? 0 : p.mass[c] / SOLAR_MASSES;
    }
    memcpy(memory, &p, sizeof p);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    (void)distribution, (void)n;
    *(uint64_t *)input = seed;
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    const struct galaxy_parameters *p = parameters;
    struct star *stars = malloc((size_t)p->n * sizeof *stars);

    (void)distribution;
    if (stars &&
        galaxy_make(p, GALAXY_RIGHT, 0, *(const uint64_t *)input, iterations, stars) != 0) {
        free(stars);
        return NULL;
    }
    return stars;
}

static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    return galaxy_make(parameters, GALAXY_RIGHT, 1, *(const uint64_t *)input, iterations, output);
}

static const struct technique *const techniques[] = {
    (const struct technique[]){TECHNIQUE_WORK_OF_OTHERS, {NULL}},
    NULL,
};

const struct problem galaxy_problem = {
    .name = "galaxy",
    .unit = "bodies",
    .per = "body",
    .element = "bodies",
    .iteration = "pass",
    .error = "|v - v_ref| / |v_ref|",
    .function = "galaxy_create",
    .distributions = distributions,
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct galaxy_parameters),
    .slowest_rate = 2e5,
    .least_work = 1e3,
    .most_iterations = 100,
    .input_bytes = seed_bytes,
    .output_bytes = stars_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .set_parameters = set_parameters,
    .varied = varied,
    .generate = generate,
    .answer = answer,
    .judge = galaxy_judge,
    .trusted = trusted,
    .judge_timed = galaxy_judge_timed,
    .survey = galaxy_survey,
    .motion = &galaxy_motion,
    .techniques = techniques,
};
