#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "student_rows.h"

/* Whether the file begins as a record does. */
static int is_record(const char *path) {
    char line[16] = "";
    FILE *file = fopen(path, "r");

    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        *line = 0;
    fclose(file);
    return !strncmp(line, "time_utc,commit", 15);
}

static void read_record(const char *path, const char *source, struct student_rows *rows) {
    struct record record = {0};
    struct row *read;
    int count, i;

    snprintf(record.rows, sizeof record.rows, "%s", path);
    if (record_read(&record, &read, &count)) {
        free(read);
        return;
    }
    rows->list = realloc(rows->list, (size_t)(rows->count + count + 1) * sizeof *rows->list);
    if (!rows->list)
        abort();
    for (i = 0; i < count; i++)
        if (!strcmp(read[i].field[COLUMN_source], source) && *read[i].field[COLUMN_rate_gps])
            rows->list[rows->count++] = read[i];
    free(read);
}

/* The rows of the source with a rate, of all records whose paths match. */
static void read_records(const char *pattern, const char *source, struct student_rows *rows) {
    glob_t found = {0};
    size_t i;

    memset(rows, 0, sizeof *rows);
    if (!glob(pattern, 0, NULL, &found))
        for (i = 0; i < found.gl_pathc; i++)
            if (is_record(found.gl_pathv[i]))
                read_record(found.gl_pathv[i], source, rows);
    globfree(&found);
}

void student_rows_read(const char *results, const char *machine, struct student_rows *rows) {
    char pattern[600];

    snprintf(pattern, sizeof pattern, "%s/%s.csv", results, machine ? machine : "*");
    read_records(pattern, "student", rows);
}

void solution_rows_read(struct student_rows *rows) {
    read_records("docs/results/h200*/h200*.csv", "solution", rows);
}

void student_rows_free(struct student_rows *rows) {
    free(rows->list);
    memset(rows, 0, sizeof *rows);
}

static int is_of(const struct row *row, const char *step) {
    return !strcmp(row->field[COLUMN_step], step);
}

static double number(const struct row *row, enum column column) {
    return atof(row->field[column]);
}

/* The last row of the step by time; with `compared`, of those that have a speed-up. */
static const struct row *newest(const struct student_rows *rows, const char *step, int compared) {
    const struct row *row, *last = NULL;

    for (row = rows->list; row < rows->list + rows->count; row++)
        if (is_of(row, step) && (!compared || *row->field[COLUMN_speedup_previous]) &&
            (!last || strcmp(row->field[COLUMN_time_utc], last->field[COLUMN_time_utc]) >= 0))
            last = row;
    return last;
}

const struct row *student_rows_last(const struct student_rows *rows, const char *step) {
    const struct row *row, *last = newest(rows, step, 1), *largest;
    int compared = last != NULL;

    if (!last && !(last = newest(rows, step, 0)))
        return NULL;
    largest = last;
    for (row = rows->list; row < rows->list + rows->count; row++)
        if (is_of(row, step) && !strcmp(row->field[COLUMN_run], last->field[COLUMN_run]) &&
            (!compared || *row->field[COLUMN_speedup_previous]) &&
            number(row, COLUMN_n) > number(largest, COLUMN_n))
            largest = row;
    return largest;
}

const struct row *student_rows_best(const struct student_rows *rows, const char *step) {
    const struct row *row, *best = NULL;

    for (row = rows->list; row < rows->list + rows->count; row++)
        if (is_of(row, step) &&
            (!strncmp(row->field[COLUMN_verdict], "accepted", 8) ||
             strstr(row->field[COLUMN_verdict], ":expected")) &&
            (!best || number(row, COLUMN_rate_gps) > number(best, COLUMN_rate_gps)))
            best = row;
    return best;
}

int student_rows_any(const struct student_rows *rows, const char *step) {
    return newest(rows, step, 0) != NULL;
}
