#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grading.h"
#include "query.h"
#include "seed.h"
#include "task_do.h"

/* A check that is to be repeated. */
struct repeated {
    long entry;
    const struct step *step;
    int level;
    uint64_t seed;
    enum outcome outcome; /* of doing it again */
};

static const char *text_of(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static const json_t *verdicts_of(const json_t *result) {
    return json_object_get(json_object_get(result, "referee"), "verdicts");
}

/* Whether two results say the same of the entry: as a whole, and of each build. Errors may differ
 * where threads add up in another order. */
static int are_same(const json_t *one, const json_t *other) {
    const json_t *ours = verdicts_of(one), *theirs = verdicts_of(other);
    size_t i;

    if (strcmp(text_of(one, "outcome"), text_of(other, "outcome")) ||
        strcmp(text_of(one, "limit"), text_of(other, "limit")) ||
        json_array_size(ours) != json_array_size(theirs))
        return 0;
    for (i = 0; i < json_array_size(ours); i++) {
        const json_t *a = json_array_get(ours, i), *b = json_array_get(theirs, i);

        if (strcmp(text_of(a, "variant"), text_of(b, "variant")) ||
            strcmp(text_of(a, "aspect"), text_of(b, "aspect")) ||
            strcmp(text_of(a, "outcome"), text_of(b, "outcome")))
            return 0;
    }
    return 1;
}

/* The first thing that a result says of a failure. */
static const char *first_message(const json_t *result) {
    const json_t *verdicts = verdicts_of(result);
    size_t i;

    for (i = 0; i < json_array_size(verdicts); i++)
        if (strcmp(text_of(json_array_get(verdicts, i), "outcome"), "accepted") &&
            *text_of(json_array_get(verdicts, i), "message"))
            return text_of(json_array_get(verdicts, i), "message");
    return text_of(result, "limit");
}

static void print_sizes(const json_t *result) {
    const json_t *cases = json_object_get(json_array_get(verdicts_of(result), 0), "cases");
    size_t i;

    for (i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);

        printf("%s%" JSON_INTEGER_FORMAT " %s", i ? ", " : "; sizes ",
               json_integer_value(json_object_get(one, "n")), text_of(one, "distribution"));
    }
    printf("\n");
}

static void print_result(const char *when, const json_t *result) {
    const char *message = first_message(result);

    printf("  %-9s %s, %s, sandbox of level %d, course %s\n            on %s\n", when,
           text_of(result, "outcome"), text_of(result, "begun_utc"),
           (int)json_integer_value(json_object_get(result, "level")), text_of(result, "course"),
           text_of(result, "machine"));
    if (*message)
        printf("            %s\n", message);
}

static int note_outcome(const struct task *task, enum outcome outcome, void *context) {
    (void)task;
    ((struct repeated *)context)->outcome = outcome;
    return 0;
}

/* Does it again, beside the gradebook; `result` is then the file of what came of it. */
static enum outcome repeat(struct grading *grading, struct repeated *repeated,
                           char source[PATH_BYTES], char result[PATH_BYTES]) {
    struct task task = {.entry = repeated->entry,
                        .kind = TASK_CHECK,
                        .step = repeated->step->name,
                        .seed = repeated->seed,
                        .source = source,
                        .level = repeated->level};
    char folder[PATH_BYTES], named[PATH_BYTES + 64];
    enum outcome outcome;

    snprintf(folder, sizeof folder, "%s/regrade", grading->book.folder);
    if (mkdir(folder, 0700) && errno != EEXIST)
        return complain(OUTCOME_RESULTS, "%s cannot be made: %s", folder, strerror(errno));
    snprintf(named, sizeof named, "%s/%ld-%s", folder, repeated->entry, repeated->step->name);
    if ((outcome = tasks_write_source(grading, repeated->entry, named, source)))
        return outcome;
    if (task.level > task_level()) /* measured on another machine */
        task.level = task_level();
    engine_result(&task, folder, result);
    unlink(result);
    outcome = engine_local(&task, 1, folder, note_outcome, repeated);
    return outcome ? outcome : repeated->outcome;
}

/* Repeats one check and shows both. */
static enum outcome show(struct grading *grading, struct repeated *repeated, const char *stored) {
    char source[PATH_BYTES], path[PATH_BYTES];
    json_t *before = json_loads(stored, 0, NULL), *again = NULL;
    enum outcome outcome = OUTCOME_ACCEPTED;

    fflush(stdout);
    if (!before)
        outcome = complain(OUTCOME_GRADEBOOK, "the stored result of entry %ld cannot be read",
                           repeated->entry);
    if (!outcome)
        outcome = repeat(grading, repeated, source, path);
    if (!outcome && !(again = json_load_file(path, 0, NULL)))
        outcome = complain(OUTCOME_INTERNAL, "%s cannot be read", path);
    if (!outcome) {
        print_result("stored", before);
        print_result("repeated", again);
        printf("  seed %" PRIu64, repeated->seed);
        print_sizes(again);
        printf("  by hand   make check STEP=%.2s FILE=%s SEED=%" PRIu64 "\n", repeated->step->name,
               source, repeated->seed);
        if (are_same(before, again))
            printf("  the same\n");
        else
            outcome = complain(OUTCOME_INCONCLUSIVE,
                               "%s: repeated, the check has another result; the stored result "
                               "still counts, and %s holds the other",
                               repeated->step->name, path);
    }
    json_decref(before);
    json_decref(again);
    return outcome;
}

/* The item `speed` as it stands, in words. */
static enum outcome print_speed(struct grading *grading, const struct repeated *repeated,
                                const char *when) {
    struct item items[MOST_ITEMS];
    struct evidence evidence;
    enum outcome outcome = evidence_read(grading, repeated->entry, repeated->step, &evidence);
    int count = 0, i;

    if (!outcome)
        count = score_step(&grading->rubric, repeated->step, &evidence, items);
    for (i = 0; i < count; i++)
        if (!strcmp(items[i].name, "speed"))
            printf("  %-9s %.4g of %.4g points; %s\n", when, items[i].points, items[i].possible,
                   items[i].explanation);
    evidence_free(&evidence);
    return outcome;
}

/* The number of the entry's next timing; -1 if its speed does not count, or was timed as often as
 * is kept. */
static int next_timing(struct grading *grading, const struct repeated *repeated,
                       enum outcome *outcome) {
    struct evidence evidence;
    int next = -1;

    if ((*outcome = evidence_read(grading, repeated->entry, repeated->step, &evidence)))
        return -1;
    if (score_speed_asked(&grading->rubric, repeated->step, &evidence))
        next = evidence.speed_count;
    evidence_free(&evidence);
    if (next == MOST_SPEEDS) {
        printf("  speed     was timed %d times; more are not kept\n", MOST_SPEEDS);
        next = -1;
    }
    return next;
}

/* Times an entry once more and stores that: of all timings the best determined counts. */
static enum outcome time_again(struct grading *grading, struct repeated *repeated,
                               const char *sha256, int *timed) {
    struct task task = {.entry = repeated->entry, .kind = TASK_SPEED, .step = repeated->step->name};
    char source[PATH_BYTES], result[PATH_BYTES], folder[PATH_BYTES], named[PATH_BYTES + 64];
    enum outcome outcome;
    int taken = 0;

    task.repeat = next_timing(grading, repeated, &outcome);
    if (outcome || task.repeat < 0)
        return outcome;
    fflush(stdout);
    task.seed = seed_of(grading->book.secret, sha256, task.step, "speed", task.repeat);
    task.source = source;
    snprintf(folder, sizeof folder, "%s/regrade", grading->book.folder);
    snprintf(named, sizeof named, "%s/%ld-%s", folder, task.entry, task.step);
    if ((outcome = tasks_write_source(grading, task.entry, named, source)) ||
        (outcome = print_speed(grading, repeated, "speed")))
        return outcome;
    engine_result(&task, folder, result);
    unlink(result);
    outcome = engine_local(&task, 1, folder, note_outcome, repeated);
    outcome = outcome ? outcome : repeated->outcome;
    if (!outcome)
        outcome = gradebook_take(&grading->book, &task, result, &taken);
    if (!outcome && !taken)
        outcome = complain(OUTCOME_INTERNAL, "%s cannot be read", result);
    *timed += taken;
    return outcome ? outcome : print_speed(grading, repeated, "now");
}

static enum outcome show_entry(struct grading *grading, long entry, int *timed) {
    struct repeated repeated = {.entry = entry};
    enum outcome outcome, shown = OUTCOME_ACCEPTED;
    sqlite3_stmt *row = sql_query(
        grading->book.db,
        "SELECT step, submission.origin, entry.origin, submitted_utc, seed, level, result, "
        "student, sha256 "
        "FROM measurement JOIN entry ON entry = entry.id JOIN submission ON submission = "
        "submission.id WHERE entry = ? AND kind = 'check'",
        "i", entry);

    while (query_row(row, &outcome)) {
        repeated.step = catalogue_find(&grading->catalogue, query_text(row, 0));
        repeated.seed = strtoull(query_text(row, 4), NULL, 10);
        repeated.level = sqlite3_column_int(row, 5);
        printf("%s, %s: %s in %s%s%s\n", query_text(row, 7), query_text(row, 0), query_text(row, 2),
               query_text(row, 1), *query_text(row, 3) ? ", handed in " : "", query_text(row, 3));
        if (repeated.step && !shown)
            shown = show(grading, &repeated, query_text(row, 6));
        if (repeated.step && (!shown || shown == OUTCOME_INCONCLUSIVE)) {
            enum outcome again = time_again(grading, &repeated, query_text(row, 8), timed);

            shown = again ? again : shown;
        }
    }
    return outcome ? outcome : shown;
}

enum outcome regrade_student(struct grading *grading, const struct grade_options *options,
                             int *timed) {
    const struct step *step =
        options->step ? catalogue_find(&grading->catalogue, options->step) : NULL;
    enum outcome outcome, first = OUTCOME_ACCEPTED;
    sqlite3_stmt *rows;
    int count = 0;

    if (options->step && !step)
        return complain(OUTCOME_NO_STEP, "STEP=%s: there is no such step; steps/ lists them",
                        options->step);
    if (!query_number(sql_query(grading->book.db, "SELECT 1 FROM submission WHERE student = ?", "t",
                                options->student),
                      0))
        return complain(OUTCOME_USAGE, "STUDENT=%s: %s/gradebook.sqlite has no such student",
                        options->student, grading->book.folder);
    engine_stop_on_signals();
    rows =
        sql_query(grading->book.db,
                  "SELECT entry FROM total WHERE student = ? AND entry IS NOT NULL AND (step = ? "
                  "OR ? IS NULL) ORDER BY step",
                  "ttt", options->student, step ? step->name : "", options->step);
    while (query_row(rows, &outcome)) {
        enum outcome shown = engine_stop
                                 ? OUTCOME_STOPPED
                                 : show_entry(grading, (long)sqlite3_column_int64(rows, 0), timed);

        first = first ? first : shown;
        count++;
    }
    if (!outcome && !count)
        return complain(OUTCOME_NO_SOURCE, "%s has no graded %s", options->student,
                        step ? step->name : "step");
    return outcome ? outcome : first;
}
