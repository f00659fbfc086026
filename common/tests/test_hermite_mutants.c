/* Mutants of step 32's program on an orbit of two stars, each rejected for its reason. They are one
 * program; which of them it is, the softening says, in units too small to matter. */
#include "testing.h"
#include "edited.h"
#include "problems/cluster/cluster_problem.h"
#include "problems/technique.h"
#include "referee/play/player_process.h"

#define UNIT 1e-9

static const struct edit edits[] = {
    {"#include \"pulls.h\"\n", "#include \"pulls.h\"\nstatic int mutant;\n"},
    {"evolution->in = in;", "evolution->in = in;\n"
                            "mutant = (int)(parameters->softening * 1e9 + 0.5);"},
    {"dt * (star->v[c] + dt / 2 * (a + dt / 3 * j))",
     "dt * star->v[c] + dt * dt * a * (mutant == 1 ? 1 : mutant == 2 ? 0 : mutant == 25 ? 1.5 : "
     "0.5) + "
     "dt * dt * dt * j * (mutant == 3 ? 0.5 : mutant == 4 ? 1.0 / 3 : mutant == 25 ? 2.0 / 3 : "
     "mutant == 5 ? 0 : "
     "mutant == 6 ? -1.0 / 6 : 1.0 / 6)"},
    {"(a + dt / 2 * j)", "(a + dt / 2 * j * (mutant == 6 ? -1 : 1))"},
    {"j1 = felt_next->jerk[c];",
     "j1 = felt_next->jerk[c], speed = next->v[c], place = next->x[c];"},
    {"next->v[c] = star->v[c] +", "next->v[c] = (mutant == 16 ? speed : star->v[c]) +"},
    {"dt * dt / 12 * (j0 - j1)",
     "dt * dt / 12 * (j0 - j1) * (mutant == 7 ? -1 : mutant == 8 ? 0 : mutant == 9 ? 2 : 1)"},
    {"next->x[c] = star->x[c] +", "next->x[c] = (mutant == 16 ? place : star->x[c]) +"},
    {"(star->v[c] + next->v[c])", "((mutant == 16 ? speed : star->v[c]) + (mutant == 13 ? speed : "
                                  "next->v[c]))"},
    {"dt * dt / 12 * (a0 - a1);",
     "dt * dt / 12 * (a0 - a1) * (mutant == 10 ? -1 : mutant == 11 ? 0 : mutant == 12 ? 2 : 1);\n"
     "if (mutant == 14 || mutant == 15) next->x[c] = place;\n"
     "if (mutant == 14 || mutant == 17) next->v[c] = speed;"},
    {"c = fmax(0, length_of(crackle)", "c = mutant == 26 ? 0 : fmax(0, length_of(crackle)"},
    {"step = first_step(evolution);", "step = mutant == 19 ? 1e9 : first_step(evolution);"},
    {"double dt = left;", "double dt = mutant == 20 ? step : left;"},
    {"dt = left / ceil(left / step);", "dt = mutant == 20 ? step : left / ceil(left / step);"},
    {"return fmin(sqrt(least), 2 * dt);",
     "return mutant == 24 ? dt / 16 : fmin(sqrt(least), 2 * dt);"},
    {"    evolution->stars = next;",
     "if (mutant == 21) pulls_compute(&evolution->pulls, next, felt_next);\n"
     "    evolution->stars = next;"},
    {"largest = 0, least = INFINITY, eta = evolution->parameters.accuracy;",
     "largest = 0, least = INFINITY, eta = evolution->parameters.accuracy / (mutant == 22 ? 4 : "
     "1);"},
    {"    memcpy(evolution->out, evolution->stars, bytes);",
     "    memcpy(evolution->out, evolution->stars, bytes);\n"
     "if (mutant == 23)\n"
     "    pulls_compute(&evolution->pulls, evolution->in, evolution->felt);\n"
     "for (int i = 0; mutant == 23 && i < evolution->parameters.n; i++) {\n"
     "    struct source source;\n"
     "    CUDA_CHECK(cudaMemcpy(&source, evolution->pulls.sources + i, sizeof source, "
     "cudaMemcpyDeviceToHost));\n"
     "    evolution->out[i].x[0] = source.low.x;\n"
     "    evolution->out[i].x[1] = source.low.y;\n"
     "    evolution->out[i].x[2] = source.low.z;\n"
     "}"},
    {NULL}};

static struct player *start(int mutant, const char *distribution, int n,
                            struct cluster_parameters *parameters, struct star *in) {
    static struct programs programs;
    static const char *file;
    const struct options options = {
        .file = file ? file : (file = edited("solutions/32_hermite/cluster.cu", edits))};
    const struct program *program;
    size_t bytes = cluster_problem.input_bytes(distribution, n);
    char message[512] = "";
    struct player_options of_player = {.name = "mutant",
                                       .input_bytes = bytes,
                                       .output_bytes = bytes,
                                       .threads = 1,
                                       .workers = 1,
                                       .seed = 1};
    struct player *player;

    assert_int_equal(
        programs_choose(&programs, catalogue_find(&catalogue, "32_hermite"), &options, 0), 0);
    assert_int_equal(programs_build(&programs, "plain", "two_floats"), 0);
    if (!(program = programs_find(&programs, "two_floats", "plain")))
        skip();
    of_player.path = program->path;
    cluster_problem.set_parameters(parameters, distribution, n, 2);
    cluster_problem.generate(in, distribution, n, 1);
    parameters->softening = mutant * UNIT;
    player = player_start(&of_player, message);
    if (!player || player_create(player, parameters, sizeof *parameters, bytes, bytes))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    return player;
}

TEST(wrong_results_have_a_cause) {
    static const struct {
        int mutant;
        const char *phrase;
    } mutants[] = {
        {0, ""},
        {1, "a dt^2; it is a dt^2 / 2"},
        {2, "positions lack a dt^2 / 2"},
        {3, "j dt^3 / 2; it is j dt^3 / 6"},
        {4, "j dt^3 / 3; it is j dt^3 / 6"},
        {5, "positions lack j dt^3 / 6"},
        {6, "the predictor has jerks with the wrong sign"},
        {7, "it is j - j', old less new"},
        {8, "velocity lacks (j - j') dt^2 / 12"},
        {9, "velocity has (j - j') dt^2 / 6"},
        {10, "it is a - a', old less new"},
        {11, "position lacks (a - a') dt^2 / 12"},
        {12, "position has (a - a') dt^2 / 6"},
        {13, "correct the velocity first"},
        {14, "without the corrector"},
        {15, "velocities are corrected and positions are not"},
        {16, "it starts from those before the step"},
        {17, "positions are corrected and velocities are not"},
        {25, "predict the position first"},
        {19, "the first step is the whole interval"},
        {20, "is the last step of an interval cut so that it ends there?"},
    };

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        struct cluster_parameters parameters;
        struct star in[2], out[2];
        struct player *player = start(mutants[m].mutant, "kepler05", 2, &parameters, in);
        struct flow *right = flow_reference(&parameters, in, 2);
        struct judgement judgement;
        double seconds;

        if (player_run(player, in, out, 2, 60, &seconds))
            fail_msg("mutant %d: %s", mutants[m].mutant, player_message(player));
        player_end(player);
        cluster_problem.judge(&parameters, in, right, out, "kepler05", 2, 1e-5, &judgement);
        free(right);
        if (judgement.outcome != (m ? OUTCOME_WRONG : OUTCOME_ACCEPTED) ||
            !strstr(judgement.message, mutants[m].phrase))
            fail_msg("mutant %d: outcome %d, \"%s\"", mutants[m].mutant, judgement.outcome,
                     judgement.message);
    }
}

/* An error within the limit, but that of a fault, on an orbit and in spheres; a right program has
 * none, with forces in float. */
TEST(subtle_faults_are_told_whatever_the_input) {
    static const struct {
        const char *distribution;
        int n;
    } inputs[] = {{"kepler05", 2}, {"kepler09", 2}, {"bare", 63}, {"merger", 128}};
    static const int mutants[] = {0, 4, 15};

    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        for (int m = 0; m < 3; m++) {
            const char *distribution = inputs[k].distribution;
            struct cluster_parameters parameters;
            static struct star in[128], out[128];
            struct player *player = start(mutants[m], distribution, inputs[k].n, &parameters, in);
            struct flow *right = flow_reference(&parameters, in, 2);
            struct judgement judgement;
            double seconds;

            if (player_run(player, in, out, 2, 60, &seconds))
                fail_msg("mutant %d: %s", mutants[m], player_message(player));
            player_end(player);
            cluster_problem.judge(&parameters, in, right, out, distribution, 2, 1e-5, &judgement);
            free(right);
            if (judgement.outcome != (m ? OUTCOME_WRONG : OUTCOME_ACCEPTED) ||
                (m && !strstr(judgement.message,
                              mutants[m] == 4 ? "j dt^3 / 3; it is" : "positions are not")))
                fail_msg("%s, mutant %d: outcome %d, \"%s\"", distribution, mutants[m],
                         judgement.outcome, judgement.message);
        }
}

/* One evaluation per step, and steps as long as they may be, and no longer. */
TEST(more_or_fewer_evaluations_than_steps_are_another_scheme) {
    enum { STARS = 512 };
    static const struct {
        int mutant;
        const char *phrase;
    } mutants[] = {{0, ""},
                   {21, "at most 1.5 are wanted"},
                   {22, "at most 1.5 are wanted"},
                   {26, "at least 0.9 are wanted"}};
    static struct star in[STARS], out[STARS];

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        struct cluster_parameters parameters;
        struct player *player = start(mutants[m].mutant, "binaries", STARS, &parameters, in);
        struct observed observed = {.n = STARS, .iterations = 2};
        char message[512] = "", technique[MOST_VALUE];
        double seconds;
        int follows;

        if (player_run(player, in, out, 2, 60, &seconds))
            fail_msg("mutant %d: %s", mutants[m].mutant, player_message(player));
        observed.counters = player_counters(player);
        player_end(player);
        manifest_value(catalogue_find(&catalogue, "32_hermite")->manifest, "technique", technique);
        follows = technique_check(&cluster_problem, technique, &observed, message);
        if (follows != (m == 0) || !strstr(message, mutants[m].phrase))
            fail_msg("mutant %d: %d, %s", mutants[m].mutant, follows, message);
    }
}

/* Steps that become ever shorter end in a line, not in the referee's time limit. */
TEST(a_run_without_progress_says_so) {
    struct cluster_parameters parameters;
    struct star in[2], out[2];
    struct player *player = start(24, "kepler05", 2, &parameters, in);
    double seconds;

    assert_int_equal(player_run(player, in, out, 1, 60, &seconds), OUTCOME_OWN_ERROR);
    if (!strstr(player_message(player), "the time step fell to"))
        fail_msg("%s", player_message(player));
    player_end(player);
}

/* What a position's float lacks of the double reaches the GPU, for all three coordinates. */
TEST(the_low_part_of_a_position_is_not_lost) {
    enum { STARS = 64 };
    static struct star in[STARS], out[STARS];
    struct cluster_parameters parameters;
    struct player *player = start(23, "plummer", STARS, &parameters, in);
    double seconds;

    if (player_run(player, in, out, 1, 60, &seconds))
        fail_msg("%s", player_message(player));
    player_end(player);
    for (int i = 0; i < STARS; i++)
        for (int c = 0; c < 3; c++) {
            volatile float high = (float)in[i].x[c];

            if (out[i].x[c] != (float)(in[i].x[c] - high))
                fail_msg("coordinate %d of star %d: %g is %g beside its float, not %g", c, i,
                         in[i].x[c], in[i].x[c] - high, out[i].x[c]);
        }
}

GROUP(read_catalogue_without_nvcc, NULL)
