#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "referee/base/clock.h"
#include "referee/base/files.h"
#include "referee/base/options.h"
#include "record.h"

/* Another writer holds the lock for one write; this is far longer. */
static const double lock_seconds = 10;

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

static int count_fields(const char *line) {
    int count = 1;

    for (; *line && *line != '\n'; line++)
        count += *line == ',';
    return count;
}

/* Reads a file to `text`, to be freed: 0 bytes, or the header and whole rows. NULL: there is none.
 */
static enum outcome read_whole(const char *path, const char *header, char **text) {
    size_t size = 0, number = 0;
    enum outcome outcome = OUTCOME_ACCEPTED;
    char *line, *end;

    if (!(*text = file_bytes(path, &size)) && errno != ENOENT)
        return complain(OUTCOME_RESULTS, "%s cannot be read: %s", path, strerror(errno));
    for (line = *text; line && line < *text + size && !outcome; line = end + 1) {
        end = line + strcspn(line, "\n");
        number++;
        if (number == 1 &&
            (strlen(header) != (size_t)(end - line) || strncmp(line, header, strlen(header))))
            outcome = complain(OUTCOME_HEADER,
                               "%s has another header than this course writes; it was left "
                               "untouched: move it away, or name another record by MACHINE=",
                               path);
        else if (*end != '\n' || count_fields(line) != count_fields(header))
            outcome = complain(OUTCOME_RECORD,
                               "%s:%zu is cut off or damaged; it was left untouched: mend or "
                               "remove that line",
                               path, number);
    }
    if (outcome) {
        free(*text);
        *text = NULL;
    }
    return outcome;
}

/* The same of a file that is to be written. */
static enum outcome read_old(const char *path, const char *header, char **text) {
    *text = NULL;
    return access(path, W_OK) && errno != ENOENT
               ? complain(OUTCOME_RESULTS, "%s cannot be written: %s", path, strerror(errno))
               : read_whole(path, header, text);
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
    if (!(outcome = read_old(record->rows, ROWS_HEADER, &rows)))
        outcome = read_old(record->facts, FACTS_HEADER, &facts);
    free(rows);
    free(facts);
    return outcome;
}

/* The lock is on the folder, so that one serves both files and leaves none behind. */
static enum outcome lock_folder(const char *folder, int *lock) {
    double give_up = clock_now() + lock_seconds;

    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return complain(OUTCOME_RESULTS, "%s cannot be opened: %s", folder, strerror(errno));
    while (flock(*lock, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            close(*lock);
            return complain(OUTCOME_RESULTS, "%s cannot be locked: %s", folder, strerror(errno));
        }
        if (clock_now() > give_up) {
            close(*lock);
            return complain(OUTCOME_LOCKED,
                            "%s has been locked by another process for %.0f s; nothing was written",
                            folder, lock_seconds);
        }
        usleep(20000);
    }
    return OUTCOME_ACCEPTED;
}

/* Appends all of `text` or nothing, whatever happens meanwhile. A write to the file itself would
 * not do: when a signal kills the writer, Linux ends the write at the next page, in the middle of a
 * row.
 */
static enum outcome append(const char *folder, const char *path, const char *header,
                           const char *text) {
    char target[PATH_MAX], *old, *whole = NULL;
    enum outcome outcome;
    int lock, is_new;

    if ((outcome = lock_folder(folder, &lock)))
        return outcome;
    outcome = read_old(path, header, &old);
    if (!realpath(path, target)) /* where a link leads to */
        snprintf(target, sizeof target, "%s", path);
    is_new = !old || !*old;
    if (!outcome && asprintf(&whole, "%s%s%s", is_new ? header : old, is_new ? "\n" : "", text) < 0)
        abort();
    if (!outcome && file_put(target, whole, strlen(whole), 0666))
        outcome = complain(OUTCOME_RESULTS, "%s cannot be written: %s; it is as it was", path,
                           strerror(errno));
    free(old);
    free(whole);
    close(lock);
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
    outcome = append(folder, path, header, text);
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
    enum outcome outcome = read_whole(path, header, &text);
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
