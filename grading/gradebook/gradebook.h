/* The gradebook, OUT/gradebook.sqlite: schema.sql says what is in it. One process writes it, and
 * may be killed at any time. */
#ifndef GRADEBOOK_H
#define GRADEBOOK_H

#include <sqlite3.h>

#include "collect.h"
#include "task.h"

/* SQLite's rollback journal, not its write-ahead log: one file to copy, and good on network file
 * systems. */
struct gradebook {
    sqlite3 *db;
    char folder[400]; /* OUT */
    char secret[65];  /* 64 hex digits */
    int lock;         /* of the folder: one grader at a time */
};

enum { GRADEBOOK_SCHEMA = 3 };

/* Opens the gradebook of a folder, which are made if need be. One of an older schema is copied to
 * gradebook.sqlite.schema-N and then made one of this. OUTCOME_LOCKED if another grader has the
 * folder; OUTCOME_GRADEBOOK if it is damaged, newer or none: it is left untouched. */
enum outcome gradebook_open(struct gradebook *book, const char *folder);
void gradebook_close(struct gradebook *book);

/* A transaction around what belongs together. `end` takes it back unless `outcome` is accepted, and
 * returns that or its own failure. */
enum outcome gradebook_begin(struct gradebook *book);
enum outcome gradebook_end(struct gradebook *book, enum outcome outcome);

/* Writes down a submission unless its student handed in the same before; `added` says which. To be
 * called within a transaction. */
enum outcome gradebook_add(struct gradebook *book, const struct catalogue *catalogue,
                           const struct submission *submission, int *added);

/* The course's own solution of a step as an entry of the student '*', unless it is one. Its id. */
enum outcome gradebook_add_solution(struct gradebook *book, const struct step *step, long *entry);

/* Takes a result over from a file (measure/task.h) and removes that. A file that cannot be read or
 * is of another seed than the task's is removed, too, and `taken` is 0. */
enum outcome gradebook_take(struct gradebook *book, const struct task *task, const char *path,
                            int *taken);

/* What an outcome's word in a file of a result is, of at most 31 bytes; empty: it cannot be read.
 */
void gradebook_peek(const char *path, char word[32]);

#endif
