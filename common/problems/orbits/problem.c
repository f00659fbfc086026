/* The problem `orbits`: bodies that attract each other by an octree, moved by intervals of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "orbits_problem.h"
#include "problems/galaxy/galaxy_problem.h"
#include "problems/random.h"
#include "problems/stars/systems.h"

static const double usual_softening = 1.0 / 64, usual_eta = 0.02, usual_interval = 1.0 / 16;

static const char *const distributions[] = {"plummer", "masses", "kepler05", "merger", "cold",
                                            "few",     "m31",    "binaries", NULL};

/* Of `few` and `kepler05` all are in one leaf, so that forces are exact. None to two bodies; groups
 * that are not full; steps of many lengths. */
static const struct check_case cases[] = {
    {"plummer", 0, 2},
    {"plummer", 31, 33},
    {"plummer", 2001, 2299, ONE_OF},
    {"masses", 2},
    {"masses", 65, 119, ONE_OF},
    {"few", 3, 63, ONE_OF},
    {"few", 64},
    {"kepler05", 2},
    {"kepler05", 2, 0, FIXED},
    {"merger", 300, 0, FIXED},
    {"cold", 256},
    {"m31", 300, 0, FIXED},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"plummer", 0, 2}, {"masses", 65, 119, ONE_OF}, {"few", 33}, {"kepler05", 2}, {NULL, 0},
};

static const struct check_case trace_cases[] = {{"binaries", 512, 0, FIXED}, {NULL, 0}};

static const struct varied varied[] = {
    {"accuracy", offsetof(struct orbits_parameters, accuracy), 0x1p-14, 0x1p-7, 1, 1},
    {"eta", offsetof(struct orbits_parameters, eta), 0.01, 0.04, 1, 1},
    {"softening", offsetof(struct orbits_parameters, softening), 1.0 / 256, 1.0 / 16, 1},
    {"interval", offsetof(struct orbits_parameters, interval), 0.02, 0.1, 1},
    {NULL, 0},
};

/* The trusted program sums over all pairs. */
static const int timed[] = {1 << 13, 1 << 15, 0};
static const struct sizes sizes = {.single = 1 << 12,
                                   .variants = 257,
                                   .small = 1 << 12,
                                   .on_cpu = 1 << 12,
                                   .on_gpu = 1 << 15,
                                   .with_errors = 1 << 12,
                                   .beside = 1 << 12,
                                   .timed = timed,
                                   .iterations = 1};

/* In units of galaxy.h. An interval of M31 is 3.8 million years; with 2^20 bodies or more steps in
 * its bulge are a thirty-second of that. Fewer bodies would pull each other too hard with the same
 * softening. Fast pairs of `binaries` have eight steps in an interval, and slow ones two. */
static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct orbits_parameters parameters = {.n = n,
                                           .leaf = strcmp(distribution, "few") ? 16 : 64,
                                           .softening = usual_softening,
                                           .angle = 0.7,
                                           .accuracy = 0x1p-9,
                                           .eta = usual_eta,
                                           .interval = usual_interval};

    (void)iterations;
    if (n == 2 && !strcmp(distribution, "kepler05"))
        parameters.interval = 0.5;
    if (!strcmp(distribution, "binaries"))
        parameters.interval = 0.5;
    if (!strcmp(distribution, "m31")) {
        parameters.softening *= fmax(1, cbrt((1 << 20) / fmax(n, 1)));
        parameters.eta = 0.125;
        parameters.interval = 1.0 / 256;
    }
    *(struct orbits_parameters *)memory = parameters;
}

/* A sphere of radius 1 at rest, of the same density everywhere. */
static void place_cold(struct star *stars, int n, uint64_t seed) {
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);
        double radius = cube_root(random_unit(&random));

        stars[i] = (struct star){.mass = 1.0 / n};
        random_direction(&random, stars[i].x);
        for (int c = 0; c < 3; c++)
            stars[i].x[c] *= radius;
    }
}

static void place_galaxy(struct star *stars, int n, uint64_t seed) {
    struct galaxy_parameters parameters;

    galaxy_problem.set_parameters(&parameters, "m31", n, 1);
    if (n == 0 || galaxy_make(&parameters, GALAXY_RIGHT, 1, seed, 1, stars))
        memset(stars, 0, (size_t)n * sizeof *stars);
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct star *stars = input;

    if (n == 2 && !strcmp(distribution, "kepler05")) {
        struct kepler orbit = stars_kepler(0.5, seed);

        stars_kepler_start(&orbit, stars);
    } else if (!strcmp(distribution, "binaries")) {
        stars_binaries(stars, n, seed);
    } else if (!strcmp(distribution, "merger")) {
        stars_merger(stars, n, seed);
    } else if (!strcmp(distribution, "cold")) {
        place_cold(stars, n, seed);
    } else if (!strcmp(distribution, "m31")) {
        place_galaxy(stars, n, seed);
    } else if (!strcmp(distribution, "masses") || !strcmp(distribution, "few")) {
        stars_plummer_of_masses(stars, n, seed);
    } else {
        stars_plummer(stars, n, seed);
    }
    stars_push_alone(stars, n, seed);
}

/* The scheme with the eta asked for; its errors are those of any right program. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    const struct orbits_parameters *p = parameters;
    const struct orbits_scheme scheme = {.eta = 1};
    struct orbits_flow *flow = orbits_flow(p, input, iterations, &scheme);

    if (!flow)
        return -1;
    orbits_flow_end(flow, p->n, output);
    free(flow);
    return 0;
}

/* Two spheres pass through each other; one falls together; a galaxy turns, in units of galaxy.h for
 * 0.5 Gyr. */
static const struct scene scenes[] = {{"merger", 2048, 3.55, 0.05},
                                      {"cold", 2048, 2.85, 0.04},
                                      {"m31", 16384, 0.5, 1.0 / 256},
                                      {NULL, 0, 0, 0}};

static void set_filmed_parameters(void *parameters, const char *distribution, int n, double dt) {
    set_parameters(parameters, distribution, n, 1);
    ((struct orbits_parameters *)parameters)->interval = dt;
}

static const struct motion motion = {
    .scenes = scenes, MOTION_OF_STARS, .set_parameters = set_filmed_parameters};

const struct problem orbits_problem = {
    .name = "orbits",
    .unit = "bodies",
    .per = "body",
    .element = "bodies",
    .iteration = "interval",
    .error = "|v - v_ref| / integral of |a|",
    .function = "orbits_create",
    .distributions = distributions,
    .sizes = &sizes,
    .largest = 1 << 28,
    .parameters_bytes = sizeof(struct orbits_parameters),
    .slowest_rate = 4e3,
    .most_iterations = 100,
    .input_bytes = stars_bytes,
    .output_bytes = stars_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_per_element,
    .set_parameters = set_parameters,
    .varied = varied,
    .generate = generate,
    .sharpen = stars_sharpen,
    .answer = orbits_answer,
    .judge = orbits_judge,
    .trusted = trusted,
    .judge_timed = orbits_judge_timed,
    .motion = &motion,
    .techniques = orbits_techniques,
};
