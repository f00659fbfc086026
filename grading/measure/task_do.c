#define _GNU_SOURCE
#include "task_do.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_stop.h"
#include "referee/machine/gpu.h"
#include "referee/base/lines.h"
#include "result.h"
#include "turn.h"
#include "referee/base/options.h"

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
    if (engine_stop) /* which may have ended the probe, too */
        return 0;
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

/* Shows the last lines of a text but one, which it returns. */
static const char *show_all_but_last(char *text) {
    enum { MOST_LINES = 10 };
    size_t length = strlen(text);
    char *last, *first;
    int lines = 0;

    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    if (!(last = strrchr(text, '\n')))
        return text;
    *last = 0;
    for (first = last; first > text && (first[-1] != '\n' || ++lines < MOST_LINES); first--)
        ;
    fprintf(stderr, "%s\n", first);
    return last + 1;
}

/* How a task is done: what does not change when it is done once more. */
struct setting {
    const struct task *task;
    const struct limits *limits;
    const char *result;
    int level, gpu;
    uid_t user;
};

/* Says what became of a run: writes its result, or complains of what kept it from being one. A run
 * that was not accepted while the disk is full tells nothing of the entry. */
static enum outcome conclude(const struct setting *setting, const struct folder *folder,
                             struct referee_run *run, const char *begun_utc, enum outcome judged) {
    if (judged && !run->limit && folder_disk_full())
        return complain(OUTCOME_FULL, "the disk that holds /tmp is full");
    if (judged == OUTCOME_INTERNAL || judged == OUTCOME_SANDBOX)
        return complain(
            judged, "%s of %s could not be done: %s",
            setting->task->kind == TASK_CHECK ? "a check" : "a timing", setting->task->step,
            *run->words ? show_all_but_last(run->words) : "the referee ended without a word");
    return result_write(setting->result, setting->task, folder, run, setting->level, begun_utc,
                        outcome_word(judged));
}

/* One run in a folder of its own. If `again` is not NULL, a failure that another run may not have
 * is told there, and concludes nothing. */
static enum outcome run_once(const struct setting *setting, enum outcome *again) {
    struct folder folder;
    struct referee_run run;
    char begun_utc[24];
    enum outcome outcome = folder_make(&folder, setting->task->source, setting->user), judged;

    if (outcome)
        return outcome;
    lines_time(begun_utc);
    outcome = referee_run(setting->task, setting->limits, &folder, setting->level, setting->user,
                          setting->gpu, &run);
    if (!outcome) {
        judged = judge(&run);
        if (again && (judged == OUTCOME_INTERNAL || judged == OUTCOME_HUNG))
            *again = judged;
        else
            outcome = conclude(setting, &folder, &run, begun_utc, judged);
    }
    free(run.out);
    folder_remove(&folder);
    return outcome;
}

/* On a busy machine an honest program may seem to hang, or the system refuse something: that is
 * tried once more, a check that hung while no other one does the same. */
static enum outcome run_twice(const struct setting *setting) {
    enum outcome again = OUTCOME_ACCEPTED, outcome = run_once(setting, &again);
    int turn = -1;

    if (outcome || !again)
        return outcome;
    if (again == OUTCOME_HUNG && setting->task->kind == TASK_CHECK &&
        (turn = turn_take(TASK_SPEED, 0)) == -2)
        return engine_stop ? OUTCOME_STOPPED : OUTCOME_INTERNAL;
    outcome = run_once(setting, NULL);
    if (turn >= 0)
        close(turn);
    return outcome;
}

enum outcome task_do_within(const struct task *task, const struct limits *limits,
                            const char *result) {
    struct setting setting = {.task = task, .limits = limits, .result = result, .user = geteuid()};
    size_t length = strlen(task->source);
    int turn, user_lock = -1;
    enum outcome outcome;

    setting.gpu = length > 3 && !strcmp(task->source + length - 3, ".cu") && gpu_of_programs() >= 0;
    if (!(setting.level = task->level ? task->level : task_level()))
        return engine_stop ? OUTCOME_STOPPED : OUTCOME_SANDBOX;
    if ((turn = turn_take(task->kind, setting.gpu)) == -2)
        return engine_stop ? OUTCOME_STOPPED : OUTCOME_INTERNAL;
    if (geteuid() == 0 && (user_lock = turn_user(&setting.user)) < 0)
        return OUTCOME_INTERNAL;
    outcome = run_twice(&setting);
    if (user_lock >= 0)
        close(user_lock);
    if (turn >= 0)
        close(turn);
    return outcome;
}

enum outcome task_do(const struct task *task, const char *result) {
    struct limits limits = task_limits[task->kind];

    /* make starts a compiler a core, OpenMP a thread, and a cgroup counts threads, too. */
    limits.processes += 8 * sysconf(_SC_NPROCESSORS_ONLN);
    return task_do_within(task, &limits, result);
}
