/* The problem `cluster`: stars that attract each other, moved by intervals of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_problem.h"
#include "problems/stars/systems.h"

/* Of a run for which nobody has named others: with this softening a sphere's neighbours are no
 * close pairs, and an interval has some steps. */
static const double usual_accuracy = 0.01, usual_softening = 1.0 / 64, usual_interval = 1.0 / 32;

static const char *const distributions[] = {"plummer",  "bare",   "masses",   "kepler05",
                                            "kepler09", "merger", "binaries", NULL};

/* `bare` has no softening. One star moves straight on. Orbits of two stars tell an order from
 * another; they are long. The largest sphere has more than one block of anything. */
static const struct check_case cases[] = {
    {"plummer", 1, 2},
    {"plummer", 255, 257},
    {"plummer", 2049, 2303, ONE_OF},
    {"bare", 2},
    {"bare", 3, 63, ONE_OF},
    {"masses", 2},
    {"masses", 33, 99, ONE_OF},
    {"kepler05", 2},
    {"kepler05", 2, 0, FIXED},
    {"kepler09", 2, 0, FIXED},
    {"merger", 128, 0, FIXED},
    {NULL, 0},
};

/* `bare` in two intervals hardly ever takes more than 400 steps; runs drawn from the seed take
 * thousands. To ThreadSanitizer each thread of a kernel is a new thread, so a step takes long. */
static const struct check_case sanitizer_cases[] = {
    {"plummer", 1, 2}, {"plummer", 257}, {"bare", 20, 0, FIXED}, {"kepler09", 2}, {NULL, 0},
};

static const struct check_case trace_cases[] = {{"binaries", 512, 0, FIXED}, {NULL, 0}};

/* Softening is up to the distance of neighbours in a core of a hundred stars. */
static const struct varied varied[] = {
    {"accuracy", offsetof(struct cluster_parameters, accuracy), 0.0025, 0.02, 1, 1},
    {"softening", offsetof(struct cluster_parameters, softening), 1.0 / 256, 1.0 / 16, 1},
    {"interval", offsetof(struct cluster_parameters, interval), 0.01, 0.05, 1},
    {NULL, 0},
};

static const int timed[] = {1024, 4096, 8192, 0};
static const struct sizes sizes = {.single = 1024,
                                   .variants = 257,
                                   .small = 1024,
                                   .on_cpu = 1024,
                                   .on_gpu = 4096,
                                   .with_errors = 1024,
                                   .beside = 1024,
                                   .timed = timed,
                                   .iterations = 1};

static int is_softened(const char *distribution) {
    return strcmp(distribution, "bare") && strncmp(distribution, "kepler", 6) &&
           strcmp(distribution, "binaries");
}

/* Orbits of the distribution `kepler` have the period 2 pi, as have binaries. */
static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    struct cluster_parameters parameters = {.n = n,
                                            .softening =
                                                is_softened(distribution) ? usual_softening : 0,
                                            .accuracy = usual_accuracy,
                                            .interval = usual_interval};

    (void)iterations;
    if (!strncmp(distribution, "kepler", 6))
        parameters.interval = 1.5;
    if (!strcmp(distribution, "binaries")) {
        parameters.accuracy = 0.0016; /* 20 steps in an interval */
        parameters.interval = 0.8;
    }
    *(struct cluster_parameters *)memory = parameters;
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct star *stars = input;

    if (n == 2 && !strncmp(distribution, "kepler", 6)) {
        struct kepler orbit = stars_kepler(!strcmp(distribution, "kepler05") ? 0.5 : 0.9, seed);

        stars_kepler_start(&orbit, stars);
    } else if (!strcmp(distribution, "binaries")) {
        stars_binaries(stars, n, seed);
    } else if (!strcmp(distribution, "merger")) {
        stars_merger(stars, n, seed);
    } else if (!strcmp(distribution, "masses")) {
        stars_plummer_of_masses(stars, n, seed);
    } else {
        stars_plummer(stars, n, seed);
    }
    stars_push_alone(stars, n, seed);
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    (void)distribution;
    return flow_reference(parameters, input, iterations);
}

/* The scheme with the accuracy asked for; its errors are those of any right program. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    struct flow *flow = flow_new(parameters, input);

    if (!flow)
        return -1;
    flow_run(flow, &hermite, iterations);
    flow_end(flow, output);
    free(flow);
    return 0;
}

#define ORBIT 6.283185307179586 /* 2 pi, the period */

/* Two spheres pass through each other; two stars go round three times. */
static const struct scene scenes[] = {{"merger", 256, 3.55, 0.05},
                                      {"kepler05", 2, 3 * ORBIT, 3 * ORBIT / 71},
                                      {"kepler09", 2, 3 * ORBIT, 3 * ORBIT / 71},
                                      {"plummer", 256, 3.55, 0.05},
                                      {NULL, 0, 0, 0}};

static void set_filmed_parameters(void *parameters, const char *distribution, int n, double dt) {
    (void)distribution;
    *(struct cluster_parameters *)parameters =
        (struct cluster_parameters){.n = n,
                                    .softening = n > 2 ? usual_softening : 0,
                                    .accuracy = usual_accuracy,
                                    .interval = dt};
}

static const struct motion motion = {
    .scenes = scenes, MOTION_OF_STARS, .set_parameters = set_filmed_parameters};

const struct problem cluster_problem = {
    .name = "cluster",
    .unit = "pairs",
    .per = "pair",
    .element = "stars",
    .iteration = "interval",
    .error = "|v - v_ref| / integral of |a|",
    .function = "evolution_create",
    .distributions = distributions,
    .sizes = &sizes,
    .largest = 1 << 20,
    .parameters_bytes = sizeof(struct cluster_parameters),
    .slowest_rate = 2e5,
    .most_iterations = 100,
    .input_bytes = stars_bytes,
    .output_bytes = stars_bytes,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = work_of_pairs, /* once per interval, however many steps it takes */
    .set_parameters = set_parameters,
    .varied = varied,
    .generate = generate,
    .sharpen = stars_sharpen,
    .answer = answer,
    .judge = cluster_judge,
    .trusted = trusted,
    .judge_timed = cluster_judge_timed,
    .survey = cluster_survey,
    .motion = &motion,
    .techniques = cluster_techniques,
};
