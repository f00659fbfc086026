/* Inputs of the problem `jerk`, and players of its step. For tests. */
#ifndef JERK_INPUTS_H
#define JERK_INPUTS_H

#include "testing.h"
#include "referee/judge/check.h"
#include "referee/play/player_process.h"
#include "problems/jerk/jerk_problem.h"

struct jerk_input {
    struct jerk_parameters parameters;
    struct particle *sources, *targets; /* in one piece of memory */
};

static inline struct jerk_input jerk_input(const char *distribution, int n, uint64_t seed) {
    struct jerk_input input = {.sources = malloc(jerk_problem.input_bytes(distribution, n))};

    assert_non_null(input.sources);
    jerk_problem.set_parameters(&input.parameters, distribution, n, 1);
    jerk_problem.generate(input.sources, distribution, n, seed);
    input.targets = input.sources + n;
    return input;
}

/* What the problem says of these forces. */
static inline struct judgement jerk_judged(const struct jerk_input *input, const char *distribution,
                                           const struct force *forces) {
    void *answer = jerk_problem.answer(&input->parameters, input->sources, distribution, 1);
    struct judgement judgement;

    assert_non_null(answer);
    jerk_problem.judge(&input->parameters, input->sources, answer, forces, distribution, 1, 1e-6,
                       &judgement);
    free(answer);
    return judgement;
}

/* The forces by a player of the step's variant; of the solution if `file` is NULL. */
static inline void jerk_play(const struct step *step, const char *file, const char *variant,
                             const struct jerk_input *input, uint64_t seed, struct force *forces) {
    static struct programs programs;
    const struct options options = {.of = file ? NULL : "solutions", .file = file};
    const struct jerk_parameters *parameters = &input->parameters;
    const size_t in = (size_t)(parameters->sources + parameters->targets) * sizeof(struct particle);
    const size_t out = (size_t)parameters->targets * sizeof *forces;
    struct player_options of_player = {
        .name = variant, .input_bytes = in, .output_bytes = out, .threads = 1, .workers = 1};
    const struct program *program;
    struct player *player;
    char message[512] = "";
    double seconds;

    assert_int_equal(programs_choose(&programs, step, &options, !file), 0);
    assert_int_equal(programs_build(&programs, "plain", variant), 0);
    if (!(program = programs_find(&programs, variant, "plain")))
        skip();
    of_player.path = program->path;
    of_player.seed = seed;
    player = player_start(&of_player, message);
    if (!player || player_create(player, parameters, sizeof *parameters, in, out))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    if (player_run(player, input->sources, forces, 1, 60, &seconds))
        fail_msg("%s", player_message(player));
    player_end(player);
}

#endif
