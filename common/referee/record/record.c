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

    for (; *line; line++)
        count += *line == ',';
    return count;
}

/* Looks through an open file: 0 bytes, or the header and whole rows. */
static enum outcome inspect(int fd, const char *path, const char *header) {
    int duplicate = dup(fd), fields = count_fields(header);
    FILE *file = duplicate < 0 ? NULL : fdopen(duplicate, "r");
    char *line = NULL;
    size_t room = 0, number = 0;
    enum outcome outcome = OUTCOME_ACCEPTED;
    ssize_t length;

    if (!file)
        return complain(OUTCOME_INTERNAL, "%s: %s", path, strerror(errno));
    rewind(file);
    while (!outcome && (length = getline(&line, &room, file)) > 0) {
        int whole = line[length - 1] == '\n';

        line[length - whole] = 0;
        number++;
        if (number == 1 && strcmp(line, header))
            outcome = complain(OUTCOME_HEADER,
                               "%s has another header than this course writes; it was left "
                               "untouched: move it away, or name another record by MACHINE=",
                               path);
        else if (!whole || count_fields(line) != fields)
            outcome = complain(OUTCOME_RECORD,
                               "%s:%zu is cut off or damaged; it was left untouched: mend or "
                               "remove that line",
                               path, number);
    }
    free(line);
    fclose(file);
    return outcome;
}

static enum outcome inspect_path(const char *path, const char *header) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    enum outcome outcome;

    if (fd < 0 && errno == ENOENT)
        return OUTCOME_ACCEPTED;
    if (fd < 0)
        return complain(OUTCOME_RESULTS, "%s cannot be written: %s", path, strerror(errno));
    outcome = inspect(fd, path, header);
    close(fd);
    return outcome;
}

enum outcome record_open(struct record *record, const char *folder, const char *machine) {
    struct stat status;
    enum outcome outcome;

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
    if ((outcome = inspect_path(record->rows, ROWS_HEADER)))
        return outcome;
    return inspect_path(record->facts, FACTS_HEADER);
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

static int write_all(int fd, const char *bytes, size_t size) {
    while (size) {
        ssize_t written = write(fd, bytes, size);

        if (written <= 0)
            return 0;
        bytes += written;
        size -= (size_t)written;
    }
    return 1;
}

/* The old file's bytes, or the header where there is none, then the new lines. */
static int write_copy(int old, int fresh, const char *header, const char *text, size_t length) {
    char buffer[65536];
    off_t at = 0;
    ssize_t got = 0;

    while (old >= 0 && (got = pread(old, buffer, sizeof buffer, at)) > 0) {
        if (!write_all(fresh, buffer, (size_t)got))
            return 0;
        at += got;
    }
    if (got < 0 ||
        (at == 0 && (!write_all(fresh, header, strlen(header)) || !write_all(fresh, "\n", 1))))
        return 0;
    return write_all(fresh, text, length) && fsync(fresh) == 0;
}

/* Puts a longer copy in the file's place. A write to the file itself would not do: when a signal
 * kills the writer, Linux ends the write at the next page, in the middle of a row. */
static enum outcome replace(const char *path, int old, const char *header, const char *text,
                            size_t length) {
    char target[PATH_MAX], fresh_path[PATH_MAX + 8];
    struct stat status = {0};
    enum outcome outcome = OUTCOME_ACCEPTED;
    int fresh;

    if (old < 0 || !realpath(path, target)) /* where a link leads to */
        snprintf(target, sizeof target, "%s", path);
    snprintf(fresh_path, sizeof fresh_path, "%s.new", target);
    fresh = open(fresh_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fresh < 0 || (old >= 0 && (fstat(old, &status) || fchmod(fresh, status.st_mode & 07777))) ||
        !write_copy(old, fresh, header, text, length) || rename(fresh_path, target)) {
        outcome = complain(OUTCOME_RESULTS, "%s cannot be written: %s; it is as it was", path,
                           strerror(errno));
        unlink(fresh_path);
    }
    if (fresh >= 0)
        close(fresh);
    return outcome;
}

/* Appends all of `text` or nothing, whatever happens meanwhile. */
static enum outcome append(const char *folder, const char *path, const char *header,
                           const char *text, size_t length) {
    enum outcome outcome;
    int lock, old;

    if ((outcome = lock_folder(folder, &lock)))
        return outcome;
    old = open(path, O_RDWR | O_CLOEXEC);
    if (old < 0 && errno != ENOENT)
        outcome = complain(OUTCOME_RESULTS, "%s cannot be written: %s", path, strerror(errno));
    else if (old >= 0)
        outcome = inspect(old, path, header);
    if (!outcome)
        outcome = replace(path, old, header, text, length);
    if (old >= 0)
        close(old);
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
    outcome = append(folder, path, header, text, length);
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
    FILE *file = fopen(path, "r");
    enum outcome outcome;
    char *line = NULL;
    size_t room = 0;

    *fields = NULL;
    *count = 0;
    if (!file)
        return complain(OUTCOME_RECORD, "%s is not there yet: `make run` or `make bench` write it",
                        path);
    if ((outcome = inspect(fileno(file), path, header))) {
        fclose(file);
        return outcome;
    }
    rewind(file);
    if (getline(&line, &room, file) < 0)
        outcome = complain(OUTCOME_RECORD, "%s is empty", path);
    while (!outcome && getline(&line, &room, file) > 0) {
        char(*more)[FIELD_BYTES] =
            realloc(*fields, (size_t)(*count + 1) * (size_t)columns * FIELD_BYTES);
        char *rest = line, *field;

        if (!more) {
            outcome = complain(OUTCOME_INTERNAL, "no memory for %s", path);
            break;
        }
        *fields = more;
        more += (size_t)*count * (size_t)columns;
        line[strcspn(line, "\n")] = 0;
        while ((field = strsep(&rest, ",")))
            snprintf(*more++, FIELD_BYTES, "%s", field);
        (*count)++;
    }
    free(line);
    fclose(file);
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
