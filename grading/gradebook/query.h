/* Statements of SQL with their values bound, never pasted into the text. */
#ifndef QUERY_H
#define QUERY_H

#include <sqlite3.h>

#include "problems/outcome.h"

/* Prepares a statement; NULL after a failure, which was complained of. `types` has a letter for
 * each value that follows: t a text (NULL is null), i a long, r a double, b bytes and their number,
 * a size_t. What they point to must live as long as the statement. */
sqlite3_stmt *sql_query(sqlite3 *db, const char *sql, const char *types, ...);

/* Runs a statement that gives no rows. */
enum outcome query_do(sqlite3 *db, const char *sql, const char *types, ...);

/* Goes on to the statement's next row: 1. At the end, after a failure and for NULL 0; the statement
 * is gone then, and `outcome` told unless NULL. */
int query_row(sqlite3_stmt *statement, enum outcome *outcome);

/* The number in the first row's first column, or `otherwise`. */
long query_number(sqlite3_stmt *statement, long otherwise);

/* A text of the row, never NULL. */
const char *query_text(sqlite3_stmt *statement, int column);

/* Complains of SQLite's last error in one line. */
enum outcome query_failed(sqlite3 *db);

#endif
