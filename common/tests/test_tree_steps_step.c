/* Step 43's program: mutants, and its techniques. */
#include "testing.h"
#include "built.h"
#include "problems/orbits/orbits_problem.h"
#include "referee/play/player_process.h"

#define STEP "43_tree_steps"

static const struct edit kit[] = {SPLICED("orbit_devices.h"), SPLICED("orbiters.h"), {NULL}};

TEST(mutants_are_rejected_for_their_reason) {
    static const struct built_mutant mutants[] = {
        /* The predictor: without accelerations, and to the end of each one's own step. */
        {{{"own.v.x + dt / 2 * own.a.x", "own.v.x"}, {"own.v.y + dt / 2 * own.a.y", "own.v.y"}},
         60,
         OUTCOME_WRONG,
         "more than eta"},
        {{{"(float)(time - own.time)", "(float)own.step"}},
         60,
         OUTCOME_WRONG,
         "ends of their own steps"},
        /* The corrector: of the new acceleration alone, of half a step. */
        {{{"(own.a.x + a.x)", "(2 * a.x)"}, {"(own.a.y + a.y)", "(2 * a.y)"}},
         60,
         OUTCOME_WRONG,
         "more than eta allows"},
        {{{"own.v.z += dt / 2", "own.v.z += dt / 4"}}, 60, OUTCOME_WRONG, "more than eta"},
        {{{"own.at = predicted;", ""}}, 60, OUTCOME_WRONG, "more than eta"},
        /* Steps: as long as an interval; by |a| in the place of its root. */
        {{{"&& (float)(2 * step) <= wanted", ""}, {"(float)step > wanted", "0"}},
         60,
         OUTCOME_WRONG,
         "softening is left out"},
        {{{"own.time = time % INTERVAL;", "own.time = time;"}},
         60,
         OUTCOME_WRONG,
         "right after 1 interval"},
        /* A new order, of bodies without their numbers; and of none. */
        {{{"to.numbers[i] = from.numbers[order[i]];", "to.numbers[i] = from.numbers[i];"}},
         60,
         OUTCOME_WRONG,
         "more than eta"},
        {{{"to.orbiters[i] = from.orbiters[order[i]];", "to.orbiters[i] = from.orbiters[i];"}},
         60,
         OUTCOME_WRONG,
         "more than eta"},
        /* Groups: places that fill them up move, too; those of a tile over each other. */
        {{{"if (walks(&group, p) && own[p] >= 0)", "if (walks(&group, p))"}},
         60,
         OUTCOME_MEMORY,
         "in front of the"},
        {{{"k / size * GROUP + k % size", "k"}}, 200, OUTCOME_OWN_ERROR, "is in no group"},
        /* Nodes: where they were when the tree was made; as small as a point. */
        {{{"flight->centres[i] = centre;", "if (errand->is_first) flight->centres[i] = centre;"}},
         200,
         OUTCOME_WRONG,
         "more than eta",
         .variant = "eighth"},
        {{{"+ (links.w ? flight->reach[links.z + k] : 0)", "* 0"}},
         120,
         OUTCOME_WRONG,
         "more than eta"},
        /* Barriers. */
        {{{"follow(&job, &errand, &flight, depth);\n        grid_barrier(&flight.block->arrived, "
           "goal += gridDim.x);",
           "follow(&job, &errand, &flight, depth);\n"}},
         200,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        {{{"    __syncthreads();\n    fill_up(", "    fill_up("}},
         200,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        {{{"raise_to(&flight.block->left, left);\n    __syncthreads();",
           "raise_to(&flight.block->left, left);"}},
         200,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
    };

    assert_builds_rejected(STEP, kit, mutants, sizeof mutants / sizeof *mutants);
}

/* Moves bodies of that distribution by two intervals with a tree for each block step. Returns 1; or
 * 0 with a message if the program fails. */
static int runs(const struct edit *edits, const char *distribution, int n, uint64_t seed,
                struct orbits_parameters *parameters, struct star *in, struct star *out,
                struct counters *counters, char message[512]) {
    static struct programs programs;
    const struct program *program = built(STEP, NULL, kit, edits, "always", "plain", &programs);
    const size_t bytes = (size_t)n * sizeof *in;
    struct player_options options = {.name = "orbits",
                                     .input_bytes = bytes,
                                     .output_bytes = bytes,
                                     .threads = 1,
                                     .workers = 1,
                                     .seed = seed};
    struct player *player;
    double seconds;
    int ran;

    if (!program)
        skip();
    *message = 0;
    options.path = program->path;
    orbits_problem.set_parameters(parameters, distribution, n, 2);
    orbits_problem.generate(in, distribution, n, 5);
    if (!(player = player_start(&options, message)))
        return 0;
    ran = !player_create(player, parameters, sizeof *parameters, bytes, bytes) &&
          !player_run(player, in, out, 2, 60, &seconds);
    if (!ran)
        snprintf(message, 512, "%s", player_message(player));
    *counters = player_counters(player);
    player_end(player);
    return ran;
}

/* The same with a program that is right. */
static struct counters move(const struct edit *edits, const char *distribution, int n,
                            uint64_t seed, struct orbits_parameters *parameters, struct star *in,
                            struct star *out) {
    struct counters counters;
    char message[512];

    if (!runs(edits, distribution, n, seed, parameters, in, out, &counters, message))
        fail_msg("%s", message);
    return counters;
}

static const struct edit unedited[] = {{NULL, NULL}};

/* All bodies are in one leaf, so forces are exact to the rounding of floats, and so is what a flow
 * by direct summation does with its bodies. */
TEST(bodies_are_those_of_a_brute_force_scheduler) {
    static const struct {
        const char *distribution;
        int n;
    } cases[] = {{"few", 3}, {"few", 33}, {"few", 64}, {"kepler05", 2}};
    const struct orbits_scheme scheme = {.eta = 1, .in_float = 1};
    static struct star in[64], out[64], right[64];

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orbits_parameters parameters;
        double off = 0;

        move(unedited, cases[k].distribution, cases[k].n, 1, &parameters, in, out);
        struct orbits_flow *flow = orbits_flow(&parameters, in, 2, &scheme);

        assert_non_null(flow);
        assert_true(flow->forces < flow->blocks * cases[k].n || cases[k].n < 4);
        orbits_flow_end(flow, cases[k].n, right);
        free(flow);
        for (int i = 0; i < cases[k].n; i++)
            for (int c = 0; c < 3; c++)
                off = fmax(off, fmax(fabs(out[i].x[c] - right[i].x[c]),
                                     fabs(out[i].v[c] - right[i].v[c])));
        if (!(off < 2e-5))
            fail_msg("%s, n = %d: off by %g", cases[k].distribution, cases[k].n, off);
    }
}

TEST(every_order_of_blocks_gives_the_same_bits) {
    enum { N = 300 };
    static const struct edit by_block[] = {
        {"own.a = a;", "own.a = make_float3(a.x * (1 + 1e-7f * blockIdx.x), a.y, a.z);"},
        {NULL, NULL}};
    static struct star in[N], out[N], other[N];
    struct orbits_parameters parameters;
    int differ = 0;

    move(unedited, "plummer", N, 1, &parameters, in, out);
    for (uint64_t seed = 2; seed <= 4; seed++) {
        move(unedited, "plummer", N, seed, &parameters, in, other);
        assert_memory_equal(out, other, sizeof out);
    }
    move(by_block, "plummer", N, 1, &parameters, in, out);
    for (uint64_t seed = 2; seed <= 4; seed++) {
        move(by_block, "plummer", N, seed, &parameters, in, other);
        differ += memcmp(out, other, sizeof out) != 0;
    }
    assert_true(differ > 0);
}

/* Of three devices each walks for about a third, and the bodies are those of one device, to the
 * bit. Bodies on the left get short steps, so that some devices have the next one that is due.
 * Mutants: each walks for all; nobody is told of device 0's; the interval goes on as device 0
 * says. */
TEST(devices_share_the_walks) {
    enum { N = 3072 };
#define HURRY                                                                                      \
    { "wanted = sqrtf(", "wanted = (own.at.x < -1.5f ? 0.1f : 1) * sqrtf(" }
#define ON_ALL                                                                                     \
    { "exchange_create(DEVICES)", "exchange_create(0)" }
    static const struct edit on_one[] = {HURRY, {NULL}};
    static const struct edit shared[] = {HURRY, ON_ALL, {NULL}};
    static const struct edit for_all[] = {
        HURRY,
        ON_ALL,
        {"first < flight->block->places && !is_own(flight, flight->list[first])", "false"},
        {NULL}};
    static const struct edit wrong[][4] = {
        {HURRY, ON_ALL, {"if (k / share != flight.device &&", "if (k / share > 0 &&"}, {NULL}},
        {HURRY,
         ON_ALL,
         {"all.left = max(all.left, own.left);", "all.left = d ? all.left : own.left;"},
         {NULL}}};
    static struct star in[N], out[N], other[N];
    struct orbits_parameters parameters;
    struct counters alone = move(on_one, "plummer", N, 1, &parameters, in, out), each;
    char message[512];

    each = move(shared, "plummer", N, 1, &parameters, in, other);
    assert_memory_equal(out, other, sizeof out);
    for (int d = 0; d < 3; d++)
        assert_true(each.roots_on[d] * 5 > alone.roots_on[0] &&
                    each.roots_on[d] * 2 < alone.roots_on[0]);
    each = move(for_all, "plummer", N, 1, &parameters, in, other);
    assert_false(each.roots_on[0] * 2 < alone.roots_on[0]);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        if (runs(wrong[k], "plummer", N, 1, &parameters, in, other, &each, message) &&
            !memcmp(out, other, sizeof out))
            fail_msg("mutant %zu gives the same", k);
}

/* Of `binaries`, whose steps are known. */
static int follows(const struct edit *edits, char message[512]) {
    static const struct options options = {.seed = 1};
    static struct programs programs;
    static struct verdict verdict;
    const struct program *trace = built(STEP, NULL, kit, edits, NULL, "trace", &programs);
    struct observed observed;

    *message = 0;
    if (!trace)
        skip();
    assert_int_equal(check_program(&programs, trace, &options, &verdict, &observed), 0);
    if (verdict.outcome)
        fail_msg("%s", verdict.message);
    return step_follows(problem_find("orbits"), STEP, &observed, message);
}

TEST(the_idea_is_in_steps_trees_and_copies) {
    static const struct edit as_it_is[] = {{NULL, NULL}};
    static const struct edit together[] = {
        {"own.step = next_step(own.step ? own.step : INTERVAL, time, wanted);",
         "own.step = INTERVAL / 8;"},
        {NULL, NULL}};
    static const struct edit anew[] = {{"(KEPT ? KEPT :", "(1 ? 1 :"}, {NULL, NULL}};
    static const struct edit copied[] = {
        {"        device->errand.is_first = 0;",
         "        CUDA_CHECK(cudaMemcpy(orbits->out, flight.stars, flight.n * sizeof "
         "*flight.stars, "
         "cudaMemcpyDeviceToHost));\n        device->errand.is_first = 0;"},
        {NULL, NULL}};
    char message[512];

    if (!follows(as_it_is, message))
        fail_msg("%s", message);
    assert_false(follows(together, message));
    assert_non_null(strstr(message, "does a body walk only when its own step ends"));
    assert_false(follows(anew, message));
    assert_non_null(strstr(message, "is a tree kept over many block steps"));
    assert_false(follows(copied, message));
    assert_non_null(strstr(message, "bytes per body are copied"));
}

GROUP(read_catalogue_without_nvcc, NULL)
