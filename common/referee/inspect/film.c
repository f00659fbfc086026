#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "film.h"
#include "moving.h"
#include "referee/base/clock.h"
#include "referee/base/progress.h"
#include "referee/machine/machine.h"
#include "referee/record/record.h"

enum { FRAMES = 72 };

/* What is filmed. */
struct shooting {
    struct moving moving;
    double damping;
};

static void damp(const struct shooting *shooting) {
    const struct moving *moving = &shooting->moving;
    const struct motion *motion = moving->problem->motion;

    for (int i = 0; i < moving->scene.n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            void *v = moving_place(moving, i, motion->velocity, axis);

            if (motion->is_double)
                *(double *)v *= shooting->damping;
            else
                *(float *)v *= (float)shooting->damping;
        }
}

/* How many elements are not shown, the first ones. */
static int dark(const struct moving *moving) {
    const struct making *making = moving->problem->motion->making;

    return making ? making->dark(moving->scene.distribution, moving->scene.n) : 0;
}

static void write_frame(const struct moving *moving, FILE *frames) {
    size_t position = moving->problem->motion->position;

    for (int i = dark(moving); i < moving->scene.n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            float value = (float)moving_coordinate(moving, i, position, axis);

            fwrite(&value, sizeof value, 1, frames);
        }
}

/* One iteration at a time where velocities are damped, else all at once. */
static enum outcome to_next_frame(struct shooting *shooting, int iterations) {
    int stride = shooting->damping < 1 ? 1 : iterations;
    double seconds;
    enum outcome outcome;

    for (int iteration = 0; iteration < iterations; iteration += stride) {
        if ((outcome = moving_advance(&shooting->moving, stride, &seconds)))
            return outcome;
        if (shooting->damping < 1)
            damp(shooting);
    }
    return OUTCOME_ACCEPTED;
}

/* Computes all frames into a file of float32 x, y, z and their times into another. */
static enum outcome shoot(struct shooting *shooting, FILE *frames, FILE *times) {
    const struct moving *moving = &shooting->moving;
    const struct scene *scene = &moving->scene;
    int iterations = (int)fmax(1, round(scene->duration / scene->dt / (FRAMES - 1)));
    double start = clock_now();
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (int frame = 0; frame < FRAMES; frame++) {
        progress_show((double)frame / FRAMES, "frame %d of %d", frame + 1, FRAMES);
        if (frame > 0)
            outcome = to_next_frame(shooting, iterations);
        if (outcome)
            return outcome;
        write_frame(moving, frames);
        fprintf(times, "%g\n", frame * iterations * scene->dt);
    }
    progress_end();
    printf("%d %s of the distribution %s %s by %s, to time %.3g, in %.1f s\n", scene->n,
           moving->problem->element, scene->distribution,
           moving->problem->motion->making ? "made" : "moved", moving->mover,
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
    struct shooting shooting = {.damping = options->damping > 0 ? options->damping : 1};
    struct moving *moving = &shooting.moving;
    struct record record;
    char count[16], range[32];
    enum outcome outcome = moving_choose(moving, options);

    if (!outcome && !(outcome = record_open(&record, options->results, machine_name(options))) &&
        !(outcome = moving_start(moving, options)))
        outcome = shoot_to(&shooting, frames_path, times_path);
    moving_end(moving);
    if (outcome)
        return outcome;
    snprintf(count, sizeof count, "%d", moving->scene.n - dark(moving));
    snprintf(range, sizeof range, "%g", moving->scene.range);
    execl("common/report/film/draw_film.sh", "draw_film.sh", frames_path, times_path, count,
          options->results, moving->scene.range > 0 ? range : NULL, (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/film/draw_film.sh cannot be run");
}
