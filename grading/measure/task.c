#define _GNU_SOURCE
#include "task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "gpu.h"
#include "lines.h"
#include "result.h"
#include "task_limits.h"
#include "turn.h"

const struct limits task_limits[] = {
    [TASK_CHECK] = {15 * 60, 4096, 256, 1024, 16},
    [TASK_SPEED] = {30 * 60, 4096, 256, 1024, 16},
};

int task_level(void) {
    static int level = -1;
    const char *asked = getenv("SANDBOX_LEVEL");
    char answer[512] = "";
    FILE *probe;

    if (level >= 0)
        return level;
    if (!(probe = popen("build/sandbox probe 2>&1", "r")) || !fgets(answer, sizeof answer, probe))
        snprintf(answer, sizeof answer, "build/sandbox does not run");
    if (probe)
        pclose(probe);
    answer[strcspn(answer, "\n")] = 0;
    level = *answer == '1' || *answer == '2' ? *answer - '0' : 0;
    if (!level)
        complain(OUTCOME_SANDBOX,
                 "nothing is run without a sandbox, and this machine allows none: %s", answer);
    else if (asked && atoi(asked) == 1) /* for tests of level 1 where there is level 2 */
        level = 1;
    return level;
}

/* What the referee's end says of the entry, or OUTCOME_INTERNAL if it says something else. */
static enum outcome judge(const struct referee_run *run) {
    enum outcome outcome = WIFEXITED(run->status) ? WEXITSTATUS(run->status) : OUTCOME_INTERNAL;

    if (run->limit)
        return OUTCOME_LIMIT;
    switch (outcome) {
    case OUTCOME_USAGE:
    case OUTCOME_NO_STEP:
    case OUTCOME_NO_VARIANT:
    case OUTCOME_NO_SOURCE:
    case OUTCOME_SIZE:
    case OUTCOME_RESULTS:
        return OUTCOME_INTERNAL; /* of the grader's own doing */
    default:
        return strcmp(outcome_word(outcome), "unknown") ? outcome : OUTCOME_INTERNAL;
    }
}

/* The last line of a text. */
static const char *last_line(char *text) {
    size_t length = strlen(text);
    char *line;

    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

/* One run in a folder of its own. A run that was not accepted while the disk is full tells nothing
 * of the entry, unless it is what filled it. */
static enum outcome run_once(const struct task *task, const struct limits *limits, int level,
                             uid_t user, int gpu, const char *result) {
    struct folder folder;
    struct referee_run run;
    char begun_utc[24];
    enum outcome outcome = folder_make(&folder, task->source, user), judged;

    if (outcome)
        return outcome;
    lines_time(begun_utc);
    if (!(outcome = referee_run(task, limits, &folder, level, user, gpu, &run))) {
        judged = judge(&run);
        if (judged && !run.limit && folder_disk_full()) {
            outcome = complain(OUTCOME_FULL, "the disk that holds /tmp is full");
        } else if (judged == OUTCOME_INTERNAL || judged == OUTCOME_SANDBOX) {
            outcome =
                complain(judged, "%s of %s could not be done: %s",
                         task->kind == TASK_CHECK ? "a check" : "a timing", task->step,
                         *run.words ? last_line(run.words) : "the referee ended without a word");
        } else {
            outcome =
                result_write(result, task, &folder, &run, level, begun_utc, outcome_word(judged));
        }
    }
    free(run.out);
    folder_remove(&folder);
    return outcome;
}

enum outcome task_do_within(const struct task *task, const struct limits *limits,
                            const char *result) {
    size_t length = strlen(task->source);
    int gpu = length > 3 && !strcmp(task->source + length - 3, ".cu") && gpu_of_programs() >= 0;
    int level = task->level ? task->level : task_level(), turn, user_lock = -1;
    enum outcome outcome;
    uid_t user = geteuid();

    if (!level)
        return OUTCOME_SANDBOX;
    if ((turn = turn_take(task->kind, gpu)) == -2)
        return engine_stop ? OUTCOME_STOPPED : OUTCOME_INTERNAL;
    if (geteuid() == 0 && (user_lock = turn_user(&user)) < 0)
        return OUTCOME_INTERNAL;
    outcome = run_once(task, limits, level, user, gpu, result);
    if (outcome == OUTCOME_INTERNAL) /* once more, before an instructor is bothered */
        outcome = run_once(task, limits, level, user, gpu, result);
    if (user_lock >= 0)
        close(user_lock);
    if (turn >= 0)
        close(turn);
    return outcome;
}

enum outcome task_do(const struct task *task, const char *result) {
    return task_do_within(task, &task_limits[task->kind], result);
}
