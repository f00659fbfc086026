#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/files.h"
#include "gradebook.h"
#include "referee/base/lines.h"
#include "query.h"
#include "seed.h"

/* Splits a line at its tabs; the number of its fields, at most `most`. The last one has the rest.
 */
static int split(char *line, char **fields, int most) {
    int count = 0;
    char *tab;

    for (fields[count++] = line; count < most && (tab = strchr(line, '\t')); line = tab + 1) {
        *tab = 0;
        fields[count++] = tab + 1;
    }
    return count;
}

/* answers.tsv: step, question and answer. What is none of these is not taken. */
static enum outcome add_answers(struct gradebook *book, const struct catalogue *catalogue,
                                long submission, const char *text) {
    char *copy = strdup(text), *line, *next, *fields[3];
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (line = strtok_r(copy, "\r\n", &next); line && !outcome;
         line = strtok_r(NULL, "\r\n", &next)) {
        const struct step *step;

        if (split(line, fields, 3) == 3 && (step = catalogue_find(catalogue, fields[0])))
            outcome = query_do(book->db, "INSERT INTO answer VALUES (?, ?, ?, ?)", "ittt",
                               submission, step->name, fields[1], fields[2]);
    }
    free(copy);
    return outcome;
}

/* predictions.tsv: of each step the last one that was not late, else the last. */
static enum outcome add_predictions(struct gradebook *book, const struct catalogue *catalogue,
                                    long submission, const char *text) {
    char *copy = strdup(text), *line, *next, *fields[5];
    enum outcome outcome = OUTCOME_ACCEPTED;

    for (line = strtok_r(copy, "\r\n", &next); line && !outcome;
         line = strtok_r(NULL, "\r\n", &next)) {
        const struct step *step;
        int late;

        if (split(line, fields, 5) < 5 || !(step = catalogue_find(catalogue, fields[1])))
            continue;
        late = strcmp(fields[4], "before") != 0;
        if (late && query_number(sql_query(book->db,
                                           "SELECT 1 FROM prediction WHERE submission = ? AND "
                                           "step = ? AND NOT late",
                                           "it", submission, step->name),
                                 0))
            continue;
        outcome = query_do(book->db, "DELETE FROM prediction WHERE submission = ? AND step = ?",
                           "it", submission, step->name);
        if (!outcome)
            outcome =
                query_do(book->db, "INSERT INTO prediction VALUES (?, ?, ?, ?, ?, ?)", "ittrti",
                         submission, step->name, fields[0], atof(fields[2]), fields[3], (long)late);
    }
    free(copy);
    return outcome;
}

static enum outcome add_parts(struct gradebook *book, const struct catalogue *catalogue, long id,
                              const struct submission *submission) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    for (i = 0; !outcome && i < submission->refusal_count && i < MOST_REFUSALS; i++)
        outcome = query_do(book->db, "INSERT INTO refusal VALUES (?, ?, ?)", "itt", id,
                           submission->refusals[i].path, submission->refusals[i].reason);
    for (i = 0; !outcome && i < submission->source_count; i++) {
        const struct source *source = &submission->sources[i];

        outcome = query_do(book->db,
                           "INSERT INTO entry (submission, step, origin, source, flags) "
                           "VALUES (?, ?, ?, ?, ?)",
                           "ittbt", id, source->step->name, source->origin, source->text,
                           source->bytes, source->flags);
    }
    if (!outcome && submission->answers)
        outcome = add_answers(book, catalogue, id, submission->answers);
    if (!outcome && submission->predictions)
        outcome = add_predictions(book, catalogue, id, submission->predictions);
    return outcome;
}

/* What an instructor says of the time wins, later too. */
static enum outcome set_time(struct gradebook *book, long submission, const char *submitted_utc) {
    enum outcome outcome =
        query_do(book->db, "DELETE FROM clock WHERE submission = ?", "i", submission);

    return outcome ? outcome
                   : query_do(book->db, "UPDATE submission SET submitted_utc = ? WHERE id = ?",
                              "ti", submitted_utc, submission);
}

enum outcome gradebook_add(struct gradebook *book, const struct catalogue *catalogue,
                           const struct submission *submission, int *added) {
    char now[24];
    enum outcome outcome;
    long known, id;

    *added = 0;
    known = query_number(sql_query(book->db,
                                   "SELECT id FROM submission WHERE student = ? AND sha256 = ?",
                                   "tt", submission->student, submission->sha256),
                         0);
    if (known)
        return submission->is_told ? set_time(book, known, submission->submitted_utc)
                                   : OUTCOME_ACCEPTED;
    lines_time(now);
    outcome = query_do(book->db,
                       "INSERT INTO submission (student, name, origin, sha256, submitted_utc, "
                       "collected_utc) VALUES (?, ?, ?, ?, ?, ?)",
                       "tttttt", submission->student, submission->name, submission->origin,
                       submission->sha256, submission->submitted_utc, now);
    id = (long)sqlite3_last_insert_rowid(book->db);
    if (!outcome && *submission->clock)
        outcome =
            query_do(book->db, "INSERT INTO clock VALUES (?, ?)", "it", id, submission->clock);
    if (!outcome)
        outcome = add_parts(book, catalogue, id, submission);
    *added = !outcome;
    return outcome;
}

enum outcome gradebook_add_solution(struct gradebook *book, const struct step *step, long *entry) {
    struct submission submission = {.student = "*", .source_count = 1};
    struct source *source = &submission.sources[0];
    char path[128];
    const struct catalogue none = {.count = 0};
    enum outcome outcome;
    int added;

    snprintf(path, sizeof path, "solutions/%s/%s", step->name, step->source);
    if (!(source->text = file_bytes(path, &source->bytes)))
        return complain(OUTCOME_NO_SOURCE, "%s is missing; the grader needs the solutions", path);
    source->step = step;
    snprintf(source->origin, sizeof source->origin, "%s", path);
    snprintf(submission.origin, sizeof submission.origin, "solutions/%s", step->name);
    snprintf(path, sizeof path, "solutions/%s/flags", step->name);
    source->flags = file_bytes(path, NULL);
    seed_sha256(source->text, source->bytes, source->flags, submission.sha256);
    if (!(outcome = gradebook_begin(book)))
        outcome = gradebook_end(book, gradebook_add(book, &none, &submission, &added));
    if (!outcome)
        *entry =
            query_number(sql_query(book->db,
                                   "SELECT entry.id FROM entry JOIN submission ON submission = "
                                   "submission.id WHERE student = '*' AND sha256 = ? AND step = ?",
                                   "tt", submission.sha256, step->name),
                         0);
    free(source->text);
    free(source->flags);
    return outcome;
}
