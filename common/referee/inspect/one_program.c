#include "one_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "problems/problem.h"
#include "referee/base/json.h"
#include "referee/timing/timing.h"

const char *one_variant(const struct step *step, const char *asked) {
    static char name[64];
    char variants[MOST_VALUE];
    const char *at = variants;

    manifest_value(step->manifest, "variants", variants);
    return !asked && next_word(&at, name) ? name : asked;
}

enum outcome one_program(struct programs *programs, const char *build, const char *variant,
                         const struct program **program) {
    enum outcome outcome;
    int i;

    programs->variant = variant;
    outcome = programs_build(programs, build, NULL);
    *program = NULL;
    for (i = 0; i < programs->count && !outcome && !*program; i++)
        if (!strcmp(programs->list[i].build, build))
            *program = &programs->list[i];
    if (outcome || !*program || !variant)
        return outcome;
    *program = programs_find(programs, variant, build);
    return *program ? OUTCOME_ACCEPTED : programs_no_variant(programs, variant);
}

/* Turns of a player that is ready. */
static enum outcome take_turns(struct player *player, const struct program *program,
                               const struct problem *problem, int n, int iterations, uint64_t seed,
                               void *input, void *output, struct counters *counters) {
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    int cuda = !strcmp(program->backend, "cuda"), run;
    /* As in a check: a program that is traced is up to a hundred times slower than others. */
    const char *distribution = problem->distributions[0];
    double allowed = (cuda ? 1 : 100) * problem->work(distribution, n) * iterations /
                     problem->slowest_rate,
           seconds;
    enum outcome outcome;

    problem_timed_parameters(problem, parameters, distribution, n, iterations);
    problem_timed_input(problem, input, distribution, n, seed);
    outcome = player_create(player, parameters, problem->parameters_bytes,
                            problem->input_bytes(distribution, n),
                            problem->output_bytes(distribution, n));
    for (run = 0; run < 1 + cuda && !outcome; run++)
        outcome = player_run(player, input, output, iterations, allowed, &seconds);
    *counters = player_counters(player);
    return outcome ? outcome : player_destroy(player);
}

enum outcome count_run(const struct programs *programs, const struct program *program, int n,
                       int iterations, uint64_t seed, struct counters *counters) {
    const struct problem *problem = problem_find(programs->step->problem);
    const char *distribution = problem->distributions[0];
    struct player_options options = {.path = program->path,
                                     .name = programs->step->name,
                                     .problem = problem,
                                     .input_bytes = problem->input_bytes(distribution, n),
                                     .output_bytes = problem->output_bytes(distribution, n),
                                     .threads = 1,
                                     .passive = 1};
    void *input = malloc(options.input_bytes), *output = malloc(options.output_bytes);
    struct player *player = NULL;
    enum outcome outcome = OUTCOME_INTERNAL;
    char message[512] = "no memory for its input and output";

    if (!strcmp(program->backend, "cpucuda")) {
        options.workers = usable_cpus();
        options.seed = seed & INT64_MAX;
    }
    if (input && output)
        player = player_start(&options, message);
    if (player) {
        outcome =
            take_turns(player, program, problem, n, iterations, seed, input, output, counters);
        snprintf(message, sizeof message, "%s", player_message(player));
    }
    player_end(player);
    free(input);
    free(output);
    return outcome ? complain(outcome, "%s, variant %s, n = %d: %s", programs->step->name,
                              program->variant, n, message)
                   : OUTCOME_ACCEPTED;
}

void print_run(const struct programs *programs, const struct program *program, int n,
               int iterations, int json) {
    if (!json) {
        printf("%s: %s%s, variant %s, backend %s: n = %d, %d iteration%s\n", programs->step->name,
               programs_source(programs, program), programs_why(programs, program),
               program->variant, program->backend, n, iterations, iterations > 1 ? "s" : "");
        return;
    }
    print_json("{ step=%s source=%s variant=%s backend=%s n=%d iterations=%d", programs->step->name,
               programs_source(programs, program), program->variant, program->backend, n,
               iterations);
}
