#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "grading.h"
#include "steps.h"

/* A ramp must rise: a step before that is faster than this share of the solution leaves none. */
static const double steepest = 0.8, full_marks = 0.9;

static double number_of(const json_t *pair, const char *name) {
    return json_number_value(json_object_get(pair, name));
}

/* The solution was timed beside itself and beside the step before: where these lie, points begin
 * and end. What is as fast as the solution within the spread of this machine earns all. */
static void propose(const struct step *step, const json_t *result) {
    const json_t *referee = json_object_get(result, "referee");
    const json_t *previous = json_object_get(referee, "previous");
    double share = number_of(json_object_get(referee, "solution"), "share_low");
    double before = number_of(previous, "share"), to = share < full_marks ? share : full_marks;
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    const char *machine = json_string_value(json_object_get(result, "machine"));
    const char *begun = json_string_value(json_object_get(result, "begun_utc"));

    printf("\n[%s]\n", step->name);
    if (!outcome || strcmp(outcome, "accepted") || !machine || !begun) {
        printf("; not measured here: %s\n",
               outcome ? outcome_sentence(outcome_of_word(outcome, strlen(outcome))) : "no result");
        return;
    }
    if (before > 0 && 1 / before > steepest) {
        printf("; the step before is %.2f times as fast as the solution here: no ramp\nspeed = 0\n",
               1 / before);
        return;
    }
    if (before > 0)
        printf("speed_from = %.2f\n", 1 / before);
    printf("speed_to = %.2f\nspeed_origin = measured on %s, %.10s\n", to, machine, begun);
}

static int take(const struct task *task, enum outcome outcome, void *context) {
    const struct grading *grading = context;
    char path[PATH_BYTES];
    json_t *result;

    if (outcome)
        return outcome == OUTCOME_SANDBOX || outcome == OUTCOME_STOPPED;
    engine_result(task, grading->tasks, path);
    result = json_load_file(path, 0, NULL);
    propose(catalogue_find(&grading->catalogue, task->step), result);
    fflush(stdout);
    json_decref(result);
    return 0;
}

enum outcome calibrate(const struct grade_options *options) {
    static struct grading grading;
    static char sources[MOST_STEPS][128];
    struct task tasks[MOST_STEPS];
    enum outcome outcome;
    int count = 0, i;

    if ((outcome = catalogue_read(&grading.catalogue, "steps/catalogue.tsv")) ||
        (outcome = steps_read(options->steps, &grading.catalogue, grading.chosen)))
        return outcome;
    strcpy(grading.tasks, "/tmp/course-calibrate.XXXXXX");
    if (!mkdtemp(grading.tasks))
        return complain(OUTCOME_INTERNAL, "no folder can be made in /tmp");
    for (i = 0; i < grading.catalogue.count; i++) {
        const struct step *step = &grading.catalogue.steps[i];

        if (!grading.chosen[i])
            continue;
        snprintf(sources[count], sizeof sources[count], "solutions/%s/%s", step->name,
                 step->source);
        tasks[count] = (struct task){.entry = i,
                                     .kind = TASK_SPEED,
                                     .step = step->name,
                                     .seed = (uint64_t)i,
                                     .source = sources[count]};
        count++;
    }
    printf("; Ramps of speed for this machine: the step before's share of the solution's speed, "
           "and what\n; earns all points. Copy what you agree with into grading/rubric.ini.\n");
    fflush(stdout);
    engine_stop_on_signals();
    outcome = engine_local(tasks, count, grading.tasks, take, &grading);
    folder_delete(grading.tasks);
    return outcome;
}
