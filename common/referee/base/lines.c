#define _GNU_SOURCE
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "files.h"
#include "options.h"

/* Another writer holds the lock for one write; this is far longer. */
static const double lock_seconds = 10;

void lines_time(char time_utc[24]) {
    time_t now = time(NULL);

    strftime(time_utc, 24, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
}

static int count_fields(const char *line, char separator) {
    int count = 1;

    for (; *line && *line != '\n'; line++)
        count += *line == separator;
    return count;
}

enum outcome lines_text(const char *path, const char *header, int to_write, char **text) {
    char separator = strchr(header, '\t') ? '\t' : ',', *line, *end;
    size_t size = 0, number = 0;
    enum outcome outcome = OUTCOME_ACCEPTED;

    *text = NULL;
    if (to_write && access(path, W_OK) && errno != ENOENT)
        return complain(OUTCOME_RESULTS, "%s cannot be written: %s", path, strerror(errno));
    if (!(*text = file_bytes(path, &size)) && errno != ENOENT)
        return complain(OUTCOME_RESULTS, "%s cannot be read: %s", path, strerror(errno));
    for (line = *text; line && line < *text + size && !outcome; line = end + 1) {
        end = line + strcspn(line, "\n");
        number++;
        if (number == 1 &&
            (strlen(header) != (size_t)(end - line) || strncmp(line, header, strlen(header))))
            outcome =
                complain(OUTCOME_HEADER,
                         "%s has another header than this course writes; it was left "
                         "untouched: move it away%s",
                         path, separator == ',' ? ", or name another record by MACHINE=" : "");
        else if (*end != '\n' || count_fields(line, separator) != count_fields(header, separator))
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

/* The lock is on the folder, so that one serves both files and leaves none behind. */
static enum outcome lock_folder(const char *folder, int *lock) {
    double give_up = clock_now() + lock_seconds;

    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return complain(OUTCOME_RESULTS, "%s cannot be opened: %s; nothing is written down", folder,
                        strerror(errno));
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

/* A write to the file itself would not do: when a signal kills the writer, Linux ends the write at
 * the next page, in the middle of a line. */
enum outcome lines_append(const char *folder, const char *path, const char *header,
                          const char *lines) {
    char target[PATH_MAX], *old, *whole = NULL;
    enum outcome outcome;
    int lock, is_new;

    mkdir(folder, 0777);
    if ((outcome = lock_folder(folder, &lock)))
        return outcome;
    outcome = lines_text(path, header, 1, &old);
    if (!realpath(path, target)) /* where a link leads to */
        snprintf(target, sizeof target, "%s", path);
    is_new = !old || !*old;
    if (!outcome &&
        asprintf(&whole, "%s%s%s", is_new ? header : old, is_new ? "\n" : "", lines) < 0)
        abort();
    if (!outcome && file_put(target, whole, strlen(whole), 0666))
        outcome = complain(OUTCOME_RESULTS, "%s cannot be written: %s; it is as it was", path,
                           strerror(errno));
    free(old);
    free(whole);
    close(lock);
    return outcome;
}

enum outcome lines_read(const char *path, const char *header,
                        int (*take)(void *to, const char *line), void *to) {
    enum outcome outcome;
    char *text, *rest, *line;
    int number = 1;

    if ((outcome = lines_text(path, header, 0, &text)))
        return outcome;
    rest = text;
    for (strsep(&rest, "\n"); !outcome && (line = strsep(&rest, "\n")) && *line;)
        if (number++, take(to, line))
            outcome = complain(OUTCOME_RECORD, "%s:%d is damaged: mend or remove that line", path,
                               number);
    free(text);
    return outcome;
}
