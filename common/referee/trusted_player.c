#include "trusted_player.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gpu.h"
#include "timing.h"

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
    programs.step = &step;
    outcome = check_accuracy(&programs, &program, CHECKED, seed, &verdict);
    if (!outcome && verdict.outcome)
        outcome = complain(OUTCOME_INTERNAL,
                           "the referee's own program for the GPU, %s, is not right, so nothing "
                           "can be timed: %s",
                           path, verdict.message);
    return outcome;
}

enum outcome trusted_open(struct trusted *trusted, const struct problem *problem, int most,
                          uint64_t seed) {
    struct player_options options = {.name = "the trusted program",
                                     .trusted = 1,
                                     .input_bytes = (size_t)most * problem->input_bytes,
                                     .output_bytes = (size_t)most * problem->output_bytes,
                                     .threads = 1};
    char path[64], message[512];
    enum outcome outcome;

    memset(trusted, 0, sizeof *trusted);
    trusted->problem = problem;
    snprintf(path, sizeof path, "build/trusted_%s", problem->name);
    if (gpu_of_programs() < 0 || access(path, X_OK))
        return OUTCOME_ACCEPTED;
    if ((outcome = check(problem, path, seed)))
        return outcome;
    options.path = path;
    if (!(trusted->player = player_start(&options, message)))
        return complain(OUTCOME_INTERNAL, "%s", message);
    return OUTCOME_ACCEPTED;
}

void trusted_close(struct trusted *trusted) {
    player_end(trusted->player);
    trusted->player = NULL;
}

/* Has the player a simulation of these parameters? Else it gets one. */
static enum outcome create(struct trusted *trusted, const void *parameters, int n) {
    const struct problem *problem = trusted->problem;
    enum outcome outcome;

    if (trusted->n == n && !memcmp(trusted->parameters, parameters, problem->parameters_bytes))
        return OUTCOME_ACCEPTED;
    if (trusted->n && (outcome = player_destroy(trusted->player)))
        return outcome;
    trusted->n = n;
    memcpy(trusted->parameters, parameters, problem->parameters_bytes);
    return player_create(trusted->player, parameters, problem->parameters_bytes,
                         (size_t)n * problem->input_bytes, (size_t)n * problem->output_bytes);
}

enum outcome trusted_run(struct trusted *trusted, const struct problem *problem,
                         const void *parameters, int n, const void *input, void *output,
                         int iterations, char *message) {
    enum outcome outcome;
    double seconds;

    if (!trusted || !trusted->player || trusted->problem != problem) {
        if (!problem->trusted(parameters, input, output, iterations))
            return OUTCOME_ACCEPTED;
        snprintf(message, 512, "no memory for the trusted program");
        return OUTCOME_INTERNAL;
    }
    outcome = create(trusted, parameters, n);
    if (!outcome)
        outcome = player_run(trusted->player, input, output, iterations,
                             problem->work(n) * iterations / SLOWEST_RATE, &seconds);
    if (!outcome)
        return OUTCOME_ACCEPTED;
    snprintf(message, 512, "%s", player_message(trusted->player));
    return OUTCOME_INTERNAL;
}
