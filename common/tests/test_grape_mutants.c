/* Wrong versions of step 34's backend, each rejected for its reason. They are one program; which of
 * them it is, the time of the prediction says, in units too small to matter. */
#include "testing.h"
#include "edited.h"
#include "problems/grape/grape_problem.h"
#include "referee/play/player_process.h"

#define UNIT 1e-9
#define TIME 0.0625

static const struct edit edits[] = {
    {"#include \"lists.h\"\n", "static int mutant;\n#include \"lists.h\"\n"},
    SPLICED("lists.h"),
    {"    if (nj > 0)", "    mutant = (int)((ti - 0.0625) * 1e9 + 0.5);\n    if (nj > 0)"},
    {"double dt = ti - body->tj;",
     "double dt = mutant == 1 ? 0 : mutant == 2 ? body->tj - ti : ti - body->tj;"},
    {"a = body->aby2[c], j = body->a1by6[c], k = body->a2by18[c];",
     "a = body->aby2[c], j = body->a1by6[c], k = body->a2by18[c];\n"
     "if (mutant == 3) k = 0;\n"
     "if (mutant == 4) a /= 2, j /= 6, k /= 18;"},
    {"(j + dt * 0.75 * k)", "((mutant == 5 ? 0 : j) + dt * (mutant == 6 ? 1 : 0.75) * k)"},
    {"v[c] = v0 + dt * (2 * a + dt * (3 * j + dt * 3 * k));",
     "v[c] = v0 + dt * (2 * a + dt * (3 * j + dt * 3 * k));\n"
     "if (mutant == 7) v[c] = v0;\n"
     "if (mutant == 8) v[c] = v0 + dt * (2 * a + dt * dt * (3 * j + dt * 6 * k));"},
    {"force->jerk[c] += ", "force->jerk[c] = (mutant == 9 ? 0 : force->jerk[c]) + "},
    {"force->potential += ", "force->potential = (mutant == 10 ? 0 : force->potential) + "},
    {"if (*address != before)", "if (mutant != 12 && (mutant == 11 || *address != before))"},
    {"felt->slot * boards->count + b", "felt->slot * (mutant == 13 ? 1 : boards->count) + b"},
    {"double x = (double)high.x + low.x", "double x = (double)high.x + (mutant == 14 ? 0 : low.x)"},
    {"index_of(low) != body->index && ",
     "mutant != 15 && (mutant == 16 || index_of(low) != body->index) && "},
    {"x * x + y * y + z * z < body->h2", "x * x + y * y + z * z + (mutant == 17 ? body->eps2 : 0) "
                                         "< (mutant == 18 ? sqrt(body->h2) : body->h2)"},
    {"place += list[m] < list[k] ||",
     "place += (mutant == 19 ? list[m] > list[k] : list[m] < list[k]) ||"},
    {"= index_of(low);\n        kept", "= mutant == 20 ? slot : index_of(low);\n        kept"},
    {NULL}};

static struct judgement judged(int mutant, const char *distribution, int n) {
    static struct programs programs;
    static const char *file;
    const struct options options = {
        .file = file ? file : (file = edited("solutions/34_grape_library/grape_gpu.cu", edits))};
    const struct step *step = catalogue_find(&catalogue, "34_grape_library");
    const struct program *program;
    struct player_options of_player = {.name = "mutant",
                                       .input_bytes = grape_problem.input_bytes(distribution, n),
                                       .output_bytes = grape_problem.output_bytes(distribution, n),
                                       .threads = 1,
                                       .workers = 1,
                                       .seed = 1};
    void *in = calloc(1, of_player.input_bytes), *out = malloc(of_player.output_bytes), *answer;
    struct grape_parameters parameters;
    struct judgement judgement;
    char message[512] = "";
    struct player *player;
    double seconds;

    assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
    assert_int_equal(programs_build(&programs, "plain", "boards"), 0);
    if (!(program = programs_find(&programs, "boards", "plain")))
        skip();
    of_player.path = program->path;
    grape_problem.set_parameters(&parameters, distribution, n, 2);
    grape_problem.generate(in, distribution, n, 1);
    parameters.ti = TIME + mutant * UNIT;
    parameters.softening = strcmp(distribution, "sphere") ? 0 : 0.05;
    player = player_start(&of_player, message);
    if (!player || player_create(player, &parameters, sizeof parameters, of_player.input_bytes,
                                 of_player.output_bytes))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    if (player_run(player, in, out, 2, 60, &seconds))
        fail_msg("mutant %d: %s", mutant, player_message(player));
    player_end(player);
    assert_non_null(answer = grape_problem.answer(&parameters, in, distribution, 2));
    grape_problem.judge(&parameters, in, answer, out, distribution, 2, 1e-6, &judgement);
    free(in);
    free(out);
    free(answer);
    return judgement;
}

TEST(wrong_backends_are_told_apart) {
    static const struct {
        int mutant;
        const char *phrase;
    } mutants[] = {
        {0, ""},
        {1, "bodies are summed where they were at tj"},
        {2, "bodies are predicted backwards"},
        {3, "the term of a2by18 is left out"},
        {4, "have been divided by 2, 6 and 18 already"},
        {5, "in the position, the term of a1by6 is left out"},
        {6, "in the position, a2by18 has the factor 3/4 dt^4"},
        {7, "velocities are not predicted"},
        {8, "in the velocity, a1by6 has the factor 3 dt^2"},
        {9, "wrong jerk"},
        {10, "wrong potential"},
        {11, "wrong neighbour"},
        {12, "wrong neighbour"},
        {15, "it is empty"},
        {16, "the body itself is in its list"},
        {17, "r^2 is compared with h2 without softening"},
        {18, "h2 is the square of the radius"},
        {19, "it is not in ascending order"},
        {20, "indices"},
    };

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        struct judgement judgement = judged(mutants[m].mutant, "sphere", 257);

        if (judgement.outcome != (m ? OUTCOME_WRONG : OUTCOME_ACCEPTED) ||
            !strstr(judgement.message, mutants[m].phrase))
            fail_msg("mutant %d: outcome %d, \"%s\"", mutants[m].mutant, judgement.outcome,
                     judgement.message);
    }
}

/* Of bodies at one place on two boards, that at the lower address is the nearest. */
TEST(ties_between_boards) {
    assert_int_equal(judged(0, "coincident", 300).outcome, OUTCOME_ACCEPTED);
    assert_int_equal(judged(13, "coincident", 300).outcome, OUTCOME_WRONG);
}

/* Of two bodies at nearly the same distance, the high parts of places cannot tell which is inside.
 */
TEST(bodies_at_the_rim) {
    struct judgement judgement = judged(14, "coincident", 300);

    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(judgement.message, "neighbours of asking body"));
}

GROUP(read_catalogue_without_nvcc, NULL)
