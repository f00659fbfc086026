/* The timed rows of the learner's own programs in the records of a results folder, and those of the
 * solutions in the committed ones. */
#ifndef STUDENT_ROWS_H
#define STUDENT_ROWS_H

#include "record.h"

struct student_rows {
    struct row *list;
    int count;
};

/* Those with a rate, of the record of `machine`, or, if that is NULL, of every record in the
 * folder. A file with another header is no record; of a damaged one that is said, and it counts as
 * empty. Freed by student_rows_free(). */
void student_rows_read(const char *results, const char *machine, struct student_rows *rows);

/* The same of the solutions, of the committed records of a GPU, which every copy of the course has.
 */
void solution_rows_read(struct student_rows *rows);

void student_rows_free(struct student_rows *rows);

/* The row of the step that its last bench says most about: of its last run that was compared with
 * the step before (or, if none was, of its last run) that with the largest n. NULL: none. */
const struct row *student_rows_last(const struct student_rows *rows, const char *step);

/* The row with the highest rate among the accepted ones. NULL: none. */
const struct row *student_rows_best(const struct student_rows *rows, const char *step);

/* Whether the step was ever timed. */
int student_rows_any(const struct student_rows *rows, const char *step);

#endif
