/* How a test plays against one of tests/players. Each test includes this once. */
#ifndef PLAY_H
#define PLAY_H

#include "testing.h"
#include "referee/play/player_process.h"
#include "problems/problem.h"

enum { PLAY_BODIES = 600, PLAY_ITERATIONS = 2 };

static const char uniform[] = "uniform";

/* Starts tests/players/`name` for PLAY_BODIES bodies; fails the test if the system refuses. A
 * sanitized one has no filter of system calls. */
static struct player *play_open(const char *name, double grace, int sanitized) {
    const struct problem *nbody = problem_find("nbody");
    char here[256], path[512], message[512] = "";
    struct player_options options = {.path = path,
                                     .name = name,
                                     .input_bytes = nbody->input_bytes(uniform, PLAY_BODIES),
                                     .output_bytes = nbody->output_bytes(uniform, PLAY_BODIES),
                                     .threads = 1,
                                     .sanitized = sanitized,
                                     .grace = grace};
    struct player *player;

    snprintf(path, sizeof path, "%s/build/tests/players/%s", getcwd(here, sizeof here), name);
    if (!(player = player_start(&options, message)))
        fail_msg("%s", message);
    return player;
}

static struct player *play_start(const char *name, double grace) {
    return play_open(name, grace, 0);
}

static enum outcome play_create(struct player *player) {
    const struct problem *nbody = problem_find("nbody");
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];

    nbody->set_parameters(parameters, uniform, PLAY_BODIES, PLAY_ITERATIONS);
    return player_create(player, parameters, nbody->parameters_bytes,
                         nbody->input_bytes(uniform, PLAY_BODIES),
                         nbody->output_bytes(uniform, PLAY_BODIES));
}

/* One run on the bodies of `seed`, judged against fp64 if `judgement` is not NULL. */
static enum outcome play_run(struct player *player, uint64_t seed, double *seconds,
                             struct judgement *judgement) {
    const struct problem *nbody = problem_find("nbody");
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    void *input = malloc(nbody->input_bytes(uniform, PLAY_BODIES));
    void *output = malloc(nbody->output_bytes(uniform, PLAY_BODIES));
    enum outcome outcome;
    void *answer;

    nbody->set_parameters(parameters, uniform, PLAY_BODIES, PLAY_ITERATIONS);
    nbody->generate(input, uniform, PLAY_BODIES, seed);
    outcome = player_run(player, input, output, PLAY_ITERATIONS, 0, seconds);
    if (outcome == OUTCOME_ACCEPTED && judgement) {
        answer = nbody->answer(parameters, input, uniform, PLAY_ITERATIONS);
        nbody->judge(parameters, input, answer, output, uniform, PLAY_ITERATIONS, 1e-4, judgement);
        free(answer);
    }
    free(input);
    free(output);
    return outcome;
}

#endif
