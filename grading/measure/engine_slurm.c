#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"
#include "referee/base/options.h"

/* A job that was lost with its node, or killed, is submitted again; what fails as often fails for
 * another reason. */
enum { MOST_ROUNDS = 3, LONGEST_PAUSE = 3, LONGEST_SILENCE = 300 };

struct array {
    const struct task *tasks;
    const char *folder;
    int count, left;
    engine_done *done;
    void *context;
    char *arrived; /* by task */
    enum outcome
        *failures;  /* by task: how the node said that it could not be done; 0: it said nothing */
    char said[256]; /* by the last command of Slurm: a number, or what is wrong */
};

/* Runs grading/measure/slurm.sh. The folder's name goes through the environment, since a shell
 * would read some of its letters. Returns 0, or not 0 when Slurm does not do it. */
static int slurm(struct array *array, const char *words) {
    char command[256];
    FILE *pipe;

    setenv("FOLDER", array->folder, 1);
    snprintf(command, sizeof command, "grading/measure/slurm.sh %s", words);
    if (!(pipe = popen(command, "r"))) {
        snprintf(array->said, sizeof array->said, "no process can be started");
        return -1;
    }
    if (!fgets(array->said, sizeof array->said, pipe))
        *array->said = 0;
    array->said[strcspn(array->said, "\n")] = 0;
    return pclose(pipe);
}

/* Hands over the results that have come. Not 0 once the caller wants no more. */
static int take_results(struct array *array) {
    char path[PATH_BYTES];
    DIR *folder = opendir(array->folder); /* has a network file system look at what is new */
    int i;

    if (folder)
        closedir(folder);
    for (i = 0; i < array->count; i++) {
        if (array->arrived[i])
            continue;
        engine_result(&array->tasks[i], array->folder, path);
        if (access(path, R_OK))
            continue;
        array->arrived[i] = 1;
        array->left--;
        if (array->done(&array->tasks[i], OUTCOME_ACCEPTED, array->context))
            return -1;
    }
    return engine_stop;
}

static time_t seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Until there is no array any more. If Slurm does not answer it may be starting anew: the jobs go
 * on meanwhile. */
static enum outcome wait_for_array(struct array *array) {
    const struct timespec moment = {0, 200000000};
    int silent = 0, gone = 0;
    int pause = 1; /* seconds between questions: a controller has many users */
    time_t asked = seconds(), answered = asked;

    while (!gone) {
        nanosleep(&moment, NULL);
        if (seconds() - asked >= pause) {
            if (!slurm(array, "waiting \"$FOLDER\"")) {
                gone = !atoi(array->said);
                silent = 0;
                answered = seconds();
            } else if (seconds() - answered > LONGEST_SILENCE) {
                return complain(OUTCOME_INTERNAL,
                                "Slurm does not answer any more: %s; what runs goes on, and the "
                                "same command finds it again",
                                array->said);
            } else if (!silent++ && !engine_stop) {
                fprintf(stderr, "Slurm does not answer, it will be asked again: %s\n", array->said);
            }
            pause += pause < LONGEST_PAUSE;
            asked = seconds();
        }
        /* After the question, so that what a job left as it ended is seen. */
        if (take_results(array)) {
            slurm(array, "cancel \"$FOLDER\"");
            return OUTCOME_STOPPED;
        }
    }
    return OUTCOME_ACCEPTED;
}

/* Sends what is missing as one array; `sent` gets the tasks' places. */
static enum outcome submit(struct array *array, int *sent) {
    struct task *missing = malloc(array->left * sizeof *missing);
    char list[PATH_BYTES], words[128];
    enum outcome outcome;
    int i, count = 0;

    if (!missing)
        return complain(OUTCOME_INTERNAL, "no memory for a list of tasks");
    for (i = 0; i < array->count; i++)
        if (!array->arrived[i]) {
            sent[count] = i;
            missing[count++] = array->tasks[i];
        }
    snprintf(list, sizeof list, "%s/slurm.tasks", array->folder);
    outcome = engine_list_write(missing, count, list);
    free(missing);
    if (outcome)
        return outcome;
    snprintf(words, sizeof words, "submit \"$FOLDER\" %s %d",
             array->tasks[0].kind == TASK_SPEED ? "speed" : "check", count);
    if (slurm(array, words))
        return complain(OUTCOME_INTERNAL, "Slurm takes no jobs: %s", array->said);
    return OUTCOME_ACCEPTED;
}

/* Reads what jobs said of tasks that they could not do. Their number. */
static int read_failures(struct array *array, const int *sent, int count) {
    char path[PATH_BYTES];
    int number, status, failed = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/slurm.tasks.failed", array->folder);
    if (!(file = fopen(path, "r")))
        return 0;
    for (; fscanf(file, "%d %d", &number, &status) == 2; failed++)
        if (number >= 0 && number < count)
            array->failures[sent[number]] =
                status == OUTCOME_SANDBOX || status == OUTCOME_FULL ? status : OUTCOME_INTERNAL;
    fclose(file);
    return failed;
}

/* Says why what is missing is missing. */
static enum outcome complain_of_missing(struct array *array, enum outcome outcome) {
    slurm(array, "words \"$FOLDER\"");
    return complain(outcome,
                    "%d of %d tasks came back from Slurm without a result: %s; the same command "
                    "tries them again",
                    array->left, array->count, array->said);
}

static enum outcome rounds(struct array *array, int *sent) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i, round, before, failed;

    /* An array of this folder's is there when its submitter was killed. */
    if (slurm(array, "waiting \"$FOLDER\""))
        return complain(OUTCOME_INTERNAL, "ENGINE=slurm finds no Slurm: %s", array->said);
    if (atoi(array->said)) {
        fprintf(stderr, "%s jobs of an earlier call are still with Slurm; waiting for them\n",
                array->said);
        outcome = wait_for_array(array);
    }
    for (round = 0; !outcome && array->left && round < MOST_ROUNDS; round++) {
        before = array->left;
        if (!(outcome = submit(array, sent)))
            outcome = wait_for_array(array);
        if (outcome)
            break;
        failed = read_failures(array, sent, before);
        if (array->left == array->count && failed == array->count)
            return complain_of_missing(array, array->failures[0]);
        if (array->left && round + 1 < MOST_ROUNDS)
            fprintf(stderr, "%d tasks came back from Slurm without a result: submitted again\n",
                    array->left);
    }
    if (outcome || !array->left)
        return outcome;
    complain_of_missing(array, OUTCOME_INTERNAL);
    for (i = 0; i < array->count; i++)
        if (!array->arrived[i] &&
            array->done(&array->tasks[i],
                        array->failures[i] ? array->failures[i] : OUTCOME_INTERNAL, array->context))
            return OUTCOME_STOPPED;
    return OUTCOME_ACCEPTED;
}

enum outcome engine_slurm(const struct task *tasks, int count, const char *folder,
                          engine_done *done, void *context) {
    struct array array = {.tasks = tasks,
                          .folder = folder,
                          .count = count,
                          .left = count,
                          .done = done,
                          .context = context};
    int *sent = malloc((count + 1) * sizeof *sent);
    enum outcome outcome;

    array.arrived = calloc(count + 1, 1);
    array.failures = calloc(count + 1, sizeof *array.failures);
    if (!array.arrived || !array.failures || !sent)
        outcome = complain(OUTCOME_INTERNAL, "no memory for a list of tasks");
    else
        outcome = rounds(&array, sent);
    free(array.arrived);
    free(array.failures);
    free(sent);
    return outcome;
}
