/* Step 14's program beyond what a check tries: the same bits whatever the order of its blocks, and
 * bodies in one place; and that it and step 16's keep the momentum. */
#include "testing.h"
#include "nbody_inputs.h"
#include "edited.h"
#include "protocol/nbody_masses_parameters.h"
#include "referee/play/player_process.h"
#include "referee/build/programs.h"

enum { ITERATIONS = 2 };

static const struct problem *const massive = &nbody_masses_problem;

/* The macros of a variant whose source is its own, as lines before it. */
static void define(const struct step *step, const char *variant, char lines[2 * MOST_VALUE]) {
    char name[64], flags[MOST_VALUE] = "", *flag, *rest;

    *lines = 0;
    snprintf(name, sizeof name, "variant_%s", variant);
    assert_true(manifest_value(step->manifest, name, flags));
    for (flag = strtok_r(flags, " ", &rest); flag; flag = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(flag, '=');

        snprintf(lines + strlen(lines), 2 * MOST_VALUE - strlen(lines), "#define %.*s %s\n",
                 value ? (int)(value - flag - 2) : 99, flag + 2, value ? value + 1 : "1");
    }
}

/* Builds a variant of a step's solution, edited; `edits` ends with {NULL, NULL}. */
static const struct program *built_of(const char *step_name, const char *variant,
                                      const struct edit *edits) {
    struct edit all[8] = {SPLICED("blocking.h")};
    static struct programs programs;
    const struct step *step = catalogue_find(&catalogue, step_name);
    char source[128], lines[2 * MOST_VALUE];
    struct options options = {0};
    const struct program *program;
    int count = 1;

    while (edits->from)
        all[count++] = *edits++;
    if (own_source(step, variant, source)) {
        define(step, variant, lines);
        all[count] = (struct edit){"", lines};
        variant = "chosen";
    } else {
        snprintf(source, sizeof source, "solutions/%s/nbody.cu", step_name);
    }
    options.file = edited(source, all);
    assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
    assert_int_equal(programs_build(&programs, "plain", variant), 0);
    if (!(program = programs_find(&programs, variant, "plain")))
        skip(); /* no C++ compiler */
    return program;
}

static const struct program *built(const char *variant, const struct edit *edits) {
    return built_of("14_register_blocking", variant, edits);
}

/* Runs it with the blocks in the order of `seed`; the caller frees the output. */
static struct body *ran(const struct program *program,
                        const struct nbody_masses_parameters *parameters, const struct body *input,
                        uint64_t seed) {
    int n = parameters->parameters.n;
    size_t in = massive->input_bytes("masses", n), out = massive->output_bytes("masses", n);
    struct player_options options = {.path = program->path,
                                     .name = program->variant,
                                     .input_bytes = in,
                                     .output_bytes = out,
                                     .threads = 1,
                                     .workers = 1,
                                     .seed = seed,
                                     .grace = 60};
    struct body *output = bodies_of(n);
    char message[512] = "";
    struct player *player = player_start(&options, message);
    double seconds;

    if (!player)
        fail_msg("%s", message);
    if (player_create(player, parameters, sizeof *parameters, in, out) ||
        player_run(player, input, output, ITERATIONS, 60, &seconds))
        fail_msg("%s", player_message(player));
    player_end(player);
    return output;
}

/* Bodies and masses behind them. */
static struct body *input_of(int n, struct nbody_masses_parameters *parameters) {
    struct body *input = malloc(massive->input_bytes("masses", n));

    assert_non_null(input);
    massive->set_parameters(parameters, "masses", n, ITERATIONS);
    massive->generate(input, "masses", n, 5);
    return input;
}

/* How many of three further orders of blocks give another output than the first. */
static int other_outputs(const char *variant, const struct edit *edits) {
    enum { N = 1000 };
    const struct program *program = built(variant, edits);
    struct nbody_masses_parameters parameters;
    struct body *input = input_of(N, &parameters);
    struct body *first = ran(program, &parameters, input, 1);
    int others = 0;

    for (uint64_t seed = 2; seed <= 4; seed++) {
        struct body *output = ran(program, &parameters, input, seed);

        others += memcmp(first, output, N * sizeof *output) != 0;
        free(output);
    }
    free(first);
    free(input);
    return others;
}

static const struct edit as_it_is[] = {{NULL, NULL}};

TEST(every_order_of_blocks_gives_the_same_bits) {
    assert_int_equal(other_outputs("chosen", as_it_is), 0);
    assert_int_equal(other_outputs("4", as_it_is), 0);
}

/* The test above is one only if the order could show. */
TEST(atomic_additions_do_not) {
    static const struct edit atomic[] = {
        {"/* What the bodies j of part",
         "__device__ static void add_at(float3 *at, float x, float y, float z) {\n"
         "    atomicAdd(&at->x, x);\n    atomicAdd(&at->y, y);\n    atomicAdd(&at->z, z);\n}\n"
         "/* What the bodies j of part"},
        {"forces[(size_t)blockIdx.y * n + i] = total[b]",
         "add_at(&forces[i], total[b].x, total[b].y, total[b].z)"},
        {"part < parts", "part < parts && part < 1"},
        {"    bodies[i] = body;",
         "    bodies[i] = body;\n    ((float3 *)forces)[i] = make_float3(0, 0, 0);"},
        {"    return simulation;\n",
         "    CUDA_CHECK(cudaMemset(simulation->forces, 0, n * sizeof *simulation->forces));\n"
         "    return simulation;\n"},
        {NULL, NULL}};

    assert_true(other_outputs("4", atomic) > 0);
}

/* Every body of the first hundred has one of the second hundred in its place, and pulls it not at
 * all, by the softening. */
TEST(bodies_may_be_in_one_place) {
    enum { N = 257 };
    static const char *const variants[] = {"chosen", "4", "softening_last", "two_floats"};
    struct nbody_masses_parameters parameters;
    struct body *input = input_of(N, &parameters);
    struct answer *answer;

    parameters.parameters.softening = 1e-4f;
    for (int i = 0; i < 100; i++) {
        input[i + 100].x = input[i].x;
        input[i + 100].y = input[i].y;
        input[i + 100].z = input[i].z;
        input[i + 100].vx = input[i].vx; /* they stay together */
        input[i + 100].vy = input[i].vy;
        input[i + 100].vz = input[i].vz;
    }
    assert_non_null(answer = massive->answer(&parameters, input, "masses", ITERATIONS));
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct body *output = ran(built(variants[v], as_it_is), &parameters, input, 1);
        struct judgement judgement;

        massive->judge(&parameters, input, answer, output, "masses", ITERATIONS, 1e-4, &judgement);
        if (judgement.outcome)
            fail_msg("%s: %s", variants[v], judgement.message);
        free(output);
    }
    free(answer);
    free(input);
}

/* What the problem says of `async_copy`, edited. */
static enum outcome of_copies(const struct edit *edits) {
    enum { N = 1000 };
    struct nbody_masses_parameters parameters;
    struct body *input = input_of(N, &parameters);
    struct body *output = ran(built("async_copy", edits), &parameters, input, 1);
    struct answer *answer = massive->answer(&parameters, input, "masses", ITERATIONS);
    struct judgement judgement;

    assert_non_null(answer);
    massive->judge(&parameters, input, answer, output, "masses", ITERATIONS, 1e-4, &judgement);
    free(answer);
    free(output);
    free(input);
    return judgement.outcome;
}

/* In one part, so that there is more than one tile. */
#define ONE_PART                                                                                   \
    { "#define PARTS 0", "#define PARTS 1" }

TEST(copies_must_be_waited_for) {
    static const struct edit right[] = {ONE_PART, {NULL, NULL}};
    static const struct edit faults[][3] = {
        {ONE_PART, {"__pipeline_wait_prior(0);", ""}, {NULL, NULL}},
        {ONE_PART, {"wait_prior(0)", "wait_prior(1)"}, {NULL, NULL}},
        {ONE_PART, {"        }\n        __syncthreads();", "        }"}, {NULL, NULL}},
        {ONE_PART, {"tiles[place ^ 1]", "tiles[place]"}, {NULL, NULL}},
    };

    assert_int_equal(of_copies(right), OUTCOME_ACCEPTED);
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        assert_int_equal(of_copies(faults[f]), OUTCOME_NOT_FINITE);
}

/* |sum of m v| by the sum of m |v|, of bodies that began at rest. */
static double momentum(const char *step, const char *variant, const struct edit *edits) {
    enum { N = 1500 };
    const struct program *program = built_of(step, variant, edits);
    struct nbody_masses_parameters parameters;
    struct body *input = malloc(massive->input_bytes("masses", N)), *output;
    double sum[3] = {0}, all = 0;

    assert_non_null(input);
    massive->set_parameters(&parameters, "soft_cube_masses", N, ITERATIONS);
    massive->generate(input, "soft_cube_masses", N, 5);
    massive->bring_to_rest(input, N);
    const float *masses = (const float *)(input + N);
    output = ran(program, &parameters, input, 1);
    for (int i = 0; i < N; i++) {
        const double v[] = {output[i].vx, output[i].vy, output[i].vz};

        for (int c = 0; c < 3; c++)
            sum[c] += masses[i] * v[c];
        all += masses[i] * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    free(input);
    free(output);
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / all;
}

TEST(momentum_is_kept) {
    static const struct edit unequal[] = {
        {"scales.force, f[0] - body.x * f[3]", "scales.force, 1.01f * f[0] - body.x * f[3]"},
        {NULL, NULL}};

    assert_true(momentum("14_register_blocking", "chosen", as_it_is) < 1e-6);
    assert_true(momentum("16_tensor_cores", "fp32", as_it_is) < 1e-6);
    assert_true(momentum("16_tensor_cores", "two_halves", as_it_is) < 1e-5);
    assert_true(momentum("16_tensor_cores", "two_halves", unequal) > 1e-4);
}

GROUP(read_catalogue_without_nvcc, NULL)
