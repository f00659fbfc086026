#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "grading.h"
#include "query.h"
#include "skeleton.h"

static char *copy_text(sqlite3_stmt *statement) {
    char *text = strdup(query_text(statement, 0));

    if (!text)
        abort();
    return text;
}

enum outcome evidence_read(struct grading *grading, long entry, const struct step *step,
                           struct evidence *evidence) {
    sqlite3 *db = grading->book.db;
    enum outcome outcome;
    sqlite3_stmt *rows;

    memset(evidence, 0, sizeof *evidence);
    rows = sql_query(db, "SELECT result FROM measurement WHERE entry = ? AND kind = 'check'", "i",
                     entry);
    while (query_row(rows, &outcome))
        evidence->check = copy_text(rows);
    if (outcome)
        return outcome;
    rows = sql_query(db,
                     "SELECT result FROM measurement WHERE entry = ? AND kind = 'speed' "
                     "ORDER BY repeat",
                     "i", entry);
    while (query_row(rows, &outcome))
        if (evidence->speed_count < MOST_SPEEDS)
            evidence->speeds[evidence->speed_count++] = copy_text(rows);
    if (outcome)
        return outcome;
    rows =
        sql_query(db,
                  "SELECT result FROM measurement JOIN entry ON entry = entry.id JOIN submission "
                  "ON submission = submission.id WHERE student = '*' AND step = ? AND kind = "
                  "'check' ORDER BY entry DESC LIMIT 1",
                  "t", step->name);
    while (query_row(rows, &outcome))
        evidence->reference = copy_text(rows);
    if (outcome)
        return outcome;
    rows = sql_query(db, "SELECT source, flags FROM entry WHERE id = ?", "i", entry);
    while (query_row(rows, &outcome))
        evidence->untouched =
            skeleton_is(step, query_text(rows, 0),
                        sqlite3_column_type(rows, 1) == SQLITE_NULL ? "" : query_text(rows, 1));
    if (outcome)
        return outcome;
    rows =
        sql_query(db,
                  "SELECT prediction.speedup FROM prediction JOIN entry USING (submission, step) "
                  "WHERE entry.id = ? AND NOT late",
                  "i", entry);
    while (query_row(rows, &outcome)) {
        evidence->predicted = 1;
        evidence->predicted_speedup = sqlite3_column_double(rows, 0);
    }
    if (!outcome)
        evidence->questions_answered = (int)query_number(
            sql_query(
                db,
                "SELECT count(DISTINCT question) FROM answer JOIN entry USING (submission, step) "
                "WHERE entry.id = ? AND trim(text) <> ''",
                "i", entry),
            0);
    return outcome;
}

void evidence_free(struct evidence *evidence) {
    int i;

    free((char *)evidence->check);
    free((char *)evidence->reference);
    for (i = 0; i < evidence->speed_count; i++)
        free((char *)evidence->speeds[i]);
    memset(evidence, 0, sizeof *evidence);
}
