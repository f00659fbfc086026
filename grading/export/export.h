/* What instructors and students get of a gradebook: files written anew from it alone. */
#ifndef EXPORT_H
#define EXPORT_H

#include <sqlite3.h>

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

/* Writes into `folder`: grades.csv, grades_by_step.csv, moodle.csv, canvas.csv, junit.xml,
 * gradescope/STUDENT.json, classroom/STUDENT.json, feedback/STUDENT.{md,html}, class.html. Each
 * file takes its place all at once. The same gradebook gives the same bytes. */
enum outcome export_all(sqlite3 *book, const struct catalogue *catalogue, const char *folder);

/* Fills the table `similar` (gradebook/schema.sql) anew. Without similarity-tester says in one line
 * that pairs are not looked for. */
enum outcome similar_find(sqlite3 *book, const struct catalogue *catalogue);

#endif
