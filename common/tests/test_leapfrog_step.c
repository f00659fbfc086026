/* Programs of the step that moves stars: wrong ones, each told by its own cause, and right ones
 * that are unusual. */
#include "testing.h"
#include "edited.h"
#include "leapfrog_inputs.h"
#include "referee/play/player_process.h"

static const char step_name[] = "30_leapfrog", solution[] = "solutions/30_leapfrog/leapfrog.c";

/* Its lines, as they stand in the solution. */
#define STEP                                                                                       \
    "kick(integration, dt / 2);\n        drift(integration, dt);\n        "                        \
    "accelerate(integration);\n        kick(integration, dt / 2);"
#define PULL "distance_squared > 0 ? mass[j] / (r2 * sqrt(r2)) : 0"
#define RUN                                                                                        \
    "accelerate(integration);\n    for (int step = 0; step < steps; step++)\n        "             \
    "advance(integration);"
#define KICK(by)  "kick(integration, " by ");"
#define DRIFT(by) "drift(integration, " by ");"
#define FORCES    "accelerate(integration);"

/* What the judge says of the file's program, on so many bodies after so many steps. */
static struct judgement played(const char *file, const char *distribution, int n, int steps) {
    static struct programs programs;
    const struct options options = {.file = file};
    const struct integration_parameters parameters = leapfrog_parameters(distribution, n);
    struct star *in = stars_of(distribution, n, 1), *out = stars_of(distribution, n, 2);
    struct player_options of_player = {.name = step_name,
                                       .problem = &leapfrog_problem,
                                       .input_bytes = (size_t)n * sizeof *in,
                                       .output_bytes = (size_t)n * sizeof *out,
                                       .threads = 2};
    struct judgement judgement;
    struct player *player;
    char message[512] = "";
    double seconds;

    assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, step_name), &options, 0),
                     0);
    assert_int_equal(programs_build(&programs, "plain", "leapfrog"), 0);
    of_player.path = programs_find(&programs, "leapfrog", "plain")->path;
    player = player_start(&of_player, message);
    if (!player ||
        player_create(player, &parameters, sizeof parameters, of_player.input_bytes,
                      of_player.output_bytes) ||
        player_run(player, in, out, steps, 10, &seconds))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    player_end(player);
    judgement = judged_stars(&parameters, in, out, distribution, steps);
    free(in);
    free(out);
    return judgement;
}

static const struct program_of_step {
    const char *from, *to, *distribution;
    int n, steps;
    enum outcome outcome;
    const char *phrase;
} programs_of_step[] = {
    {STEP, STEP, "masses", 40, 3, OUTCOME_ACCEPTED, ""},
    /* Right: the closing half kick of a step and the opening one of the next are one. */
    {RUN,
     "double dt = integration->parameters.dt;" FORCES KICK(
         "dt / 2") "(void)advance;"
                   "for (int step = 0; step < steps; step++) {" DRIFT("dt") FORCES
     "kick(integration, step + 1 < steps ? dt : dt / 2); }",
     "masses", 40, 3, OUTCOME_ACCEPTED, ""},
    /* Right: sums from the last body to the first, and a power in the place of the root. */
    {PULL, "distance_squared > 0 ? mass[j] * pow(r2, -1.5) : 0", "plummer", 300, 2,
     OUTCOME_ACCEPTED, ""},
    {"int j = 0; j < n; j++", "int j = n - 1; j >= 0; j--", "plummer", 300, 2, OUTCOME_ACCEPTED,
     ""},
    /* Other integrators. */
    {STEP, KICK("dt") DRIFT("dt") FORCES, "masses", 40, 3, OUTCOME_WRONG,
     "semi-implicit Euler, a whole kick and then a drift"},
    {STEP, DRIFT("dt") FORCES KICK("dt"), "masses", 40, 3, OUTCOME_WRONG,
     "semi-implicit Euler, a drift and then a whole kick"},
    {STEP, DRIFT("dt") KICK("dt") FORCES, "masses", 40, 3, OUTCOME_WRONG, "this is explicit Euler"},
    {STEP, DRIFT("dt / 2") FORCES KICK("dt") DRIFT("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "the leapfrog as drift, kick, drift"},
    /* Half kicks. */
    {RUN, RUN KICK("-integration->parameters.dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "the closing half kick of the last step is missing"},
    {STEP, KICK("dt / 2") DRIFT("dt") FORCES, "masses", 40, 3, OUTCOME_WRONG,
     "the half kick after the drift is missing"},
    {STEP, DRIFT("dt") FORCES KICK("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "the half kick before the drift is missing"},
    {STEP, KICK("dt / 2") DRIFT("dt") KICK("dt / 2") FORCES, "masses", 40, 3, OUTCOME_WRONG,
     "with the accelerations of before it"},
    {STEP, KICK("dt / 2") DRIFT("dt") KICK("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "all kicks are made with the accelerations of the start"},
    {STEP, KICK("dt") DRIFT("dt") FORCES KICK("dt"), "masses", 40, 3, OUTCOME_WRONG,
     "both kicks are by dt"},
    {STEP, KICK("dt / 2") DRIFT("dt / 2") FORCES KICK("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "the drift is by dt / 2"},
    {STEP, KICK("1") DRIFT("dt") FORCES KICK("1"), "masses", 40, 3, OUTCOME_WRONG,
     "velocities change by a, not"},
    {STEP, KICK("dt / 2") DRIFT("1") FORCES KICK("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "positions change by v, not"},
    {STEP, KICK("dt / 2") DRIFT("-dt") FORCES KICK("dt / 2"), "masses", 40, 3, OUTCOME_WRONG,
     "positions move against the velocities"},
    /* Forces. */
    {"x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i]",
     "x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j]", "masses", 40, 3, OUTCOME_WRONG,
     "bodies repel each other"},
    {"+ softening * softening", "+ softening", "masses", 40, 3, OUTCOME_WRONG,
     "it is a length, and its square is to be added"},
    {"+ softening * softening", "+ 0 * softening", "masses", 40, 3, OUTCOME_WRONG,
     "the softening is left out"},
    {"mass[j] / (r2", "1 / (r2", "masses", 40, 3, OUTCOME_WRONG, "is m_j left out of the pull?"},
    {"mass[j] / (r2", "mass[i] / (r2", "masses", 40, 3, OUTCOME_WRONG,
     "its own mass m_i as a factor"},
    {"j < n; j++", "j < n - 1; j++", "masses", 40, 3, OUTCOME_WRONG,
     "the last body attracts nobody"},
    {PULL, "mass[j] / (r2 * sqrt(r2))", "plummer", 40, 1, OUTCOME_NOT_FINITE,
     "without softening a body's own pull is 0/0"},
    {"define POSITION double", "define POSITION float", "masses", 40, 3, OUTCOME_WRONG,
     "positions are kept in float"},
    /* A fault that changes nothing here, as the softening's without one, explains none of it. */
    {"v[i] += dt * a[i];", "v[i] += (float)(dt * a[i]);", "plummer", 40, 3, OUTCOME_WRONG,
     "so small an error is that of a float"},
    {"double ax = 0, ay = 0", "float ax = 0, ay = 0", "masses", 40, 3, OUTCOME_WRONG,
     "so small an error is that of a float"},
    /* Runs. */
    {"step < steps;", "step < steps - 1;", "masses", 40, 1, OUTCOME_WRONG,
     "the bodies hold their input"},
    {"step < steps;", "step < steps - 1;", "masses", 40, 3, OUTCOME_WRONG,
     "this is the state after 2 steps, and 3 were asked for"},
    {"step < steps;", "step <= steps;", "masses", 40, 3, OUTCOME_WRONG,
     "this is the state after 4 steps, and 3 were asked for"},
    {"integration->out[i].mass = integration->mass[i];", "", "masses", 40, 1, OUTCOME_UNWRITTEN,
     "40 of 40 bodies were never written, or not wholly"},
    {"out[i].mass = integration->mass[i];", "out[i].mass = 1;", "masses", 40, 1, OUTCOME_WRONG,
     "masses do not change"},
    {STEP, KICK("dt") DRIFT("dt") FORCES, "reversed", 40, 2, OUTCOME_WRONG,
     "so the bodies should return to where they came from; this is semi-implicit Euler"},
    {STEP, KICK("dt") DRIFT("dt") FORCES, "kepler09", 2, 3, OUTCOME_WRONG, "semi-implicit Euler"},
};

TEST(programs_are_told_by_their_cause) {
    for (size_t p = 0; p < sizeof programs_of_step / sizeof *programs_of_step; p++) {
        const struct program_of_step *program = &programs_of_step[p];
        const char *file =
            edited(solution, (const struct edit[]){{program->from, program->to}, {NULL}});
        struct judgement judgement =
            played(file, program->distribution, program->n, program->steps);

        if (judgement.outcome != program->outcome || !strstr(judgement.message, program->phrase))
            fail_msg("program %zu: outcome %d, \"%s\"", p, judgement.outcome, judgement.message);
    }
}

/* What is right but not shared out is seen at the largest size; a constant in the place of a
 * parameter, and what an object keeps from one run to the next, at small ones. */
TEST(a_check_sees_more_than_one_run) {
    static const struct mutant mutants[] = {
        {"#pragma omp parallel for schedule(static)\n", "", 0, OUTCOME_IDEA,
         "the loop over bodies is not shared out"},
        {"dt = integration->parameters.dt;", "dt = 1.0 / 256;", 0, OUTCOME_WRONG,
         "right with dt 0.00391, wrong with"},
        {"    accelerate(integration);\n    for (int step",
         "    static int runs;\n    if (!runs++) accelerate(integration);\n    for (int step", 0,
         OUTCOME_WRONG, "right as the only object of its process"},
    };

    assert_rejected(step_name, solution, (struct edit){NULL}, mutants,
                    sizeof mutants / sizeof *mutants);
}

GROUP(read_catalogue, NULL)
