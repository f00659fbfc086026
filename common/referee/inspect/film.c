#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/clock.h"
#include "film.h"
#include "referee/machine/machine.h"
#include "nbody.h"
#include "referee/play/player_process.h"
#include "problems/problem.h"
#include "referee/build/programs.h"
#include "referee/base/progress.h"
#include "referee/record/record.h"
#include "referee/timing/timing.h"

enum { FRAMES = 72, DEFAULT_N = 16384 };

/* In Henon units. The softening length is 0.05, under half the mean distance of 16384 bodies in the
 * shell (0.12); at speed 2 a body moves half of it in a time step. The shell is at its densest at
 * about 4.5, so the film shows it fall together and part again. */
static const double duration = 6, default_dt = 0.0125, softening = 0.0025;

/* What moves the bodies: a step's program, or the trusted one. */
struct mover {
    const struct problem *problem;
    struct player *player; /* NULL: the trusted program */
    char name[128];
};

static enum outcome advance(const struct mover *mover, const struct parameters *parameters,
                            const struct body *in, struct body *out, int steps) {
    double seconds, allowed = mover->problem->work("shell", parameters->n) * steps /
                              mover->problem->slowest_rate;
    enum outcome outcome;

    if (!mover->player) {
        return mover->problem->trusted(parameters, in, out, steps)
                   ? complain(OUTCOME_INTERNAL, "no memory for the trusted program")
                   : OUTCOME_ACCEPTED;
    }
    outcome = player_run(mover->player, in, out, steps, allowed, &seconds);
    return outcome ? complain(outcome, "%s", player_message(mover->player)) : OUTCOME_ACCEPTED;
}

/* The fastest accepted solution that this host has recorded; NULL if there is none. */
static const struct row *fastest_row(const struct row *rows, int count, const char *host) {
    const struct row *fastest = NULL;
    int i;

    for (i = 0; i < count; i++) {
        const struct row *row = &rows[i];

        if (!strcmp(row->field[COLUMN_host], host) &&
            !strncmp(row->field[COLUMN_verdict], "accepted", 8) &&
            !strcmp(row->field[COLUMN_source], "solution") &&
            !strcmp(row->field[COLUMN_problem], "nbody") && atoi(row->field[COLUMN_n]) >= 4096 &&
            (!fastest || atof(row->field[COLUMN_rate_gps]) > atof(fastest->field[COLUMN_rate_gps])))
            fastest = row;
    }
    return fastest;
}

static enum outcome start_recorded(struct mover *mover, const struct catalogue *catalogue,
                                   const struct row *row, const struct parameters *parameters) {
    static struct programs programs;
    const struct options plain = {0};
    const struct step *step = catalogue_find(catalogue, row->field[COLUMN_step]);
    size_t bytes = (size_t)parameters->n * sizeof(struct body);
    const struct program *program;
    struct player_options options = {.input_bytes = bytes, .output_bytes = bytes};
    char message[512];
    enum outcome outcome;

    if (!step)
        return OUTCOME_NO_STEP;
    if ((outcome = programs_choose(&programs, step, &plain, 1)) ||
        (outcome = programs_build(&programs, "plain", NULL)))
        return outcome;
    if (!(program = programs_find(&programs, row->field[COLUMN_variant], "plain")))
        return OUTCOME_NO_VARIANT;
    options.path = program->path;
    options.name = step->name;
    snprintf(mover->name, sizeof mover->name, "step %s, variant %s", step->name, program->variant);
    if (!(mover->player = player_start(&options, message)))
        return complain(OUTCOME_INTERNAL, "%s", message);
    outcome = player_create(mover->player, parameters, sizeof *parameters, bytes, bytes);
    return outcome ? complain(outcome, "%s", player_message(mover->player)) : OUTCOME_ACCEPTED;
}

/* The trusted program, timed on one step, or the record's fastest if that is faster. */
static enum outcome choose_mover(struct mover *mover, const struct catalogue *catalogue,
                                 const struct record *record, const struct parameters *parameters,
                                 const struct body *bodies, struct body *out) {
    struct machine machine;
    struct row *rows = NULL;
    const struct row *fastest = NULL;
    enum outcome outcome = OUTCOME_ACCEPTED;
    double start, rate;
    int count = 0;

    mover->problem = problem_find("nbody");
    mover->player = NULL;
    strcpy(mover->name, "the trusted program of this CPU");
    machine_describe(&machine);
    mover->problem->trusted(parameters, bodies, out, 1);
    start = clock_now();
    mover->problem->trusted(parameters, bodies, out, 1);
    rate = 1e-9 * mover->problem->work("shell", parameters->n) / (clock_now() - start);
    if (access(record->rows, R_OK) == 0 && (outcome = record_read(record, &rows, &count)))
        return outcome;
    fastest = fastest_row(rows, count, machine.host);
    if (fastest && atof(fastest->field[COLUMN_rate_gps]) > rate)
        outcome = start_recorded(mover, catalogue, fastest, parameters);
    free(rows);
    return outcome;
}

/* One time step at a time where velocities are damped, else all at once. */
static enum outcome to_next_frame(const struct mover *mover, const struct parameters *parameters,
                                  struct body **bodies, struct body **next, int steps,
                                  double damping) {
    int stride = damping < 1 ? 1 : steps, i, step;

    for (step = 0; step < steps; step += stride) {
        struct body *swap = *bodies;
        enum outcome outcome = advance(mover, parameters, *bodies, *next, stride);

        if (outcome)
            return outcome;
        *bodies = *next;
        *next = swap;
        for (i = 0; i < parameters->n && damping < 1; i++) {
            (*bodies)[i].vx *= (float)damping;
            (*bodies)[i].vy *= (float)damping;
            (*bodies)[i].vz *= (float)damping;
        }
    }
    return OUTCOME_ACCEPTED;
}

/* Computes all frames into a file of float32 x, y, z and their times into another. */
static enum outcome shoot(const struct mover *mover, const struct parameters *parameters,
                          struct body **bodies, struct body **next, double dt, double damping,
                          FILE *frames, FILE *times) {
    int steps = (int)fmax(1, round(duration / dt / (FRAMES - 1))), frame, i;
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (frame = 0; frame < FRAMES; frame++) {
        progress_show((double)frame / FRAMES, "frame %d of %d", frame + 1, FRAMES);
        if (frame > 0)
            outcome = to_next_frame(mover, parameters, bodies, next, steps, damping);
        if (outcome)
            return outcome;
        for (i = 0; i < parameters->n; i++)
            fwrite(&(*bodies)[i].x, sizeof(float), 3, frames);
        fprintf(times, "%g\n", frame * steps * dt);
    }
    progress_end();
    return ferror(frames) || ferror(times)
               ? complain(OUTCOME_RESULTS, "the frames cannot be written: %s", strerror(errno))
               : OUTCOME_ACCEPTED;
}

static enum outcome film_to(const struct catalogue *catalogue, const struct options *options,
                            const struct record *record, struct body *bodies, struct body *next,
                            int n) {
    double dt = options->dt > 0 ? options->dt : default_dt;
    double damping = options->damping > 0 ? options->damping : 1, start = clock_now();
    struct parameters parameters = {
        .n = n, .dt = (float)(dt / sqrt(n)), .softening = (float)softening};
    static const char frames_path[] = "build/film.f32", times_path[] = "build/film-times.txt";
    char count[16];
    struct mover mover;
    FILE *frames, *times;
    enum outcome outcome;

    problem_find("nbody")->generate(bodies, "shell", n, options->seed_given ? options->seed : 1);
    outcome = choose_mover(&mover, catalogue, record, &parameters, bodies, next);
    if (!outcome) {
        frames = fopen(frames_path, "w");
        times = fopen(times_path, "w");
        outcome = frames && times
                      ? shoot(&mover, &parameters, &bodies, &next, dt, damping, frames, times)
                      : complain(OUTCOME_RESULTS, "%s cannot be written: %s", frames_path,
                                 strerror(errno));
        if (frames && fclose(frames) && !outcome)
            outcome = complain(OUTCOME_RESULTS, "%s cannot be written", frames_path);
        if (times)
            fclose(times);
    }
    player_end(mover.player);
    if (outcome)
        return outcome;
    printf("%d bodies moved by %s, to time %.3g in Henon units, in %.1f s\n", n, mover.name,
           dt * (FRAMES - 1) * fmax(1, round(duration / dt / (FRAMES - 1))), clock_now() - start);
    fflush(stdout);
    snprintf(count, sizeof count, "%d", n);
    execl("common/report/film/draw_film.sh", "draw_film.sh", frames_path, times_path, count,
          options->results, (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/film/draw_film.sh cannot be run");
}

enum outcome film(const struct options *options) {
    int n = options->n ? options->n : DEFAULT_N;
    struct body *bodies = malloc((size_t)n * sizeof *bodies);
    struct body *next = malloc((size_t)n * sizeof *next);
    struct record record;
    enum outcome outcome;

    if (!bodies || !next)
        return complain(OUTCOME_INTERNAL, "no memory for %d bodies", n);
    if (!(outcome = record_open(&record, options->results, machine_name(options))))
        outcome = film_to(options->catalogue, options, &record, bodies, next, n);
    free(bodies);
    free(next);
    return outcome;
}
