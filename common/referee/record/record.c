#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "referee/base/lines.h"
#include "referee/base/options.h"
#include "record.h"

static void clean(char *field) {
    for (; *field; field++)
        if (*field == ',' || *field == '"' || *field == '\n' || *field == '\r')
            *field = ' ';
}

void row_set(struct row *row, enum column column, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(row->field[column], FIELD_BYTES, format, arguments);
    va_end(arguments);
    clean(row->field[column]);
}

void fact_set(struct fact *fact, const char *run, const char *step, const char *variant,
              const char *name, double value, const char *unit, const char *source) {
    const char *words[] = {run, step, variant, name, "", unit, source};
    int i;

    for (i = 0; i < FACT_COLUMNS; i++) {
        snprintf(fact->field[i], FIELD_BYTES, "%s", words[i]);
        clean(fact->field[i]);
    }
    snprintf(fact->field[FACT_value], FIELD_BYTES, "%.6g", value);
}

void record_name_run(char run[RUN_BYTES]) {
    time_t now = time(NULL);
    size_t length = strftime(run, RUN_BYTES, "%Y%m%dT%H%M%SZ", gmtime(&now));

    snprintf(run + length, RUN_BYTES - length, "-%d", (int)getpid());
}

/* Fields joined by commas and ended by a newline. Returns the length. */
static size_t join(char *line, const char (*field)[FIELD_BYTES], int count) {
    size_t length = 0;
    int i;

    for (i = 0; i < count; i++)
        length += (size_t)sprintf(line + length, "%s%c", field[i], i + 1 < count ? ',' : '\n');
    return length;
}

enum outcome record_open(struct record *record, const char *folder, const char *machine) {
    struct stat status;
    enum outcome outcome;
    char *rows, *facts = NULL;

    if (strlen(folder) >= sizeof record->folder)
        return complain(OUTCOME_RESULTS, "%s: the path of the results folder is too long", folder);
    snprintf(record->folder, sizeof record->folder, "%s", folder);
    snprintf(record->rows, sizeof record->rows, "%s/%s.csv", folder, machine);
    snprintf(record->facts, sizeof record->facts, "%s/%s-facts.csv", folder, machine);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return complain(OUTCOME_RESULTS, "%s cannot be made: %s", folder, strerror(errno));
    if (stat(folder, &status) || !S_ISDIR(status.st_mode))
        return complain(OUTCOME_RESULTS, "%s is not a folder; rows are written to a file in it",
                        folder);
    if (access(record->folder, W_OK | X_OK))
        return complain(OUTCOME_RESULTS, "%s cannot be written: %s", folder, strerror(errno));
    if (!(outcome = lines_text(record->rows, ROWS_HEADER, 1, &rows)))
        outcome = lines_text(record->facts, FACTS_HEADER, 1, &facts);
    free(rows);
    free(facts);
    return outcome;
}

/* `count` lines of `columns` fields each. */
static enum outcome append_lines(const char *folder, const char *path, const char *header,
                                 const char (*fields)[FIELD_BYTES], int columns, int count) {
    char *text = malloc((size_t)count * (size_t)columns * FIELD_BYTES + 1);
    size_t length = 0;
    enum outcome outcome;
    int i;

    if (!text)
        return complain(OUTCOME_INTERNAL, "no memory for %d rows", count);
    for (i = 0; i < count; i++)
        length += join(text + length, fields + (size_t)i * (size_t)columns, columns);
    outcome = lines_append(folder, path, header, text);
    free(text);
    return outcome;
}

enum outcome record_append(const struct record *record, const struct row *rows, int count) {
    return append_lines(record->folder, record->rows, ROWS_HEADER, rows->field, COLUMN_COUNT,
                        count);
}

enum outcome record_append_facts(const struct record *record, const struct fact *facts, int count) {
    return append_lines(record->folder, record->facts, FACTS_HEADER, facts->field, FACT_COLUMNS,
                        count);
}

/* Reads the lines of a file, of `columns` fields each; the caller frees them. */
static enum outcome read_lines(const char *path, const char *header, int columns,
                               char (**fields)[FIELD_BYTES], int *count) {
    char *text, *rest, *line, *word, (*field)[FIELD_BYTES];
    enum outcome outcome = lines_text(path, header, 0, &text);
    int lines = -1, i; /* the header is none */

    *fields = NULL;
    *count = 0;
    if (!outcome && !text)
        outcome = complain(OUTCOME_RECORD,
                           "%s is not there yet: `make run` or `make bench` write it", path);
    else if (!outcome && !*text)
        outcome = complain(OUTCOME_RECORD, "%s is empty", path);
    for (rest = text; !outcome && *rest; rest++)
        lines += *rest == '\n';
    if (!outcome && !(*fields = malloc((size_t)(lines + 1) * (size_t)columns * FIELD_BYTES)))
        outcome = complain(OUTCOME_INTERNAL, "no memory for %s", path);
    if (!outcome) {
        *count = lines;
        field = *fields;
        rest = text;
        strsep(&rest, "\n");
        for (i = 0; i < lines; i++)
            for (line = strsep(&rest, "\n"); (word = strsep(&line, ",")); field++)
                snprintf(*field, FIELD_BYTES, "%s", word);
    }
    free(text);
    return outcome;
}

enum outcome record_read(const struct record *record, struct row **rows, int *count) {
    char(*fields)[FIELD_BYTES];
    enum outcome outcome = read_lines(record->rows, ROWS_HEADER, COLUMN_COUNT, &fields, count);

    *rows = (struct row *)fields;
    return outcome;
}

enum outcome record_read_facts(const struct record *record, struct fact **facts, int *count) {
    char(*fields)[FIELD_BYTES] = NULL;
    enum outcome outcome = OUTCOME_ACCEPTED;

    *count = 0;
    if (!access(record->facts, F_OK))
        outcome = read_lines(record->facts, FACTS_HEADER, FACT_COLUMNS, &fields, count);
    *facts = (struct fact *)fields;
    return outcome;
}

enum outcome record_draw(const struct record *record, const char *what, int json) {
    fflush(stdout);
    if (json)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    execl("common/report/pictures/draw.sh", "draw.sh", record->rows, record->folder, what,
          (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/pictures/draw.sh cannot be run");
}
