#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "referee/base/files.h"
#include "grading.h"
#include "referee/base/progress.h"
#include "query.h"
#include "seed.h"
#include "referee/build/steps.h"

/* What is to be done next, all of one kind. */
struct tasks {
    struct grading *grading;
    struct task *list;
    int count, done, failed;
    int taken;            /* results that a stopped grader had left */
    const char *what;     /* for people */
    enum outcome stopped; /* why `take` ended the engine */
    char *gave_up;        /* by entry: not to be tried again by this command */
};

enum outcome tasks_write_source(struct grading *grading, long entry, const char *folder,
                                char path[PATH_BYTES]) {
    sqlite3_stmt *row = sql_query(grading->book.db,
                                  "SELECT source, flags, step FROM entry WHERE id = ?", "i", entry);
    enum outcome outcome;
    char flags[PATH_BYTES];
    int whole = 1;

    while (query_row(row, &outcome)) {
        const struct step *step = catalogue_find(&grading->catalogue, query_text(row, 2));

        whole = step && (!mkdir(folder, 0700) || errno == EEXIST);
        snprintf(path, PATH_BYTES, "%.400s/%s", folder, step ? step->source : "");
        snprintf(flags, sizeof flags, "%.400s/flags", folder);
        whole = whole && !file_put(path, sqlite3_column_blob(row, 0),
                                   (size_t)sqlite3_column_bytes(row, 0), 0600);
        if (whole && sqlite3_column_type(row, 1) == SQLITE_NULL)
            whole = !unlink(flags) || errno == ENOENT;
        else if (whole)
            whole = !file_put(flags, query_text(row, 1), strlen(query_text(row, 1)), 0600);
        if (!whole) {
            sqlite3_finalize(row);
            return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_RESULTS,
                            "%s cannot be written: %s", folder, strerror(errno));
        }
    }
    return outcome;
}

static void remove_source(struct grading *grading, const struct task *task) {
    char path[PATH_BYTES + 16];

    unlink(task->source);
    snprintf(path, sizeof path, "%s/%ld/flags", grading->tasks, task->entry);
    unlink(path);
    snprintf(path, sizeof path, "%s/%ld", grading->tasks, task->entry);
    rmdir(path);
}

/* Takes over a result that a stopped grader left. Of a solution only one that was accepted. */
static enum outcome take_left(struct tasks *tasks, const struct task *task, const char *result,
                              int *taken) {
    char word[32];

    *taken = 0;
    if (access(result, F_OK))
        return OUTCOME_ACCEPTED;
    gradebook_peek(result, word);
    if (tasks->gave_up || !strcmp(word, outcome_word(OUTCOME_ACCEPTED)))
        return gradebook_take(&tasks->grading->book, task, result, taken);
    unlink(result);
    return OUTCOME_ACCEPTED;
}

/* Adds a task, unless its result is there already. */
static enum outcome add(struct tasks *tasks, long entry, const struct step *step,
                        const char *sha256, enum task_kind kind, int repeat) {
    struct grading *grading = tasks->grading;
    struct task task = {.entry = entry, .kind = kind, .repeat = repeat, .step = step->name};
    char folder[PATH_BYTES + 24], source[PATH_BYTES], result[PATH_BYTES];
    enum outcome outcome;
    int taken;

    task.seed = seed_of(grading->book.secret, sha256, step->name,
                        kind == TASK_CHECK ? "check" : "speed", repeat);
    engine_result(&task, grading->tasks, result);
    outcome = take_left(tasks, &task, result, &taken);
    tasks->taken += taken;
    if (outcome || taken)
        return outcome;
    snprintf(folder, sizeof folder, "%s/%ld", grading->tasks, entry);
    if ((outcome = tasks_write_source(grading, entry, folder, source)))
        return outcome;
    tasks->list = realloc(tasks->list, (size_t)(tasks->count + 1) * sizeof *tasks->list);
    if (!tasks->list || !(task.source = strdup(source)))
        abort();
    tasks->list[tasks->count++] = task;
    return OUTCOME_ACCEPTED;
}

/* What a failed task means for the rest: one that no other task would fare better with ends all. */
static int goes_on(enum outcome outcome) {
    return outcome != OUTCOME_SANDBOX && outcome != OUTCOME_FULL && outcome != OUTCOME_RESULTS &&
           outcome != OUTCOME_STOPPED;
}

static void give_up(struct tasks *tasks, const struct task *task) {
    tasks->failed++;
    if (tasks->gave_up)
        tasks->gave_up[task->entry] = 1;
}

static int take_over(struct tasks *tasks, const struct task *task, const char *result) {
    int taken = 0;

    if ((tasks->stopped = gradebook_take(&tasks->grading->book, task, result, &taken)))
        return 1;
    if (!taken) {
        complain(OUTCOME_INTERNAL, "the result of entry %ld, %s, cannot be read", task->entry,
                 task->step);
        give_up(tasks, task);
    }
    remove_source(tasks->grading, task);
    tasks->done++;
    progress_show((double)tasks->done / tasks->count, "%s, %d of %d", tasks->what, tasks->done,
                  tasks->count);
    return 0;
}

static int take(const struct task *task, enum outcome outcome, void *context) {
    struct tasks *tasks = context;
    char result[PATH_BYTES];

    engine_result(task, tasks->grading->tasks, result);
    if (!outcome)
        return take_over(tasks, task, result);
    give_up(tasks, task);
    tasks->stopped = goes_on(outcome) ? OUTCOME_ACCEPTED : outcome;
    return tasks->stopped != OUTCOME_ACCEPTED;
}

/* Has the engine do what was added, and forgets it. */
static enum outcome run(struct tasks *tasks, engine_done *done) {
    struct grading *grading = tasks->grading;
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    if (tasks->count) {
        progress_show(0, "%s, 0 of %d", tasks->what, tasks->count);
        outcome = grading->engine(tasks->list, tasks->count, grading->tasks, done, tasks);
        progress_end();
    }
    for (i = 0; i < tasks->count; i++)
        free((char *)tasks->list[i].source);
    free(tasks->list);
    tasks->list = NULL;
    tasks->count = tasks->done = 0;
    return tasks->stopped ? tasks->stopped : outcome;
}

/* Shows the end of what a check said while it went wrong: the compiler's words. */
static void show_words(const char *result) {
    enum { MOST_BYTES = 2000 };
    json_t *whole = json_load_file(result, 0, NULL);
    const char *words = json_string_value(json_object_get(whole, "words"));
    size_t length = words ? strlen(words) : 0;

    if (length > MOST_BYTES) {
        words += length - MOST_BYTES;
        words += strcspn(words, "\n");
        words += *words == '\n';
    }
    if (length)
        fprintf(stderr, "%s%s", words, words[strlen(words) - 1] == '\n' ? "" : "\n");
    json_decref(whole);
}

/* A solution's check is kept only if it was accepted: else it is done again when the reason is
 * gone. */
static int take_solution(const struct task *task, enum outcome outcome, void *context) {
    struct tasks *tasks = context;
    char result[PATH_BYTES], word[32];

    engine_result(task, tasks->grading->tasks, result);
    if (outcome) {
        tasks->stopped = goes_on(outcome) ? complain(outcome,
                                                     "the course's own solution of %s "
                                                     "cannot be checked on this machine, "
                                                     "so nothing is graded",
                                                     task->step)
                                          : outcome;
        return 1;
    }
    gradebook_peek(result, word);
    if (!strcmp(word, outcome_word(OUTCOME_ACCEPTED)))
        return take_over(tasks, task, result);
    tasks->stopped = outcome_of_word(word, strlen(word));
    tasks->stopped = tasks->stopped ? tasks->stopped : OUTCOME_INTERNAL;
    progress_end();
    show_words(result);
    complain(tasks->stopped,
             "the course's own solution of %s fails on this machine (%s), so nothing is graded; "
             "`make check STEP=%.2s OF=solutions` shows more, and so does %s",
             task->step, outcome_sentence(tasks->stopped), task->step, result);
    return 1;
}

/* Adds the check of a solution that has none. */
static enum outcome add_solution(struct tasks *tasks, const struct step *step) {
    enum outcome outcome;
    sqlite3_stmt *row;
    char sha256[65] = "";
    long entry;

    if ((outcome = gradebook_add_solution(&tasks->grading->book, step, &entry)))
        return outcome;
    row =
        sql_query(tasks->grading->book.db,
                  "SELECT sha256 FROM entry JOIN submission ON submission = submission.id WHERE "
                  "entry.id = ? AND NOT EXISTS (SELECT 1 FROM measurement WHERE entry = entry.id)",
                  "i", entry);
    while (query_row(row, &outcome))
        snprintf(sha256, sizeof sha256, "%s", query_text(row, 0));
    return outcome || !*sha256 ? outcome : add(tasks, entry, step, sha256, TASK_CHECK, 0);
}

enum outcome tasks_check_solutions(struct grading *grading) {
    struct tasks tasks = {.grading = grading, .what = "solutions"};
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    for (i = 0; i < grading->catalogue.count && !outcome; i++)
        if (grading->chosen[i])
            outcome = add_solution(&tasks, &grading->catalogue.steps[i]);
    return outcome ? outcome : run(&tasks, take_solution);
}

/* The repeat that an entry needs next of a kind; -1: none. */
static int missing(struct grading *grading, long entry, const struct step *step,
                   enum task_kind kind, enum outcome *outcome) {
    struct evidence evidence;
    int repeat = -1;

    if ((*outcome = evidence_read(grading, entry, step, &evidence)))
        return -1;
    if (kind == TASK_CHECK)
        repeat = evidence.check ? -1 : 0;
    else if (evidence.check && evidence.speed_count < MOST_SPEEDS &&
             !score_speed_decided(&grading->rubric, step, &evidence))
        repeat = evidence.speed_count;
    evidence_free(&evidence);
    return repeat;
}

/* Adds what is missing of a kind, each entry's next repeat. */
static enum outcome add_missing(struct tasks *tasks, enum task_kind kind) {
    struct grading *grading = tasks->grading;
    enum outcome outcome, failed = OUTCOME_ACCEPTED;
    sqlite3_stmt *rows =
        sql_query(grading->book.db,
                  "SELECT entry.id, step, sha256 FROM entry JOIN submission ON "
                  "submission = submission.id WHERE student <> '*' ORDER BY entry.id",
                  "");

    while (query_row(rows, &outcome)) {
        long entry = (long)sqlite3_column_int64(rows, 0);
        const struct step *step = catalogue_find(&grading->catalogue, query_text(rows, 1));
        int repeat;

        if (failed || !step || !grading->chosen[steps_index(&grading->catalogue, step)] ||
            tasks->gave_up[entry])
            continue;
        repeat = missing(grading, entry, step, kind, &failed);
        if (repeat >= 0)
            failed = add(tasks, entry, step, query_text(rows, 2), kind, repeat);
    }
    return outcome ? outcome : failed;
}

enum outcome tasks_do_missing(struct grading *grading) {
    struct tasks tasks = {.grading = grading, .what = "checks"};
    long entries = query_number(sql_query(grading->book.db, "SELECT max(id) FROM entry", ""), 0);
    enum outcome outcome;

    if (!(tasks.gave_up = calloc((size_t)entries + 1, 1)))
        abort();
    if (!(outcome = add_missing(&tasks, TASK_CHECK)))
        outcome = run(&tasks, take);
    tasks.what = "speeds";
    while (!outcome) { /* a round measures each speed that is not decided once more */
        tasks.taken = 0;
        outcome = add_missing(&tasks, TASK_SPEED);
        if (!tasks.count && !tasks.taken)
            break;
        outcome = outcome ? outcome : run(&tasks, take);
    }
    grading->not_done = tasks.failed;
    free(tasks.gave_up);
    return outcome;
}
