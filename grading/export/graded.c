#include <stdlib.h>
#include <string.h>

#include "graded.h"
#include "referee/base/options.h"
#include "course/questions.h"
#include "text.h"

/* The students, and their names as they last gave them. The solutions are student '*'. */
static const char students_sql[] =
    "SELECT s.student, coalesce((SELECT name FROM submission WHERE student = s.student AND name != "
    "'' ORDER BY submitted_utc DESC, id DESC LIMIT 1), '') FROM (SELECT student FROM submission "
    "UNION SELECT student FROM total) AS s WHERE s.student != '*' ORDER BY s.student";

static const char totals_sql[] =
    "SELECT total.step, total.entry, total.earned, total.late_days, total.points, total.possible, "
    "total.explanation, entry.origin, submission.submitted_utc, submission.id IN (SELECT "
    "submission FROM clock), (SELECT count(*) FROM entry AS e "
    "JOIN submission AS s ON s.id = e.submission WHERE s.student = total.student AND e.step = "
    "total.step AND (s.submitted_utc, s.id) <= (submission.submitted_utc, submission.id)) FROM "
    "total LEFT JOIN entry ON entry.id = total.entry LEFT JOIN submission ON submission.id = "
    "entry.submission WHERE total.student = ?1 ORDER BY total.step";

static const char items_sql[] =
    "SELECT item, state, explanation, points, possible FROM grade WHERE entry = ?1 "
    "ORDER BY position, item";

static const char answers_sql[] =
    "SELECT answer.question, answer.text FROM answer JOIN entry USING (submission, step) "
    "WHERE entry.id = ?1 ORDER BY CAST(answer.question AS INTEGER)";
static const char check_sql[] = "SELECT outcome, result FROM measurement WHERE entry = ?1 AND kind "
                                "= 'check' ORDER BY repeat DESC LIMIT 1";

static const char refusals_sql[] =
    "SELECT submission.origin, refusal.path, refusal.reason FROM refusal JOIN submission ON "
    "submission.id = refusal.submission WHERE submission.student = ?1 ORDER BY "
    "submission.submitted_utc, submission.id, refusal.rowid";

double graded_percent(double points, double possible) {
    return possible > 0 ? 100 * points / possible : 0;
}

sqlite3_stmt *graded_query(sqlite3 *book, const char *sql) {
    sqlite3_stmt *statement;

    if (sqlite3_prepare_v2(book, sql, -1, &statement, NULL) == SQLITE_OK)
        return statement;
    complain(OUTCOME_GRADEBOOK, "the gradebook cannot be read: %s", sqlite3_errmsg(book));
    return NULL;
}

char *graded_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);

    return text_clean(text ? (const char *)text : "");
}

/* Makes room for one more element of `size` bytes, all 0. */
static void *one_more(void *list, int *count, size_t size) {
    char *more = realloc(list, (size_t)(*count + 1) * size);

    memset(more + (size_t)(*count)++ * size, 0, size);
    return more;
}

static enum outcome read_items(sqlite3 *book, sqlite3_int64 entry, struct graded_step *step) {
    sqlite3_stmt *items = graded_query(book, items_sql), *check = graded_query(book, check_sql);

    if (!items || !check) {
        sqlite3_finalize(items);
        sqlite3_finalize(check);
        return OUTCOME_GRADEBOOK;
    }
    sqlite3_bind_int64(items, 1, entry);
    while (sqlite3_step(items) == SQLITE_ROW) {
        struct graded_item *item;

        step->items = one_more(step->items, &step->item_count, sizeof *step->items);
        item = &step->items[step->item_count - 1];
        item->name = graded_text(items, 0);
        item->state = graded_text(items, 1);
        item->explanation = graded_text(items, 2);
        item->points = sqlite3_column_double(items, 3);
        item->possible = sqlite3_column_double(items, 4);
        item->counted = !strcmp(item->state, "earned");
    }
    sqlite3_finalize(items);
    sqlite3_bind_int64(check, 1, entry);
    if (sqlite3_step(check) == SQLITE_ROW) {
        const char *result = (const char *)sqlite3_column_text(check, 1);

        step->outcome = graded_text(check, 0);
        step->hint = graded_hint(step->step, step->outcome, result ? result : "");
    }
    sqlite3_finalize(check);
    return OUTCOME_ACCEPTED;
}

static enum outcome read_answers(sqlite3 *book, sqlite3_int64 entry, struct graded_step *step) {
    sqlite3_stmt *answers = graded_query(book, answers_sql);

    if (!answers)
        return OUTCOME_GRADEBOOK;
    sqlite3_bind_int64(answers, 1, entry);
    while (sqlite3_step(answers) == SQLITE_ROW) {
        struct graded_answer *answer;
        long number;

        if (!step->questions) {
            step->questions = calloc(1, sizeof *step->questions);
            questions_read(step->step, step->questions);
        }
        step->answers = one_more(step->answers, &step->answer_count, sizeof *step->answers);
        answer = &step->answers[step->answer_count - 1];
        answer->question = graded_text(answers, 0);
        answer->text = graded_text(answers, 1);
        number = strtol(answer->question, NULL, 10);
        if (step->questions->count && (number < 1 || number > step->questions->count))
            answer->wrong = "there is no such question";
        else if (step->questions->count &&
                 !question_takes(step->questions->forms[number - 1], answer->text))
            answer->wrong = step->questions->forms[number - 1];
    }
    sqlite3_finalize(answers);
    return OUTCOME_ACCEPTED;
}

static enum outcome read_totals(sqlite3 *book, const struct graded *graded, const char *id,
                                struct student *student) {
    sqlite3_stmt *totals = graded_query(book, totals_sql);
    enum outcome outcome = totals ? OUTCOME_ACCEPTED : OUTCOME_GRADEBOOK;

    student->steps = calloc((size_t)graded->step_count + 1, sizeof *student->steps);
    if (totals)
        sqlite3_bind_text(totals, 1, id, -1, SQLITE_TRANSIENT);
    while (!outcome && sqlite3_step(totals) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(totals, 0);
        struct graded_step *step;
        int i = 0;

        while (i < graded->step_count && strcmp(graded->steps[i]->name, name))
            i++;
        if (i == graded->step_count)
            continue;
        step = &student->steps[i];
        step->there = 1;
        step->step = graded->steps[i];
        step->handed_in = sqlite3_column_type(totals, 1) != SQLITE_NULL;
        step->earned = sqlite3_column_double(totals, 2);
        step->late_days = sqlite3_column_int(totals, 3);
        step->points = sqlite3_column_double(totals, 4);
        step->possible = sqlite3_column_double(totals, 5);
        step->explanation = graded_text(totals, 6);
        step->origin = graded_text(totals, 7);
        step->submitted_utc = graded_text(totals, 8);
        step->by_clock = sqlite3_column_int(totals, 9);
        step->attempt = sqlite3_column_int(totals, 10);
        student->points += step->points;
        student->possible += step->possible;
        if (step->handed_in)
            outcome = read_items(book, sqlite3_column_int64(totals, 1), step);
        if (step->handed_in && !outcome)
            outcome = read_answers(book, sqlite3_column_int64(totals, 1), step);
    }
    sqlite3_finalize(totals);
    return outcome;
}

static enum outcome read_refusals(sqlite3 *book, const char *id, struct student *student) {
    sqlite3_stmt *refusals = graded_query(book, refusals_sql);

    if (!refusals)
        return OUTCOME_GRADEBOOK;
    sqlite3_bind_text(refusals, 1, id, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(refusals) == SQLITE_ROW) {
        struct graded_refusal *refusal;

        student->refusals =
            one_more(student->refusals, &student->refusal_count, sizeof *student->refusals);
        refusal = &student->refusals[student->refusal_count - 1];
        refusal->archive = graded_text(refusals, 0);
        refusal->path = graded_text(refusals, 1);
        refusal->reason = graded_text(refusals, 2);
    }
    sqlite3_finalize(refusals);
    return OUTCOME_ACCEPTED;
}

/* Which steps there are totals of. */
static enum outcome read_steps(sqlite3 *book, const struct catalogue *catalogue,
                               struct graded *graded) {
    sqlite3_stmt *steps = graded_query(book, "SELECT step, max(possible) FROM total WHERE student "
                                             "!= '*' AND step = ?1 GROUP BY step");
    int i;

    if (!steps)
        return OUTCOME_GRADEBOOK;
    for (i = 0; i < catalogue->count; i++) {
        sqlite3_bind_text(steps, 1, catalogue->steps[i].name, -1, SQLITE_STATIC);
        if (sqlite3_step(steps) == SQLITE_ROW) {
            graded->possible[graded->step_count] = sqlite3_column_double(steps, 1);
            graded->steps[graded->step_count++] = &catalogue->steps[i];
        }
        sqlite3_reset(steps);
    }
    sqlite3_finalize(steps);
    return OUTCOME_ACCEPTED;
}

/* A gradebook of an older schema has none until it is graded anew. */
static char *read_time_zone(sqlite3 *book) {
    sqlite3_stmt *zone = graded_query(book, "SELECT value FROM meta WHERE key = 'time_zone'");
    char *text =
        zone && sqlite3_step(zone) == SQLITE_ROW ? graded_text(zone, 0) : text_clean("UTC");

    sqlite3_finalize(zone);
    return text;
}

enum outcome graded_read(sqlite3 *book, const struct catalogue *catalogue, struct graded *graded) {
    sqlite3_stmt *students;
    enum outcome outcome;

    memset(graded, 0, sizeof *graded);
    graded->time_zone = read_time_zone(book);
    outcome = read_steps(book, catalogue, graded);
    if (outcome || !(students = graded_query(book, students_sql)))
        return OUTCOME_GRADEBOOK;
    while (!outcome && sqlite3_step(students) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(students, 0);
        struct student *student;

        graded->students =
            one_more(graded->students, &graded->student_count, sizeof *graded->students);
        student = &graded->students[graded->student_count - 1];
        student->id = text_clean(id);
        student->name = graded_text(students, 1);
        student->file = text_file_name(id);
        outcome = read_totals(book, graded, id, student);
        if (!outcome)
            outcome = read_refusals(book, id, student);
    }
    sqlite3_finalize(students);
    return outcome;
}

static void free_step(struct graded_step *step) {
    int i;

    for (i = 0; i < step->item_count; i++) {
        free(step->items[i].name);
        free(step->items[i].state);
        free(step->items[i].explanation);
    }
    free(step->items);
    for (i = 0; i < step->answer_count; i++) {
        free(step->answers[i].question);
        free(step->answers[i].text);
    }
    free(step->answers);
    free(step->questions);
    free(step->origin);
    free(step->submitted_utc);
    free(step->explanation);
    free(step->outcome);
    free(step->hint);
}

void graded_free(struct graded *graded) {
    int i, k;

    for (i = 0; i < graded->student_count; i++) {
        struct student *student = &graded->students[i];

        for (k = 0; k < graded->step_count && student->steps; k++)
            free_step(&student->steps[k]);
        for (k = 0; k < student->refusal_count; k++) {
            free(student->refusals[k].archive);
            free(student->refusals[k].path);
            free(student->refusals[k].reason);
        }
        free(student->steps);
        free(student->refusals);
        free(student->id);
        free(student->name);
        free(student->file);
    }
    free(graded->students);
    free(graded->time_zone);
}
