#include <stdlib.h>
#include <string.h>

#include "graded.h"
#include "referee/lesson/questions.h"
#include "query.h"
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

char *graded_text(sqlite3_stmt *statement, int column) {
    return text_clean(query_text(statement, column));
}

/* Makes room for one more element of `size` bytes, all 0. */
static void *one_more(void *list, int *count, size_t size) {
    char *more = realloc(list, (size_t)(*count + 1) * size);

    memset(more + (size_t)(*count)++ * size, 0, size);
    return more;
}

static enum outcome read_items(sqlite3 *book, long entry, struct graded_step *step) {
    sqlite3_stmt *rows = sql_query(book, items_sql, "i", entry);
    enum outcome outcome;

    while (query_row(rows, &outcome)) {
        struct graded_item *item;

        step->items = one_more(step->items, &step->item_count, sizeof *step->items);
        item = &step->items[step->item_count - 1];
        item->name = graded_text(rows, 0);
        item->state = graded_text(rows, 1);
        item->explanation = graded_text(rows, 2);
        item->points = sqlite3_column_double(rows, 3);
        item->possible = sqlite3_column_double(rows, 4);
        item->counted = !strcmp(item->state, "earned");
    }
    if (outcome)
        return outcome;
    rows = sql_query(book, check_sql, "i", entry);
    while (query_row(rows, &outcome)) {
        step->outcome = graded_text(rows, 0);
        step->hint = graded_hint(step->step, step->outcome, query_text(rows, 1));
    }
    return outcome;
}

static enum outcome read_answers(sqlite3 *book, long entry, struct graded_step *step) {
    sqlite3_stmt *answers = sql_query(book, answers_sql, "i", entry);
    enum outcome outcome;

    while (query_row(answers, &outcome)) {
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
    return outcome;
}

static enum outcome read_totals(sqlite3 *book, const struct graded *graded, const char *id,
                                struct student *student) {
    sqlite3_stmt *totals = sql_query(book, totals_sql, "t", id);
    enum outcome outcome, failed = OUTCOME_ACCEPTED;

    student->steps = calloc((size_t)graded->step_count + 1, sizeof *student->steps);
    while (query_row(totals, &outcome)) {
        long entry = (long)sqlite3_column_int64(totals, 1);
        struct graded_step *step;
        int i = 0;

        while (i < graded->step_count && strcmp(graded->steps[i]->name, query_text(totals, 0)))
            i++;
        if (i == graded->step_count || failed)
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
        if (step->handed_in && !(failed = read_items(book, entry, step)))
            failed = read_answers(book, entry, step);
    }
    return outcome ? outcome : failed;
}

static enum outcome read_refusals(sqlite3 *book, const char *id, struct student *student) {
    sqlite3_stmt *refusals = sql_query(book, refusals_sql, "t", id);
    enum outcome outcome;

    while (query_row(refusals, &outcome)) {
        struct graded_refusal *refusal;

        student->refusals =
            one_more(student->refusals, &student->refusal_count, sizeof *student->refusals);
        refusal = &student->refusals[student->refusal_count - 1];
        refusal->archive = graded_text(refusals, 0);
        refusal->path = graded_text(refusals, 1);
        refusal->reason = graded_text(refusals, 2);
    }
    return outcome;
}

/* Which steps there are totals of. */
static enum outcome read_steps(sqlite3 *book, const struct catalogue *catalogue,
                               struct graded *graded) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    for (i = 0; i < catalogue->count && !outcome; i++) {
        sqlite3_stmt *row = sql_query(book,
                                      "SELECT max(possible) FROM total WHERE student != '*' AND "
                                      "step = ?1 GROUP BY step",
                                      "t", catalogue->steps[i].name);

        while (query_row(row, &outcome)) {
            graded->possible[graded->step_count] = sqlite3_column_double(row, 0);
            graded->steps[graded->step_count++] = &catalogue->steps[i];
        }
    }
    return outcome;
}

/* A gradebook of an older schema has none until it is graded anew. */
static char *read_time_zone(sqlite3 *book) {
    sqlite3_stmt *row = sql_query(book, "SELECT value FROM meta WHERE key = 'time_zone'", "");
    char *text = NULL;

    while (query_row(row, NULL))
        text = graded_text(row, 0);
    return text ? text : text_clean("UTC");
}

enum outcome graded_read(sqlite3 *book, const struct catalogue *catalogue, struct graded *graded) {
    sqlite3_stmt *students;
    enum outcome outcome, failed = OUTCOME_ACCEPTED;

    memset(graded, 0, sizeof *graded);
    graded->time_zone = read_time_zone(book);
    if ((outcome = read_steps(book, catalogue, graded)))
        return outcome;
    students = sql_query(book, students_sql, "");
    while (query_row(students, &outcome)) {
        const char *id = query_text(students, 0);
        struct student *student;

        if (failed)
            continue;
        graded->students =
            one_more(graded->students, &graded->student_count, sizeof *graded->students);
        student = &graded->students[graded->student_count - 1];
        student->id = text_clean(id);
        student->name = graded_text(students, 1);
        student->file = text_file_name(id);
        if (!(failed = read_totals(book, graded, id, student)))
            failed = read_refusals(book, id, student);
    }
    return outcome ? outcome : failed;
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
