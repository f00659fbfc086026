#define _GNU_SOURCE
#include "gradebook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query.h"
#include "referee/base/files.h"
#include "seed.h"

static const char schema_file[] = "grading/gradebook/schema.sql";

enum { PATH_MOST = sizeof((struct gradebook *)0)->folder + 64 };

/* Makes a folder with those above it. Students' work is in it: for its owner alone. */
static int make_folders(const char *folder) {
    char path[PATH_MOST];
    char *slash;

    snprintf(path, sizeof path, "%s", folder);
    for (slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static enum outcome lock(struct gradebook *book) {
    const char *folder = book->folder;

    if (!make_folders(folder) ||
        (book->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 ||
        access(folder, W_OK | X_OK))
        return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_RESULTS,
                        "OUT=%s is no folder that can be written to: %s", folder, strerror(errno));
    if (flock(book->lock, LOCK_EX | LOCK_NB))
        return complain(
            OUTCOME_LOCKED,
            "another grader is at work in %s; wait for it, or name another OUT=", folder);
    return OUTCOME_ACCEPTED;
}

static enum outcome create(struct gradebook *book) {
    char number[16], *sql = file_bytes(schema_file, NULL);
    enum outcome outcome;

    if (!sql || !seed_secret(book->secret)) {
        free(sql);
        return complain(OUTCOME_INTERNAL, "%s cannot be read; run from the top of the course",
                        schema_file);
    }
    snprintf(number, sizeof number, "%d", GRADEBOOK_SCHEMA);
    outcome = gradebook_begin(book);
    if (!outcome && sqlite3_exec(book->db, sql, NULL, NULL, NULL))
        outcome = query_failed(book->db);
    if (!outcome)
        outcome = query_do(book->db, "INSERT INTO meta VALUES ('schema', ?), ('secret', ?)", "tt",
                           number, book->secret);
    free(sql);
    return gradebook_end(book, outcome);
}

/* From schema N to N + 1, in number N - 1. */
static const char *const migrations[] = {
    /* Predictions were taken on trust: that none was late is what a book of schema 1 says. */
    "ALTER TABLE prediction ADD COLUMN late INTEGER NOT NULL DEFAULT 0",
    /* Times were read by the clock of whoever graded, and are what they are. */
    "CREATE TABLE clock (submission INTEGER PRIMARY KEY REFERENCES submission (id), time TEXT NOT "
    "NULL)",
};

static enum outcome migrate(struct gradebook *book, const char *path, int schema) {
    char copy[PATH_MOST + 32], number[16];
    enum outcome outcome;
    int from;

    snprintf(copy, sizeof copy, "%s.schema-%d", path, schema);
    if (file_copy(path, copy, 0600))
        return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_RESULTS,
                        "%s has an older schema, and no copy of it can be written to %s: %s", path,
                        copy, strerror(errno));
    outcome = gradebook_begin(book);
    for (from = schema; !outcome && from < GRADEBOOK_SCHEMA; from++)
        /* cppcheck-suppress negativeIndex */
        if (sqlite3_exec(book->db, migrations[from - 1], NULL, NULL, NULL))
            outcome = query_failed(book->db);
    snprintf(number, sizeof number, "%d", GRADEBOOK_SCHEMA);
    if (!outcome)
        outcome = query_do(book->db, "UPDATE meta SET value = ? WHERE key = 'schema'", "t", number);
    outcome = gradebook_end(book, outcome);
    if (!outcome)
        fprintf(stderr, "%s had the older schema %d; it was kept as %s\n", path, schema, copy);
    return outcome;
}

/* SQLite's words are several lines. */
static enum outcome say_damaged(const char *path, const char *words) {
    char line[120], *end;

    snprintf(line, sizeof line, "%s", words);
    while ((end = strchr(line, '\n')))
        *end = ' ';
    return complain(
        OUTCOME_GRADEBOOK,
        "%s is damaged (%s) and left as it is; put a copy in its place, or name another "
        "OUT=",
        path, line);
}

/* Whether an existing file is whole, and its schema; 0: it is empty. Nothing is written but, where
 * a killed grader left its journal, what SQLite takes back by that. */
static enum outcome inspect(struct gradebook *book, const char *path, int *schema) {
    char journal[PATH_MOST + 16];
    enum outcome outcome, whole = OUTCOME_ACCEPTED;
    sqlite3_stmt *statement;

    snprintf(journal, sizeof journal, "%s-journal", path);
    if (sqlite3_open_v2(path, &book->db,
                        access(journal, F_OK) ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, NULL))
        return query_failed(book->db);
    sqlite3_busy_timeout(book->db, 10000);
    statement = sql_query(book->db, "PRAGMA integrity_check(1)", "");
    while (query_row(statement, &outcome))
        if (strcmp(query_text(statement, 0), "ok"))
            whole = say_damaged(path, query_text(statement, 0));
    if (outcome || whole)
        return outcome ? outcome : whole;
    *schema = 0;
    if (!query_number(sql_query(book->db, "SELECT count(*) FROM sqlite_master", ""), 1))
        return OUTCOME_ACCEPTED;
    if (query_number(
            sql_query(book->db, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'", ""), 0))
        *schema = (int)query_number(
            sql_query(book->db, "SELECT value FROM meta WHERE key = 'schema'", ""), 0);
    if (*schema < 1)
        return complain(OUTCOME_GRADEBOOK,
                        "%s is no gradebook, and left as it is; name another OUT=", path);
    if (*schema > GRADEBOOK_SCHEMA)
        return complain(
            OUTCOME_GRADEBOOK,
            "%s is of a newer version of the course (schema %d; this one knows %d), and "
            "left as it is",
            path, *schema, GRADEBOOK_SCHEMA);
    return OUTCOME_ACCEPTED;
}

static enum outcome read_secret(struct gradebook *book) {
    sqlite3_stmt *statement =
        sql_query(book->db, "SELECT value FROM meta WHERE key = 'secret'", "");
    enum outcome outcome;

    while (query_row(statement, &outcome))
        snprintf(book->secret, sizeof book->secret, "%s", query_text(statement, 0));
    if (!outcome && strspn(book->secret, "0123456789abcdef") != 64)
        outcome = complain(OUTCOME_GRADEBOOK,
                           "the gradebook in %s has no secret, and is left as it is", book->folder);
    return outcome;
}

enum outcome gradebook_open(struct gradebook *book, const char *folder) {
    char path[PATH_MOST];
    enum outcome outcome;
    int schema = 0;

    memset(book, 0, sizeof *book);
    book->lock = -1;
    if (strlen(folder) >= sizeof book->folder)
        return complain(OUTCOME_USAGE, "OUT=%s: fewer than %zu bytes are needed", folder,
                        sizeof book->folder);
    strcpy(book->folder, folder);
    snprintf(path, sizeof path, "%s/gradebook.sqlite", folder);
    outcome = lock(book);
    if (!outcome && !access(path, F_OK)) {
        outcome = inspect(book, path, &schema);
        sqlite3_close(book->db);
        book->db = NULL;
    }
    if (!outcome) {
        mode_t mask = umask(077);

        if (sqlite3_open(path, &book->db))
            outcome = query_failed(book->db);
        umask(mask);
    }
    if (!outcome) {
        sqlite3_busy_timeout(book->db, 10000);
        outcome = query_do(book->db, "PRAGMA foreign_keys = ON", "");
    }
    if (!outcome && !schema)
        outcome = create(book);
    else if (!outcome && schema < GRADEBOOK_SCHEMA)
        outcome = migrate(book, path, schema);
    if (!outcome)
        outcome = read_secret(book);
    if (outcome)
        gradebook_close(book);
    return outcome;
}

void gradebook_close(struct gradebook *book) {
    sqlite3_close(book->db);
    if (book->lock >= 0)
        close(book->lock);
    book->db = NULL;
    book->lock = -1;
}

enum outcome gradebook_begin(struct gradebook *book) {
    return query_do(book->db, "BEGIN IMMEDIATE", "");
}

enum outcome gradebook_end(struct gradebook *book, enum outcome outcome) {
    if (!outcome)
        outcome = query_do(book->db, "COMMIT", "");
    if (outcome && !sqlite3_get_autocommit(book->db)) /* SQLite takes it back itself when full */
        sqlite3_exec(book->db, "ROLLBACK", NULL, NULL, NULL);
    return outcome;
}
