/* The problem `leapfrog`: stars that attract each other, moved by kick-drift-kick. */
#include "leapfrog_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/random.h"
#include "problems/stars/systems.h"
#include "problems/technique.h"
#include "survey.h"

/* Of a run for which nobody has named one: in a Plummer sphere of 1000 bodies neighbours are 0.05
 * apart in the core. */
static const double time_step = 1.0 / 256, usual_softening = 1.0 / 64;

/* Steps in which `reversed` has come from its start: those of a fixed case. */
enum { REVERSED_STEPS = 2 };

static const char *const distributions[] = {"plummer",  "soft",     "masses", "kepler05",
                                            "kepler09", "reversed", NULL};

/* One body moves straight on; two, and three; vectors of 8 and blocks that are not full. The
 * largest says whether threads share the work. */
static const struct check_case cases[] = {
    {"plummer", 1},
    {"plummer", 2},
    {"plummer", 3, 63, ONE_OF},
    {"plummer", 1000},
    {"plummer", 3001, 4095, ONE_OF},
    {"soft", 2},
    {"soft", 255, 257},
    {"masses", 2},
    {"masses", 3, 99, ONE_OF},
    {"masses", 1025},
    {"kepler05", 2},
    {"kepler09", 2},
    {"reversed", 64, 0, FIXED},
    {"reversed", 1000, 0, FIXED},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"plummer", 1}, {"plummer", 2},  {"plummer", 65, 127, ONE_OF}, {"soft", 64},
    {"masses", 33}, {"masses", 257}, {"reversed", 32, 0, FIXED},   {NULL, 0},
};

static const struct check_case trace_cases[] = {{"plummer", 1024, 0, FIXED}, {NULL, 0}};

/* The softening is up to the distance of neighbours in the core. */
static const struct varied varied[] = {
    {"dt", offsetof(struct integration_parameters, dt), 0.001, 0.01, 1},
    {"softening", offsetof(struct integration_parameters, softening), 0.005, 0.1, 1},
    {NULL, 0},
};

static const int timed[] = {2048, 8192, 0};
static const struct sizes sizes = {.single = 2048,
                                   .variants = 1025,
                                   .small = 2048,
                                   .on_cpu = 2048,
                                   .on_gpu = 8192,
                                   .with_errors = 8192,
                                   .beside = 8192,
                                   .timed = timed};

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    int is_soft = !strcmp(distribution, "soft") || !strcmp(distribution, "masses") ||
                  !strcmp(distribution, "reversed");

    (void)iterations;
    *(struct integration_parameters *)memory =
        (struct integration_parameters){n, time_step, is_soft ? usual_softening : 0};
}

/* Softened, and over a quarter of a unit of time at most, so that roundings do not grow. */
static void set_timed_parameters(void *memory, const char *distribution, int n, int iterations) {
    static const double longest = 0.25;

    (void)distribution;
    *(struct integration_parameters *)memory =
        (struct integration_parameters){n, fmin(time_step, longest / iterations), usual_softening};
}

/* Pairs on orbits of their own, each drawn from the seed, far from each other; the last of an odd
 * number of bodies is alone. */
static void place_pairs(struct star *stars, double eccentricity, int n, uint64_t seed) {
    static const double apart = 64;

    for (int i = 0; i < n; i += 2) {
        struct kepler orbit = stars_kepler(eccentricity, seed_of(seed, (uint64_t)i));
        struct star pair[2];

        stars_kepler_start(&orbit, pair);
        for (int k = 0; k < 2 && i + k < n; k++) {
            stars[i + k] = pair[k];
            stars[i + k].x[0] += apart * (i / 2);
        }
    }
}

/* Runs the bodies forwards and turns their velocities round. */
static void reverse(struct star *stars, int n) {
    struct integration_parameters parameters;
    struct cluster *cluster;

    set_parameters(&parameters, "reversed", n, REVERSED_STEPS);
    if (!(cluster = cluster_new(&parameters, stars)))
        return;
    cluster_run(cluster, REVERSED_STEPS);
    cluster_end(cluster, stars);
    free(cluster);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            stars[i].v[c] = -stars[i].v[c];
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct star *stars = input;

    if (!strncmp(distribution, "kepler", 6))
        place_pairs(stars, !strcmp(distribution, "kepler05") ? 0.5 : 0.9, n, seed);
    else if (!strcmp(distribution, "masses") || !strcmp(distribution, "reversed"))
        stars_plummer_of_masses(stars, n, seed);
    else
        stars_plummer(stars, n, seed);
    if (!strcmp(distribution, "reversed"))
        reverse(stars, n);
    stars_push_alone(stars, n, seed);
}

/* Two bodies at one place, which exert nothing on each other. */
static void sharpen(void *input, const void *before, const char *distribution, int n) {
    struct star *stars = input;

    (void)distribution;
    memcpy(stars[n / 2].x, stars[n / 3].x, sizeof stars->x);
    keep_ends(stars, before, n, sizeof *stars);
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    struct cluster *cluster = cluster_new(parameters, input);

    (void)distribution;
    if (cluster)
        cluster_run(cluster, iterations);
    return cluster;
}

/* The oracle is quick enough. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    struct cluster *cluster = cluster_new(parameters, input);

    if (!cluster)
        return -1;
    cluster_run(cluster, iterations);
    cluster_end(cluster, output);
    free(cluster);
    return 0;
}

static const struct technique *const techniques[] = {
    (const struct technique[]){TECHNIQUE_WORK_OF_OTHERS, {NULL}},
    NULL,
};

#define ORBIT 6.283185307179586 /* 2 pi, the period */

/* Three orbits, in so short steps that the leapfrog's picture shows no error. */
static const struct scene scenes[] = {{"kepler05", 2, 3 * ORBIT, ORBIT / 426},
                                      {"kepler09", 2, 3 * ORBIT, ORBIT / 4260},
                                      {"plummer", 2048, 3, 1.0 / 256},
                                      {NULL, 0, 0, 0}};

/* Spheres are softened, as orbits are not. */
static void set_filmed_parameters(void *parameters, const char *distribution, int n, double dt) {
    (void)distribution;
    *(struct integration_parameters *)parameters =
        (struct integration_parameters){n, dt, n > 2 ? usual_softening : 0};
}

static const struct motion motion = {
    .scenes = scenes, MOTION_OF_STARS, .set_parameters = set_filmed_parameters};

const struct problem leapfrog_problem = {
    .name = "leapfrog",
    .unit = "interactions",
    .per = "interaction",
    .element = "bodies",
    .iteration = "step",
    .error = "|v - v_ref| / |v_ref - v_in|",
    .function = "integration_create",
    .distributions = distributions,
    .sizes = &sizes,
    .largest = 1 << 20,
    .parameters_bytes = sizeof(struct integration_parameters),
    .slowest_rate = 2e7,
    .least_iterations = 10,
    .most_iterations = 1000,
    .input_bytes = stars_bytes,
    .output_bytes = stars_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_of_pairs,
    .set_parameters = set_parameters,
    .set_timed_parameters = set_timed_parameters,
    .varied = varied,
    .generate = generate,
    .sharpen = sharpen,
    .answer = answer,
    .judge = leapfrog_judge,
    .trusted = trusted,
    .judge_timed = leapfrog_judge_timed,
    .survey = leapfrog_survey,
    .motion = &motion,
    .techniques = techniques,
};
