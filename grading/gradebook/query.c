#include "query.h"

#include <stdarg.h>

#include "referee/base/options.h"

enum outcome query_failed(sqlite3 *db) {
    const char *path = sqlite3_db_filename(db, "main"), *words = sqlite3_errmsg(db);
    int code = sqlite3_errcode(db) & 0xff;

    /* ENOSPC is SQLITE_FULL; a quota or another limit shows as a write that fails. */
    if (code == SQLITE_FULL || sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE)
        return complain(OUTCOME_FULL,
                        "%s: the disk is full; what was measured before is kept, and the same "
                        "command goes on when there is room",
                        path);
    switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* a table that is not there, too */
        return complain(OUTCOME_GRADEBOOK,
                        "%s is damaged (%s) and left as it is; put a copy in its place, or name "
                        "another OUT=",
                        path, words);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return complain(OUTCOME_LOCKED, "%s is in use by another program; close it", path);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return complain(OUTCOME_RESULTS, "%s cannot be read or written: %s", path, words);
    default:
        return complain(OUTCOME_INTERNAL, "%s: %s", path, words);
    }
}

/* Why the last statement that is NULL is. */
static enum outcome unprepared;

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const char *types, va_list values) {
    sqlite3_stmt *statement = NULL;
    int i, wrong = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

    for (i = 1; !wrong && *types; i++, types++) {
        if (*types == 't') {
            wrong =
                sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_STATIC);
        } else if (*types == 'i') {
            wrong = sqlite3_bind_int64(statement, i, va_arg(values, long));
        } else if (*types == 'r') {
            wrong = sqlite3_bind_double(statement, i, va_arg(values, double));
        } else {
            const void *bytes = va_arg(values, const void *);

            wrong = sqlite3_bind_blob64(statement, i, bytes, va_arg(values, size_t), SQLITE_STATIC);
        }
    }
    if (!wrong)
        return statement;
    unprepared = query_failed(db);
    sqlite3_finalize(statement);
    return NULL;
}

sqlite3_stmt *sql_query(sqlite3 *db, const char *sql, const char *types, ...) {
    sqlite3_stmt *statement;
    va_list values;

    va_start(values, types);
    statement = prepare(db, sql, types, values);
    va_end(values);
    return statement;
}

int query_row(sqlite3_stmt *statement, enum outcome *outcome) {
    sqlite3 *db = statement ? sqlite3_db_handle(statement) : NULL;
    enum outcome ended = OUTCOME_ACCEPTED;
    int got = statement ? sqlite3_step(statement) : SQLITE_INTERNAL;

    if (got == SQLITE_ROW)
        return 1;
    if (got != SQLITE_DONE)
        ended = statement ? query_failed(db) : unprepared;
    sqlite3_finalize(statement);
    if (outcome)
        *outcome = ended;
    return 0;
}

enum outcome query_do(sqlite3 *db, const char *sql, const char *types, ...) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    sqlite3_stmt *statement;
    va_list values;

    va_start(values, types);
    statement = prepare(db, sql, types, values);
    va_end(values);
    while (query_row(statement, &outcome))
        ;
    return outcome;
}

long query_number(sqlite3_stmt *statement, long otherwise) {
    long number = otherwise;

    while (query_row(statement, NULL))
        number = (long)sqlite3_column_int64(statement, 0);
    return number;
}

const char *query_text(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return text ? text : "";
}
