#include "survey.h"

#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"

/* One program under survey, and what was found. */
struct survey {
    const struct program *program; /* NULL: the trusted one, or none */
    const char *step, *variant;    /* of the facts */
    const struct problem *problem;
    const char *run;
    struct player *player;
    size_t input_bytes, output_bytes; /* that the player has room for */
    struct fact *facts;
    int count, failed;
};

/* A player with room for n elements; the one there is, or a new one. */
static struct player *player_for(struct survey *survey, int n) {
    size_t in = survey->input_bytes, out = survey->output_bytes;
    struct player_options options = {.path = survey->program->path,
                                     .name = survey->step,
                                     .problem = survey->problem,
                                     .threads = 1};
    char message[512];

    if (!strcmp(survey->program->backend, "cpucuda"))
        options.workers = usable_cpus();
    problem_fit(survey->problem, survey->problem->distributions[0], n, &in, &out);
    if (survey->player && in == survey->input_bytes && out == survey->output_bytes)
        return survey->player;
    player_end(survey->player);
    options.input_bytes = survey->input_bytes = in;
    options.output_bytes = survey->output_bytes = out;
    if (!(survey->player = player_start(&options, message)))
        complain(OUTCOME_INTERNAL, "%s", message);
    return survey->player;
}

static int run(void *referee, const void *parameters, int n, int iterations, const void *input,
               void *output) {
    struct survey *survey = referee;
    const struct problem *problem = survey->problem;
    const char *distribution = problem->distributions[0];
    struct player *player = NULL;
    double seconds, allowed = problem->work(distribution, n) * iterations / problem->slowest_rate;

    if (survey->program && !strcmp(survey->program->backend, "cpucuda"))
        allowed *= 100;
    if (!survey->program)
        return problem->trusted(parameters, input, output, iterations);
    if (!survey->failed)
        player = player_for(survey, n);
    if (player &&
        !player_create(player, parameters, problem->parameters_bytes,
                       problem->input_bytes(distribution, n),
                       problem->output_bytes(distribution, n)) &&
        !player_run(player, input, output, iterations, allowed, &seconds) &&
        !player_destroy(player))
        return 0;
    if (player)
        complain(OUTCOME_CRASHED, "%s, variant %s, n = %d, in the survey: %s", survey->step,
                 survey->variant, n, player_message(player));
    survey->failed = 1;
    return -1;
}

static void say(void *referee, const char *name, double value, const char *unit) {
    struct survey *survey = referee;
    struct fact *more = realloc(survey->facts, (size_t)(survey->count + 1) * sizeof *more);

    if (!more) {
        survey->failed = 1;
        return;
    }
    survey->facts = more;
    memset(&more[survey->count], 0, sizeof *more);
    fact_set(&more[survey->count++], survey->run, survey->step, survey->variant, name, value, unit,
             "survey");
}

static enum outcome make(struct survey *survey, const struct snapshot *bodies, struct fact **facts,
                         int *count) {
    const struct surveyed surveyed = {run, say, survey, bodies};
    int failed = survey->problem->survey && survey->problem->survey(&surveyed);

    player_end(survey->player);
    *facts = survey->facts;
    *count = survey->count;
    return failed || survey->failed ? OUTCOME_INTERNAL : OUTCOME_ACCEPTED;
}

enum outcome survey_program(const struct problem *problem, const struct programs *programs,
                            const struct program *program, const char *run_name,
                            struct fact **facts, int *count) {
    struct survey survey = {.program = program,
                            .step = programs->step->name,
                            .variant = program->variant,
                            .problem = problem,
                            .run = run_name};

    return make(&survey, NULL, facts, count);
}

enum outcome survey_bodies(const struct problem *problem, const char *step, const char *variant,
                           const struct snapshot *bodies, const char *run_name, struct fact **facts,
                           int *count) {
    struct survey survey = {.step = step, .variant = variant, .problem = problem, .run = run_name};

    return make(&survey, bodies, facts, count);
}

enum outcome survey_run(const struct problem *problem, const struct programs *programs,
                        const struct program *program, const void *parameters, int n,
                        const void *input, void *output) {
    struct survey survey = {.program = program,
                            .step = program ? programs->step->name : "",
                            .variant = program ? program->variant : "",
                            .problem = problem};
    int failed = run(&survey, parameters, n, 1, input, output);

    player_end(survey.player);
    if (failed && !program)
        complain(OUTCOME_INTERNAL, "no memory for %d %s", n, problem->element);
    return failed ? OUTCOME_INTERNAL : OUTCOME_ACCEPTED;
}
