#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "film.h"
#include "problems/problem.h"
#include "problems/text.h"
#include "referee/base/clock.h"
#include "referee/base/progress.h"
#include "referee/build/programs.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "referee/record/record.h"
#include "referee/timing/timing.h"

enum { FRAMES = 72, AXES = 3 };

/* What is filmed, and what moves it. */
struct shooting {
    const struct problem *problem;
    struct scene scene; /* with what the user asked for in its place */
    double damping;
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    size_t bytes; /* of all elements */
    char *now, *next;
    struct player *player; /* NULL: the trusted program */
    char mover[192];
    double slowness; /* how many times longer than others the program may take */
};

/* The problem's scene of that distribution (NULL: the first); complains if there is none. */
static enum outcome choose_scene(struct shooting *shooting, const struct options *options) {
    const struct motion *motion = shooting->problem->motion;
    const struct scene *scene = motion ? motion->scenes : NULL;
    char names[160] = "";

    for (int i = 0; !motion && problems[i]; i++)
        if (problems[i]->motion)
            text_add(names, sizeof names, "%s%s", *names ? ", " : "", problems[i]->name);
    if (!motion)
        return complain(OUTCOME_USAGE,
                        "%s: there is no film of the problem %s; there are films of %s",
                        options->step->name, shooting->problem->name, names);
    while (scene->distribution && options->distribution &&
           strcmp(scene->distribution, options->distribution)) {
        text_add(names, sizeof names, "%s%s", *names ? ", " : "", scene->distribution);
        scene++;
    }
    if (!scene->distribution)
        return complain(OUTCOME_USAGE, "distribution %s: there is no film of it; %s is needed",
                        options->distribution, names);
    shooting->scene = *scene;
    if (options->n)
        shooting->scene.n = options->n;
    if (options->dt > 0)
        shooting->scene.dt = options->dt;
    shooting->damping = options->damping > 0 ? options->damping : 1;
    return OUTCOME_ACCEPTED;
}

static enum outcome make_scene(struct shooting *shooting, const struct options *options) {
    const struct problem *problem = shooting->problem;
    const struct scene *scene = &shooting->scene;

    shooting->bytes = (size_t)scene->n * problem->motion->element;
    shooting->now = malloc(shooting->bytes);
    shooting->next = malloc(shooting->bytes);
    if (!shooting->now || !shooting->next)
        return complain(OUTCOME_INTERNAL, "no memory for %d %s", scene->n, problem->element);
    problem->motion->set_parameters(shooting->parameters, scene->n, scene->dt);
    problem->generate(shooting->now, scene->distribution, scene->n,
                      options->seed_given ? options->seed : 1);
    return OUTCOME_ACCEPTED;
}

static enum outcome advance(struct shooting *shooting, int iterations) {
    const struct problem *problem = shooting->problem;
    const struct scene *scene = &shooting->scene;
    double seconds, allowed = shooting->slowness * problem->work(scene->distribution, scene->n) *
                              iterations / problem->slowest_rate;
    char *swap = shooting->now;
    enum outcome outcome;

    if (!shooting->player) {
        if (problem->trusted(shooting->parameters, shooting->now, shooting->next, iterations))
            return complain(OUTCOME_INTERNAL, "no memory for the trusted program");
    } else if ((outcome = player_run(shooting->player, shooting->now, shooting->next, iterations,
                                     allowed, &seconds))) {
        return complain(outcome, "%s: %s", shooting->mover, player_message(shooting->player));
    }
    shooting->now = shooting->next;
    shooting->next = swap;
    return OUTCOME_ACCEPTED;
}

/* The fastest accepted solution that this host has recorded; NULL if there is none. */
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

/* Has a variant of the step (NULL: the default one) move what is filmed. */
static enum outcome start_step(struct shooting *shooting, const struct step *step,
                               const struct options *options, const char *variant, int solution) {
    static struct programs programs;
    const struct program *program;
    struct player_options of_player = {.name = step->name,
                                       .problem = shooting->problem,
                                       .input_bytes = shooting->bytes,
                                       .output_bytes = shooting->bytes};
    char message[512];
    enum outcome outcome;

    if ((outcome = programs_choose(&programs, step, options, solution)) ||
        (outcome = programs_build_timed(&programs, options->backend, gpu_of_programs() >= 0, 0)))
        return outcome;
    program =
        variant ? programs_find(&programs, variant, programs.list[0].build) : &programs.list[0];
    if (!program || !strcmp(program->build, "missing"))
        return programs_no_variant(&programs, variant ? variant : programs.list[0].variant);
    if (!strcmp(program->backend, "cpucuda")) {
        of_player.threads = 1;
        of_player.workers = usable_cpus();
        shooting->slowness = 100;
    }
    of_player.path = program->path;
    snprintf(shooting->mover, sizeof shooting->mover, "%s, variant %s",
             programs_source(&programs, program), program->variant);
    if (!(shooting->player = player_start(&of_player, message)))
        return complain(OUTCOME_INTERNAL, "%s", message);
    outcome = player_create(shooting->player, shooting->parameters,
                            shooting->problem->parameters_bytes, shooting->bytes, shooting->bytes);
    return outcome ? complain(outcome, "%s: %s", shooting->mover, player_message(shooting->player))
                   : OUTCOME_ACCEPTED;
}

/* The trusted program, timed on one step, or the record's fastest if that is faster. */
static enum outcome start_fastest(struct shooting *shooting, const struct options *options,
                                  const struct record *record) {
    const struct problem *problem = shooting->problem;
    const struct options plain = {.results = options->results};
    const struct row *fastest;
    const struct step *step;
    struct machine machine;
    struct row *rows = NULL;
    double start, rate;
    int count = 0;
    enum outcome outcome = OUTCOME_ACCEPTED;

    strcpy(shooting->mover, "the trusted program of this CPU");
    machine_describe(&machine);
    problem->trusted(shooting->parameters, shooting->now, shooting->next, 1);
    start = clock_now();
    problem->trusted(shooting->parameters, shooting->now, shooting->next, 1);
    rate = 1e-9 * problem->work(shooting->scene.distribution, shooting->scene.n) /
           (clock_now() - start);
    if (access(record->rows, R_OK) == 0 && (outcome = record_read(record, &rows, &count)))
        return outcome;
    fastest = fastest_row(rows, count, machine.host, problem);
    if (fastest && atof(fastest->field[COLUMN_rate_gps]) > rate) {
        step = catalogue_find(options->catalogue, fastest->field[COLUMN_step]);
        outcome = step ? start_step(shooting, step, &plain, fastest->field[COLUMN_variant], 1)
                       : complain(OUTCOME_NO_STEP, "%s: %s is no step", record->rows,
                                  fastest->field[COLUMN_step]);
    }
    free(rows);
    return outcome;
}

/* A coordinate of an element. */
static char *coordinate(const struct shooting *shooting, int i, size_t offset, int axis) {
    const struct motion *motion = shooting->problem->motion;

    return shooting->now + (size_t)i * motion->element + offset +
           (size_t)axis * (motion->is_double ? sizeof(double) : sizeof(float));
}

static void damp(const struct shooting *shooting) {
    const struct motion *motion = shooting->problem->motion;

    for (int i = 0; i < shooting->scene.n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            char *v = coordinate(shooting, i, motion->velocity, axis);

            if (motion->is_double)
                *(double *)(void *)v *= shooting->damping;
            else
                *(float *)(void *)v *= (float)shooting->damping;
        }
}

static void write_frame(const struct shooting *shooting, FILE *frames) {
    const struct motion *motion = shooting->problem->motion;

    for (int i = 0; i < shooting->scene.n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            const char *x = coordinate(shooting, i, motion->position, axis);
            float value = motion->is_double ? (float)*(const double *)(const void *)x
                                            : *(const float *)(const void *)x;

            fwrite(&value, sizeof value, 1, frames);
        }
}

/* One iteration at a time where velocities are damped, else all at once. */
static enum outcome to_next_frame(struct shooting *shooting, int iterations) {
    int stride = shooting->damping < 1 ? 1 : iterations;
    enum outcome outcome;

    for (int iteration = 0; iteration < iterations; iteration += stride) {
        if ((outcome = advance(shooting, stride)))
            return outcome;
        if (shooting->damping < 1)
            damp(shooting);
    }
    return OUTCOME_ACCEPTED;
}

/* Computes all frames into a file of float32 x, y, z and their times into another. */
static enum outcome shoot(struct shooting *shooting, FILE *frames, FILE *times) {
    const struct scene *scene = &shooting->scene;
    int iterations = (int)fmax(1, round(scene->duration / scene->dt / (FRAMES - 1)));
    double start = clock_now();
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (int frame = 0; frame < FRAMES; frame++) {
        progress_show((double)frame / FRAMES, "frame %d of %d", frame + 1, FRAMES);
        if (frame > 0)
            outcome = to_next_frame(shooting, iterations);
        if (outcome)
            return outcome;
        write_frame(shooting, frames);
        fprintf(times, "%g\n", frame * iterations * scene->dt);
    }
    progress_end();
    printf("%d %s of the distribution %s moved by %s, to time %.3g, in %.1f s\n", scene->n,
           shooting->problem->element, scene->distribution, shooting->mover,
           (FRAMES - 1) * iterations * scene->dt, clock_now() - start);
    fflush(stdout);
    return ferror(frames) || ferror(times)
               ? complain(OUTCOME_RESULTS, "the frames cannot be written: %s", strerror(errno))
               : OUTCOME_ACCEPTED;
}

static enum outcome shoot_to(struct shooting *shooting, const char *frames_path,
                             const char *times_path) {
    FILE *frames = fopen(frames_path, "w"), *times = fopen(times_path, "w");
    enum outcome outcome = frames && times ? shoot(shooting, frames, times)
                                           : complain(OUTCOME_RESULTS, "%s cannot be written: %s",
                                                      frames_path, strerror(errno));

    if (frames && fclose(frames) && !outcome)
        outcome = complain(OUTCOME_RESULTS, "%s cannot be written", frames_path);
    if (times)
        fclose(times);
    return outcome;
}

enum outcome film(const struct options *options) {
    static const char frames_path[] = "build/film.f32", times_path[] = "build/film-times.txt";
    const struct step *step = options->step;
    struct shooting shooting = {.problem = problem_find(step ? step->problem : "nbody"),
                                .slowness = 1};
    struct record record;
    char count[16];
    enum outcome outcome;

    if (!step && (options->of || options->file || options->variant || options->backend))
        return complain(OUTCOME_USAGE, "OF, FILE, VARIANT and BACKEND of a film need a step, as in "
                                       "`make film STEP=02`");
    outcome = record_open(&record, options->results, machine_name(options));
    if (!outcome && !(outcome = choose_scene(&shooting, options)) &&
        !(outcome = make_scene(&shooting, options)))
        outcome = step ? start_step(&shooting, step, options, options->variant, 0)
                       : start_fastest(&shooting, options, &record);
    if (!outcome)
        outcome = shoot_to(&shooting, frames_path, times_path);
    player_end(shooting.player);
    free(shooting.now);
    free(shooting.next);
    if (outcome)
        return outcome;
    snprintf(count, sizeof count, "%d", shooting.scene.n);
    execl("common/report/film/draw_film.sh", "draw_film.sh", frames_path, times_path, count,
          options->results, (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/film/draw_film.sh cannot be run");
}
