#include <stdio.h>
#include <stdlib.h>

#include "grading.h"
#include "problems/sorted.h"
#include "query.h"

/* Of one step. Means are of those who handed it in. */
static enum outcome print_step(sqlite3 *db, const char *step, double *percents) {
    double sum = 0;
    int handed_in = 0, full = 0, not_compiling = 0, left_out = 0;
    enum outcome outcome;
    sqlite3_stmt *rows = sql_query(
        db,
        "SELECT points, possible, (SELECT outcome FROM measurement WHERE measurement.entry = "
        "total.entry AND kind = 'check') = 'compile', EXISTS (SELECT 1 FROM grade WHERE "
        "grade.entry = total.entry AND state <> 'earned') FROM total WHERE step = ? AND entry IS "
        "NOT NULL",
        "t", step);

    while (query_row(rows, &outcome)) {
        double points = sqlite3_column_double(rows, 0), possible = sqlite3_column_double(rows, 1);

        percents[handed_in] = possible > 0 ? 100 * points / possible : 0;
        sum += percents[handed_in];
        full += possible > 0 && points > possible - 1e-9;
        not_compiling += sqlite3_column_int(rows, 2);
        left_out += sqlite3_column_int(rows, 3);
        handed_in++;
    }
    if (outcome)
        return outcome;
    sort_ascending(percents, handed_in);
    printf("%-22s %9d", step, handed_in);
    if (handed_in)
        printf(" %6.1f %% %6.1f %%", sum / handed_in, median_of_sorted(percents, handed_in));
    else
        printf(" %8s %8s", "-", "-");
    printf(" %10d %13d %8d\n", full, not_compiling, left_out);
    return OUTCOME_ACCEPTED;
}

enum outcome summary_print(struct grading *grading) {
    sqlite3 *db = grading->book.db;
    long students = query_number(sql_query(db, "SELECT count(DISTINCT student) FROM total", ""), 0);
    double *percents = calloc((size_t)students + 1, sizeof *percents);
    enum outcome outcome, failed = OUTCOME_ACCEPTED;
    sqlite3_stmt *rows = sql_query(db, "SELECT DISTINCT step FROM total ORDER BY step", "");

    if (!percents)
        abort();
    printf("%-22s %9s %8s %8s %10s %13s %8s\n", "step", "handed in", "mean", "median", "full marks",
           "not compiling", "left out");
    while (query_row(rows, &outcome))
        failed = failed ? failed : print_step(db, query_text(rows, 0), percents);
    free(percents);
    if (outcome || failed)
        return outcome ? outcome : failed;
    printf(
        "%ld students. %s: grades.csv, feedback/, class.html; gradebook.sqlite holds all of it\n",
        students, grading->book.folder);
    return OUTCOME_ACCEPTED;
}
