#include "trusted_player.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "referee/judge/check.h"
#include "referee/machine/gpu.h"

/* Large enough for several tiles of every block, small enough for fp64 on a few cores. */
enum { CHECKED = 16384 };

/* The steps' own tolerance: the L2 error of an honest float32 program is its closest pair's. */
static const char tolerance[] = "2e-3";

/* The same check as a step's. */
static enum outcome check(const struct problem *problem, const char *path, uint64_t seed) {
    static struct step step;
    static struct programs programs;
    static struct program program;
    struct verdict verdict;
    enum outcome outcome;

    snprintf(step.name, sizeof step.name, "trusted_%s", problem->name);
    snprintf(step.problem, sizeof step.problem, "%s", problem->name);
    snprintf(step.tolerance, sizeof step.tolerance, "%s", tolerance);
    snprintf(program.path, sizeof program.path, "%s", path);
    program.trusted = 1;
    programs.step = &step;
    outcome =
        check_accuracy(&programs, &program, CHECKED, problem->distributions[0], 0, seed, &verdict);
    if (!outcome && verdict.outcome)
        outcome = complain(OUTCOME_INTERNAL,
                           "the referee's own program for the GPU, %s, is not right, so nothing "
                           "can be timed: %s",
                           path, verdict.message);
    return outcome;
}

static struct trusted_program *find(struct trusted *trusted, const struct problem *problem) {
    int i;

    for (i = 0; i < trusted->count; i++)
        if (trusted->programs[i].problem == problem)
            return &trusted->programs[i];
    return NULL;
}

enum outcome trusted_open(struct trusted *trusted, const struct problem *problem, int most,
                          uint64_t seed) {
    struct player_options options = {.name = "the trusted program", .trusted = 1, .threads = 1};
    struct trusted_program *program = &trusted->programs[trusted->count];
    char path[64], message[512];
    enum outcome outcome;
    int i;

    for (i = 0; problem->distributions[i]; i++)
        problem_fit(problem, problem->distributions[i], most, &options.input_bytes,
                    &options.output_bytes);
    snprintf(path, sizeof path, "build/trusted_%s", problem->name);
    if (find(trusted, problem) || gpu_of_programs() < 0 || access(path, X_OK))
        return OUTCOME_ACCEPTED;
    if (trusted->count == MOST_TRUSTED)
        return complain(OUTCOME_INTERNAL, "more than %d problems to time; name a STEP",
                        MOST_TRUSTED);
    if ((outcome = check(problem, path, seed)))
        return outcome;
    options.path = path;
    if (!(program->player = player_start(&options, message)))
        return complain(OUTCOME_INTERNAL, "%s", message);
    program->problem = problem;
    trusted->count++;
    return OUTCOME_ACCEPTED;
}

void trusted_close(struct trusted *trusted) {
    while (trusted->count > 0)
        player_end(trusted->programs[--trusted->count].player);
}

int trusted_pids(const struct trusted *trusted, pid_t *pids) {
    int i;

    for (i = 0; i < trusted->count; i++)
        pids[i] = player_pid(trusted->programs[i].player);
    return trusted->count;
}

/* Has the player a simulation of these parameters? Else it gets one. */
static enum outcome create(struct trusted_program *trusted, const void *parameters,
                           const char *distribution, int n) {
    const struct problem *problem = trusted->problem;
    enum outcome outcome;

    if (trusted->n == n && !memcmp(trusted->parameters, parameters, problem->parameters_bytes))
        return OUTCOME_ACCEPTED;
    if (trusted->n && (outcome = player_destroy(trusted->player)))
        return outcome;
    trusted->n = n;
    memcpy(trusted->parameters, parameters, problem->parameters_bytes);
    return player_create(trusted->player, parameters, problem->parameters_bytes,
                         problem->input_bytes(distribution, n),
                         problem->output_bytes(distribution, n));
}

enum outcome trusted_run(struct trusted *trusted, const struct problem *problem,
                         const void *parameters, const char *distribution, int n, const void *input,
                         void *output, int iterations, char *message) {
    struct trusted_program *program = trusted ? find(trusted, problem) : NULL;
    enum outcome outcome;
    double seconds;

    if (!program) {
        if (!problem->trusted(parameters, input, output, iterations))
            return OUTCOME_ACCEPTED;
        snprintf(message, 512, "no memory for the trusted program");
        return OUTCOME_INTERNAL;
    }
    outcome = create(program, parameters, distribution, n);
    if (!outcome)
        outcome = player_run(program->player, input, output, iterations,
                             problem->work(distribution, n) * iterations / problem->slowest_rate,
                             &seconds);
    if (!outcome)
        return OUTCOME_ACCEPTED;
    snprintf(message, 512, "%s", player_message(program->player));
    return OUTCOME_INTERNAL;
}
