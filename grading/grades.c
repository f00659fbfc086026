#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "referee/base/files.h"
#include "grading.h"
#include "late.h"
#include "referee/base/lines.h"
#include "owner.h"
#include "query.h"
#include "seed.h"
#include "zone.h"

enum { MOST_ATTEMPTS = 256 };

/* The words of the table `grade`. */
static const char *const states[] = {
    [ITEM_EARNED] = "earned", [ITEM_LEFT_OUT] = "left out", [ITEM_INCONCLUSIVE] = "inconclusive"};

static enum outcome write_rubric(struct grading *grading) {
    size_t bytes;
    char *text = file_bytes(grading->rubric_path, &bytes), sum[65], now[24];
    enum outcome outcome;

    if (!text)
        return complain(OUTCOME_RUBRIC, "%s cannot be read", grading->rubric_path);
    seed_sha256(text, bytes, NULL, sum);
    lines_time(now);
    outcome = query_do(grading->book.db, "DELETE FROM rubric", "");
    if (!outcome)
        outcome = query_do(grading->book.db, "INSERT INTO rubric VALUES (?, ?, ?)", "ttt", sum,
                           text, now);
    if (!outcome)
        outcome = query_do(grading->book.db, "INSERT OR REPLACE INTO meta VALUES ('rubric', ?)",
                           "t", grading->rubric_path);
    free(text);
    return outcome;
}

/* What the clocks of exports' zips showed, as the rubric's time zone has it. */
static enum outcome write_times(struct grading *grading) {
    sqlite3 *db = grading->book.db;
    const char *zone = grading->rubric.time_zone;
    enum outcome outcome, failed;
    sqlite3_stmt *rows = sql_query(db, "SELECT submission, time || 'Z' FROM clock", "");

    failed = query_do(db, "INSERT OR REPLACE INTO meta VALUES ('time_zone', ?)", "t", zone);
    while (query_row(rows, &outcome)) {
        char text[24];

        owner_time(text, zone_seconds(zone, utc_seconds(query_text(rows, 1))));
        if (!failed)
            failed = query_do(db, "UPDATE submission SET submitted_utc = ? WHERE id = ?", "ti",
                              text, (long)sqlite3_column_int64(rows, 0));
    }
    return outcome ? outcome : failed;
}

/* The items of one entry. Those of the solutions are written, too: they say what could be measured.
 */
static enum outcome write_entry(struct grading *grading, long entry, const struct step *step) {
    struct item items[MOST_ITEMS];
    struct evidence evidence;
    enum outcome outcome = evidence_read(grading, entry, step, &evidence);
    int count = 0, i;

    if (!outcome)
        count = score_step(&grading->rubric, step, &evidence, items);
    for (i = 0; i < count && !outcome; i++)
        outcome = query_do(grading->book.db, "INSERT INTO grade VALUES (?, ?, ?, ?, ?, ?, ?)",
                           "iitrrtt", entry, (long)i, items[i].name, items[i].points,
                           items[i].possible, states[items[i].state], items[i].explanation);
    evidence_free(&evidence);
    return outcome;
}

static enum outcome write_entries(struct grading *grading, const struct step *step) {
    sqlite3_stmt *rows = sql_query(
        grading->book.db, "SELECT id FROM entry WHERE step = ? ORDER BY id", "t", step->name);
    enum outcome outcome, failed = OUTCOME_ACCEPTED;

    while (query_row(rows, &outcome))
        failed = failed ? failed : write_entry(grading, (long)sqlite3_column_int64(rows, 0), step);
    return outcome ? outcome : failed;
}

/* A student's total of a step. Without an attempt it is nothing of what the class could earn. */
static enum outcome write_total(struct grading *grading, const char *student,
                                const struct step *step, double possible) {
    struct handed_in attempts[MOST_ATTEMPTS];
    char times[MOST_ATTEMPTS][24];
    enum outcome outcome;
    struct total total;
    int count = 0;
    sqlite3_stmt *rows = sql_query(
        grading->book.db,
        "SELECT entry.id, submitted_utc, (SELECT total(points) FROM grade WHERE entry = entry.id), "
        "(SELECT total(possible) FROM grade WHERE entry = entry.id) FROM entry JOIN submission ON "
        "submission = submission.id WHERE student = ? AND step = ? ORDER BY entry.id DESC LIMIT ?",
        "tti", student, step->name, (long)MOST_ATTEMPTS);

    while (query_row(rows, &outcome)) {
        struct handed_in *attempt = &attempts[count];

        attempt->submitted_utc = strncpy(times[count], query_text(rows, 1), 23);
        times[count++][23] = 0;
        attempt->entry = (long)sqlite3_column_int64(rows, 0);
        attempt->earned = sqlite3_column_double(rows, 2);
        attempt->possible = sqlite3_column_double(rows, 3);
    }
    if (outcome)
        return outcome;
    if (!count)
        return query_do(grading->book.db, "INSERT INTO total VALUES (?, ?, NULL, 0, 0, 0, ?, '')",
                        "ttr", student, step->name, possible);
    late_total(&grading->rubric, step, attempts, count, &total);
    return query_do(grading->book.db, "INSERT INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttirirrt", student, step->name, total.entry, total.earned,
                    (long)total.late_days, total.points, total.possible, total.explanation);
}

static enum outcome write_totals(struct grading *grading, const struct step *step) {
    enum outcome outcome, failed = OUTCOME_ACCEPTED;
    double possible = 0;
    sqlite3_stmt *rows = sql_query(
        grading->book.db,
        "SELECT max(sum) FROM (SELECT total(possible) AS sum FROM grade JOIN entry ON entry "
        "= entry.id WHERE step = ? GROUP BY entry)",
        "t", step->name);

    while (query_row(rows, &outcome))
        possible = sqlite3_column_double(rows, 0);
    if (outcome)
        return outcome;
    rows = sql_query(
        grading->book.db,
        "SELECT DISTINCT student FROM submission WHERE student <> '*' ORDER BY student", "");
    while (query_row(rows, &outcome))
        failed = failed ? failed : write_total(grading, query_text(rows, 0), step, possible);
    return outcome ? outcome : failed;
}

enum outcome grades_write(struct grading *grading) {
    sqlite3 *db = grading->book.db;
    enum outcome outcome = gradebook_begin(&grading->book);
    int i;

    if (!outcome)
        outcome = query_do(db, "DELETE FROM total", "");
    if (!outcome)
        outcome = query_do(db, "DELETE FROM grade", "");
    if (!outcome)
        outcome = write_rubric(grading);
    if (!outcome)
        outcome = write_times(grading);
    for (i = 0; i < grading->catalogue.count && !outcome; i++) {
        const struct step *step = &grading->catalogue.steps[i];

        if (!query_number(
                sql_query(db,
                          "SELECT count(*) FROM measurement JOIN entry ON entry = entry.id "
                          "JOIN submission ON submission = submission.id WHERE student = "
                          "'*' AND step = ?",
                          "t", step->name),
                0))
            continue;
        if (!(outcome = write_entries(grading, step)))
            outcome = write_totals(grading, step);
    }
    return gradebook_end(&grading->book, outcome);
}
