#include "moving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "problems/text.h"
#include "referee/base/clock.h"
#include "referee/build/programs.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "referee/record/record.h"
#include "referee/timing/timing.h"

enum { PAIR = 2 };

enum outcome moving_choose(struct moving *moving, const struct options *options) {
    const struct step *step = options->step;
    const struct problem *problem = problem_find(step ? step->problem : "nbody");
    const struct motion *motion = problem->motion;
    const struct scene *scene = motion ? motion->scenes : NULL;
    char names[160] = "";

    *moving = (struct moving){.problem = problem, .seed = options->seed_given ? options->seed : 1};
    if (!step && (options->of || options->file || options->variant || options->backend))
        return complain(OUTCOME_USAGE,
                        "OF, FILE, VARIANT and BACKEND need a step, as in `make %s STEP=02`",
                        options->verb);
    for (int i = 0; !motion && problems[i]; i++)
        if (problems[i]->motion)
            text_add(names, sizeof names, "%s%s", *names ? ", " : "", problems[i]->name);
    if (!motion)
        return complain(OUTCOME_USAGE,
                        "%s: nothing moves in the problem %s; there are scenes of %s", step->name,
                        problem->name, names);
    while (scene->distribution &&
           (options->distribution ? strcmp(scene->distribution, options->distribution)
                                  : options->n > PAIR && scene->n == PAIR)) {
        text_add(names, sizeof names, "%s%s", *names ? ", " : "", scene->distribution);
        scene++;
    }
    if (!scene->distribution)
        return complain(OUTCOME_USAGE, "distribution %s: there is no scene of it; %s is needed",
                        options->distribution, names);
    moving->scene = *scene;
    if (options->n)
        moving->scene.n = options->n;
    if (options->dt > 0)
        moving->scene.dt = options->dt;
    return OUTCOME_ACCEPTED;
}

static enum outcome failed(const struct moving *moving, enum outcome outcome) {
    return complain(outcome, "%s: %s", moving->mover, player_message(moving->player));
}

static enum outcome create(struct moving *moving, const void *parameters, size_t in, size_t out) {
    enum outcome outcome =
        player_create(moving->player, parameters, moving->problem->parameters_bytes, in, out);

    return outcome ? failed(moving, outcome) : OUTCOME_ACCEPTED;
}

/* Starts the program, with buffers of so many bytes. */
static enum outcome start_player(struct moving *moving, const void *parameters, size_t in,
                                 size_t out) {
    struct player_options options = {.path = moving->program,
                                     .name = moving->name,
                                     .problem = moving->problem,
                                     .input_bytes = in,
                                     .output_bytes = out,
                                     .passive = 1}; /* the cores have viewers to serve, too */
    char message[512];

    if (moving->on_cpucuda) {
        options.threads = 1;
        options.workers = usable_cpus();
    }
    player_end(moving->player);
    if (!(moving->player = player_start(&options, message)))
        return complain(OUTCOME_INTERNAL, "%s", message);
    return create(moving, parameters, in, out);
}

/* Seconds that a run may take. */
static double allowed(const struct moving *moving, const char *distribution, int n,
                      int iterations) {
    return (moving->on_cpucuda ? 100 : 1) * moving->problem->work(distribution, n) * iterations /
           moving->problem->slowest_rate;
}

/* A run of a program that makes elements. */
static int make_once(void *referee, const void *parameters, int n, int iterations,
                     const void *input, void *output) {
    struct moving *moving = referee;
    const struct problem *problem = moving->problem;
    const char *distribution = problem->distributions[0];
    double seconds;
    enum outcome outcome = start_player(moving, parameters, problem->input_bytes(distribution, n),
                                        problem->output_bytes(distribution, n));

    if (!outcome && (outcome = player_run(moving->player, input, output, iterations,
                                          allowed(moving, distribution, n, iterations), &seconds)))
        failed(moving, outcome);
    player_end(moving->player);
    moving->player = NULL;
    return outcome ? -1 : 0;
}

/* The elements where the scene begins, and its parameters. */
static enum outcome make_scene(struct moving *moving) {
    const struct problem *problem = moving->problem;
    const struct making *making = problem->motion->making;
    const struct surveyed surveyed = {.run = make_once, .referee = moving};
    const struct scene *scene = &moving->scene;
    size_t bytes;

    free(moving->now);
    free(moving->next);
    moving->input_bytes = problem->input_bytes(scene->distribution, scene->n);
    moving->output_bytes = problem->output_bytes(scene->distribution, scene->n);
    bytes = making                                       ? scene->n * problem->motion->element
            : moving->input_bytes > moving->output_bytes ? moving->input_bytes
                                                         : moving->output_bytes;
    moving->now = malloc(bytes);
    moving->next = malloc(bytes);
    if (!moving->now || !moving->next)
        return complain(OUTCOME_INTERNAL, "no memory for %d %s", scene->n, problem->element);
    problem->motion->set_parameters(moving->parameters, scene->distribution, scene->n, scene->dt);
    if (making)
        return making->make(&surveyed, scene->distribution, scene->n, moving->seed, moving->now)
                   ? OUTCOME_INTERNAL
                   : OUTCOME_ACCEPTED;
    problem->generate(moving->now, scene->distribution, scene->n, moving->seed);
    /* What an input has behind its elements, as masses, stays as it is. */
    memcpy(moving->next, moving->now, bytes);
    return OUTCOME_ACCEPTED;
}

/* Has the player move the scene's elements. */
static enum outcome start_mover(struct moving *moving) {
    return start_player(moving, moving->parameters, moving->input_bytes, moving->output_bytes);
}

enum outcome moving_again(struct moving *moving) {
    enum outcome outcome = make_scene(moving);

    return outcome || !moving->player ? outcome : start_mover(moving);
}

enum outcome moving_set(struct moving *moving) {
    enum outcome outcome;

    if (!moving->player)
        return OUTCOME_ACCEPTED;
    outcome = player_destroy(moving->player);
    return outcome ? failed(moving, outcome)
                   : create(moving, moving->parameters, moving->input_bytes, moving->output_bytes);
}

enum outcome moving_advance(struct moving *moving, int iterations, double *seconds) {
    const struct problem *problem = moving->problem;
    const struct scene *scene = &moving->scene;
    const struct making *making = problem->motion->making;
    double start = clock_now();
    char *swap = moving->now;
    enum outcome outcome;

    if (!moving->player) {
        if ((making ? making->move : problem->trusted)(moving->parameters, moving->now,
                                                       moving->next, iterations))
            return complain(OUTCOME_INTERNAL, "no memory to move %s", problem->element);
        *seconds = clock_now() - start;
    } else if ((outcome = player_run(moving->player, moving->now, moving->next, iterations,
                                     allowed(moving, scene->distribution, scene->n, iterations),
                                     seconds))) {
        return failed(moving, outcome);
    }
    moving->now = moving->next;
    moving->next = swap;
    return OUTCOME_ACCEPTED;
}

void moving_end(struct moving *moving) {
    player_end(moving->player);
    free(moving->now);
    free(moving->next);
}

char *moving_place(const struct moving *moving, int i, size_t offset, int axis) {
    const struct motion *motion = moving->problem->motion;

    return moving->now + (size_t)i * motion->element + offset +
           (size_t)axis * (motion->is_double ? sizeof(double) : sizeof(float));
}

double moving_coordinate(const struct moving *moving, int i, size_t offset, int axis) {
    const void *place = moving_place(moving, i, offset, axis);

    return moving->problem->motion->is_double ? *(const double *)place : *(const float *)place;
}

/* Has a variant of the step (NULL: the default one) move the elements. */
static enum outcome start_step(struct moving *moving, const struct step *step,
                               const struct options *options, const char *variant, int solution) {
    static struct programs programs;
    const struct making *making = moving->problem->motion->making;
    const struct program *program;
    int few = moving->problem->sizes->small;
    enum outcome outcome;

    if ((outcome = programs_choose(&programs, step, options, solution)) ||
        (outcome = programs_build_timed(&programs, options->backend, gpu_of_programs() >= 0, 0)))
        return outcome;
    program =
        variant ? programs_find(&programs, variant, programs.list[0].build) : &programs.list[0];
    if (!program || !strcmp(program->build, "missing"))
        return programs_no_variant(&programs, variant ? variant : programs.list[0].variant);
    moving->on_cpucuda = !strcmp(program->backend, "cpucuda");
    if (moving->on_cpucuda && !options->n && moving->scene.n > few)
        moving->scene.n = few;
    snprintf(moving->program, sizeof moving->program, "%s", program->path);
    moving->name = step->name;
    snprintf(moving->mover, sizeof moving->mover, "%s, variant %s%s%s",
             programs_source(&programs, program), program->variant, making ? ", and moved by " : "",
             making ? making->mover : "");
    outcome = make_scene(moving);
    return outcome || making ? outcome : start_mover(moving);
}

/* The fastest accepted solution that this machine has recorded; NULL if there is none. */
static const struct row *fastest_row(const struct row *rows, int count, const char *host,
                                     const struct problem *problem) {
    const struct row *fastest = NULL;

    for (int i = 0; i < count; i++) {
        const struct row *row = &rows[i];

        if (!strcmp(row->field[COLUMN_host], host) &&
            !strncmp(row->field[COLUMN_verdict], "accepted", 8) &&
            !strcmp(row->field[COLUMN_source], "solution") &&
            !strcmp(row->field[COLUMN_problem], problem->name) &&
            atoi(row->field[COLUMN_n]) >= 4096 &&
            (!fastest || atof(row->field[COLUMN_rate_gps]) > atof(fastest->field[COLUMN_rate_gps])))
            fastest = row;
    }
    return fastest;
}

/* The trusted program, timed on one iteration, or the record's fastest if that is faster. */
static enum outcome start_fastest(struct moving *moving, const struct options *options) {
    const struct problem *problem = moving->problem;
    const struct options plain = {.results = options->results, .n = moving->scene.n};
    const struct row *fastest;
    const struct step *step;
    struct record record;
    struct machine machine;
    struct row *rows = NULL;
    double start, rate;
    int count = 0;
    enum outcome outcome = make_scene(moving);

    if (outcome || (outcome = record_open(&record, options->results, machine_name(options))))
        return outcome;
    strcpy(moving->mover, "the trusted program of this CPU");
    machine_describe(&machine);
    problem->trusted(moving->parameters, moving->now, moving->next, 1);
    start = clock_now();
    problem->trusted(moving->parameters, moving->now, moving->next, 1);
    rate =
        1e-9 * problem->work(moving->scene.distribution, moving->scene.n) / (clock_now() - start);
    if (access(record.rows, R_OK) == 0 && (outcome = record_read(&record, &rows, &count)))
        return outcome;
    fastest = fastest_row(rows, count, machine.recorded, problem);
    if (fastest && atof(fastest->field[COLUMN_rate_gps]) > rate) {
        step = catalogue_find(options->catalogue, fastest->field[COLUMN_step]);
        outcome = step ? start_step(moving, step, &plain, fastest->field[COLUMN_variant], 1)
                       : complain(OUTCOME_NO_STEP, "%s: %s is no step", record.rows,
                                  fastest->field[COLUMN_step]);
    }
    free(rows);
    return outcome;
}

enum outcome moving_start(struct moving *moving, const struct options *options) {
    return options->step ? start_step(moving, options->step, options, options->variant, 0)
                         : start_fastest(moving, options);
}
