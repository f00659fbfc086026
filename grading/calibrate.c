#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "calibrate.h"
#include "referee/base/files.h"
#include "rubric.h"
#include "referee/build/steps.h"
#include "task_do.h"

/* One comparison of the solution of `of`, handed in as `step`. */
static enum outcome compare(const struct step *step, const struct step *of, int level, int repeat,
                            const char *folder, char **result) {
    struct task task = {.kind = TASK_SPEED, .repeat = repeat, .step = step->name, .level = level};
    char source[128], path[96];
    enum outcome outcome;

    if (getrandom(&task.seed, sizeof task.seed, 0) != sizeof task.seed)
        return complain(OUTCOME_INTERNAL, "no random numbers");
    task.seed >>= 16; /* as other seeds of the grader, 48 bits */
    snprintf(source, sizeof source, "solutions/%s/%s", of->name, of->source);
    snprintf(path, sizeof path, "%s/result.json", folder);
    task.source = source;
    if ((outcome = task_do(&task, path)))
        return outcome;
    *result = file_bytes(path, NULL);
    unlink(path);
    return *result ? OUTCOME_ACCEPTED : complain(OUTCOME_INTERNAL, "%s: %s", path, strerror(errno));
}

static void forget(char *texts[CALIBRATE_REPEATS]) {
    int i;

    for (i = 0; i < CALIBRATE_REPEATS; i++)
        free(texts[i]);
}

static enum outcome calibrate_step(const struct catalogue *catalogue, const struct step *step,
                                   int level, const char *folder, FILE *out) {
    char *own[CALIBRATE_REPEATS] = {NULL}, *previous[CALIBRATE_REPEATS] = {NULL};
    int both = rubric_has_previous(step, catalogue), count = 0, no_gpu = 0;
    const struct step *before = both ? catalogue_find(catalogue, step->builds_on) : NULL;
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (; count < CALIBRATE_REPEATS && !outcome && !no_gpu; count++) {
        fprintf(stderr, "%s, comparison %d of %d\n", step->name, count + 1, CALIBRATE_REPEATS);
        outcome = compare(step, step, level, count, folder, &own[count]);
        no_gpu = !outcome && strstr(own[count], "\"no-gpu\"") != NULL;
        if (!outcome && both && !no_gpu)
            outcome = compare(step, before, level, count, folder, &previous[count]);
    }
    if (!outcome)
        calibrate_propose(step, (const char *const *)own, count, (const char *const *)previous,
                          both && !no_gpu ? count : 0, out);
    forget(own);
    forget(previous);
    return outcome;
}

enum outcome calibrate(const struct catalogue *catalogue, const char *steps, int level, FILE *out) {
    char folder[] = "/tmp/course-calibrate.XXXXXX";
    enum outcome outcome = OUTCOME_ACCEPTED;
    char chosen[MOST_STEPS];
    int i;

    if ((outcome = steps_read(steps, catalogue, chosen)))
        return outcome;
    if (!mkdtemp(folder))
        return complain(OUTCOME_INTERNAL, "%s: %s", folder, strerror(errno));
    fprintf(out, "; Ramps for this machine, by `make calibrate`. Put what you like of it into your "
                 "rubric.\n\n");
    for (i = 0; i < catalogue->count && !outcome; i++) {
        if (!chosen[i])
            continue;
        outcome = calibrate_step(catalogue, &catalogue->steps[i], level, folder, out);
        fflush(out);
    }
    rmdir(folder);
    return outcome;
}
