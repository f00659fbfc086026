#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export.h"
#include "folder.h"
#include "grading.h"
#include "query.h"
#include "referee/build/steps.h"

static const char default_out[] = "results/grading", default_rubric[] = "grading/rubric.ini";

static enum outcome choose_engine(struct grading *grading, const char *name) {
    if (name && strcmp(name, "local") && strcmp(name, "slurm"))
        return complain(OUTCOME_USAGE, "ENGINE=%s: local or slurm is needed", name);
    grading->engine = name && !strcmp(name, "slurm") ? engine_slurm : engine_local;
    return OUTCOME_ACCEPTED;
}

/* Unless RUBRIC= names another, the rubric by which this gradebook was graded. */
static enum outcome reread_rubric(struct grading *grading, const char *named) {
    sqlite3_stmt *row =
        sql_query(grading->book.db, "SELECT value FROM meta WHERE key = 'rubric' AND value <> ?",
                  "t", grading->rubric_path);
    enum outcome outcome;

    if (named) {
        sqlite3_finalize(row);
        return OUTCOME_ACCEPTED;
    }
    while (query_row(row, &outcome))
        snprintf(grading->rubric_path, sizeof grading->rubric_path, "%s", query_text(row, 0));
    if (outcome || !strcmp(grading->rubric_path, default_rubric))
        return outcome;
    printf("%s was graded by the rubric %s, and is graded by it again; RUBRIC= names another one\n",
           grading->book.folder, grading->rubric_path);
    return rubric_read(&grading->rubric, grading->rubric_path, &grading->catalogue);
}

/* Reads catalogue and rubric, and opens the gradebook of OUT. */
static enum outcome grading_open(struct grading *grading, const struct grade_options *options) {
    enum outcome outcome;

    memset(grading, 0, sizeof *grading);
    grading->book.lock = -1;
    snprintf(grading->rubric_path, sizeof grading->rubric_path, "%s",
             options->rubric ? options->rubric : default_rubric);
    if ((outcome = catalogue_read(&grading->catalogue, "steps")) ||
        (outcome = steps_read(options->steps, &grading->catalogue, grading->chosen)) ||
        (outcome = choose_engine(grading, options->engine)) ||
        (outcome = rubric_read(&grading->rubric, grading->rubric_path, &grading->catalogue)) ||
        (outcome = gradebook_open(&grading->book, options->out ? options->out : default_out)))
        return outcome;
    snprintf(grading->tasks, sizeof grading->tasks, "%s/tasks", grading->book.folder);
    if (mkdir(grading->tasks, 0700) && errno != EEXIST)
        outcome = complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_RESULTS,
                           "%s cannot be made: %s", grading->tasks, strerror(errno));
    if (!outcome)
        outcome = reread_rubric(grading, options->rubric);
    if (outcome)
        gradebook_close(&grading->book);
    return outcome;
}

struct collected {
    struct grading *grading;
    int found, added;
    enum outcome failed;
};

static int add_submission(const struct submission *submission, void *context) {
    struct collected *collected = context;
    int added = 0;

    collected->failed = gradebook_add(&collected->grading->book, &collected->grading->catalogue,
                                      submission, &added);
    collected->found++;
    collected->added += added;
    return collected->failed != OUTCOME_ACCEPTED;
}

static enum outcome take_submissions(struct grading *grading, const char *folder) {
    struct collected collected = {.grading = grading};
    enum outcome outcome = gradebook_begin(&grading->book), read;
    const struct step *only = NULL; /* STEPS= names this one alone */
    int i, chosen = 0;

    if (outcome)
        return outcome;
    for (i = 0; i < grading->catalogue.count; i++)
        if (grading->chosen[i] && ++chosen)
            only = chosen == 1 ? &grading->catalogue.steps[i] : NULL;
    /* Sources of all steps are kept: a submission is the same whichever of them are graded. */
    read = collect(folder, &grading->catalogue, only, add_submission, &collected);
    if (engine_stop) /* which may have ended the reading of an archive, too */
        read = OUTCOME_STOPPED;
    outcome = gradebook_end(&grading->book, collected.failed ? collected.failed : read);
    if (!outcome)
        printf("%s: %d submissions, %d of them new\n", folder, collected.found, collected.added);
    fflush(stdout);
    return outcome;
}

/* Without STEPS those that somebody handed in. */
static enum outcome narrow_steps(struct grading *grading, const char *steps) {
    int i, left = 0;

    for (i = 0; i < grading->catalogue.count; i++) {
        if (!steps)
            grading->chosen[i] =
                query_number(
                    sql_query(
                        grading->book.db,
                        "SELECT 1 FROM entry JOIN submission ON submission = submission.id WHERE "
                        "student <> '*' AND step = ?",
                        "t", grading->catalogue.steps[i].name),
                    0) != 0;
        left += grading->chosen[i];
    }
    if (!left)
        return complain(OUTCOME_SUBMISSIONS,
                        "no submission holds a step's source; it has the name that the step's "
                        "manifest gives it, in a folder of the step's name, as %s/%s",
                        grading->catalogue.steps[0].name, grading->catalogue.steps[0].source);
    return OUTCOME_ACCEPTED;
}

/* Of a step that few handed in the others get nothing, of what they could have had. */
static void warn_of_rare_steps(struct grading *grading) {
    enum { FEWEST_STUDENTS = 4 };
    sqlite3 *db = grading->book.db;
    long students = query_number(
        sql_query(db, "SELECT count(DISTINCT student) FROM submission WHERE student <> '*'", ""),
        0);
    int i;

    for (i = 0; i < grading->catalogue.count && students >= FEWEST_STUDENTS; i++) {
        const char *step = grading->catalogue.steps[i].name;
        long count = query_number(
            sql_query(db,
                      "SELECT count(DISTINCT student) FROM entry JOIN submission ON submission = "
                      "submission.id WHERE student <> '*' AND step = ?",
                      "t", step),
            0);

        if (grading->chosen[i] && 4 * count <= students)
            fprintf(stderr,
                    "warning: %ld of %ld students handed in %s, of which all others get 0; STEPS= "
                    "names the steps that count, as STEPS=03-05\n",
                    count, students, step);
    }
}

static enum outcome finish(struct grading *grading) {
    enum outcome outcome;

    if ((outcome = grades_write(grading)) ||
        (outcome = similar_find(grading->book.db, &grading->catalogue)) ||
        (outcome = export_all(grading->book.db, &grading->catalogue, grading->book.folder)))
        return outcome;
    return engine_stop ? OUTCOME_STOPPED : summary_print(grading);
}

static enum outcome check_folder(const char *folder) {
    struct stat status;

    if (!folder)
        return complain(OUTCOME_USAGE, "grade needs a folder of submissions, as in `make grade "
                                       "SUBMISSIONS=../submissions`");
    if (stat(folder, &status))
        return complain(OUTCOME_SUBMISSIONS, "SUBMISSIONS=%s: there is no such folder", folder);
    if (!S_ISDIR(status.st_mode))
        return complain(OUTCOME_SUBMISSIONS,
                        "SUBMISSIONS=%s is a file; put it into a folder of its own, and name that",
                        folder);
    return OUTCOME_ACCEPTED;
}

enum outcome grade(const struct grade_options *options) {
    static struct grading grading;
    enum outcome outcome = check_folder(options->submissions);

    if (outcome || (outcome = grading_open(&grading, options)))
        return outcome;
    engine_stop_on_signals();
    if (!(outcome = take_submissions(&grading, options->submissions)) &&
        !(outcome = narrow_steps(&grading, options->steps)) &&
        (options->steps || (warn_of_rare_steps(&grading), 1)) &&
        !(outcome = tasks_check_solutions(&grading)) && !(outcome = tasks_do_missing(&grading)))
        outcome = finish(&grading);
    if (outcome == OUTCOME_STOPPED)
        complain(outcome, "stopped; what was measured is kept, and the same command goes on");
    if (!outcome && grading.not_done)
        outcome = complain(OUTCOME_INTERNAL,
                           "%d measurements could not be done, for reasons that stand above; the "
                           "same command tries them again",
                           grading.not_done);
    else if (!outcome)
        folder_delete(grading.tasks);
    gradebook_close(&grading.book);
    return outcome;
}

enum outcome regrade(const struct grade_options *options) {
    static struct grading grading;
    const char *out = options->out ? options->out : default_out;
    char path[PATH_BYTES];
    enum outcome outcome, finished;
    int timed = 0;

    snprintf(path, sizeof path, "%s/gradebook.sqlite", out);
    if (access(path, F_OK))
        return complain(OUTCOME_USAGE, "OUT=%s holds no gradebook; `make grade` makes one", out);
    if ((outcome = grading_open(&grading, options)))
        return outcome;
    outcome = options->student ? regrade_student(&grading, options, &timed) : OUTCOME_ACCEPTED;
    if ((timed || !options->student) && (finished = finish(&grading)) && !outcome)
        outcome = finished;
    gradebook_close(&grading.book);
    return outcome;
}
