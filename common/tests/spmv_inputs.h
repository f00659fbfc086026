/* Inputs of the problem `spmv`, and players of its step. For tests. */
#ifndef SPMV_INPUTS_H
#define SPMV_INPUTS_H

#include "testing.h"
#include "referee/judge/check.h"
#include "referee/play/player_process.h"
#include "problems/spmv/spmv_problem.h"

/* A matrix with x behind it, in one piece of memory. */
struct spmv_input {
    struct spmv_parameters parameters;
    struct csr_matrix matrix;
    const float *x;
    void *memory; /* to be freed */
};

static inline struct spmv_input spmv_input(const char *distribution, int n, uint64_t seed) {
    struct spmv_input input = {.memory = malloc(spmv_problem.input_bytes(distribution, n))};

    assert_non_null(input.memory);
    spmv_problem.set_parameters(&input.parameters, distribution, n, 2);
    spmv_problem.generate(input.memory, distribution, n, seed);
    input.matrix = spmv_matrix(&input.parameters, input.memory);
    input.x = spmv_vector(&input.matrix);
    return input;
}

/* A player of the step's variant that is ready to multiply; of the solution if `file` is NULL. */
static inline struct player *spmv_player(const struct step *step, const char *file,
                                         const char *variant, const struct spmv_input *input,
                                         uint64_t seed) {
    static struct programs programs;
    const struct options options = {.of = file ? NULL : "solutions", .file = file};
    const size_t in = spmv_input_bytes(input->matrix.rows, input->matrix.nonzeros),
                 out = (size_t)input->matrix.rows * sizeof(float);
    struct player_options of_player = {
        .name = variant, .input_bytes = in, .output_bytes = out, .threads = 1, .workers = 1};
    const struct program *program;
    struct player *player;
    char message[512] = "";

    assert_int_equal(programs_choose(&programs, step, &options, !file), 0);
    assert_int_equal(programs_build(&programs, "plain", variant), 0);
    if (!(program = programs_find(&programs, variant, "plain")))
        skip();
    of_player.path = program->path;
    of_player.seed = seed;
    player = player_start(&of_player, message);
    if (!player || player_create(player, &input->parameters, sizeof input->parameters, in, out))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    return player;
}

/* y after so many passes. */
static inline void spmv_run(struct player *player, const struct spmv_input *input, int passes,
                            float *y) {
    double seconds;

    if (player_run(player, input->memory, y, passes, 60, &seconds))
        fail_msg("%s", player_message(player));
}

#endif
