#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lines.h"
#include "options.h"

enum { LINE_BYTES = 1400 };

void lines_time(char time_utc[24]) {
    time_t now = time(NULL);

    strftime(time_utc, 24, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
}

enum outcome lines_append(const char *results, const char *name, const char *header,
                          const char *line) {
    char path[544], text[2 * LINE_BYTES];
    struct stat status;
    int file, length;

    snprintf(path, sizeof path, "%s/%s", results, name);
    mkdir(results, 0777);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || fstat(file, &status)) {
        if (file >= 0)
            close(file);
        return complain(OUTCOME_RESULTS, "%s: %s; what you do is not written down", path,
                        strerror(errno));
    }
    length = snprintf(text, sizeof text, "%s%s", status.st_size ? "" : header, line);
    if (write(file, text, (size_t)length) != length) {
        close(file);
        return complain(OUTCOME_RESULTS, "%s: %s", path, strerror(errno));
    }
    close(file);
    return OUTCOME_ACCEPTED;
}

enum outcome lines_read(const char *results, const char *name, const char *header,
                        const char *fields, int (*take)(void *to, const char *line), void *to) {
    char path[544], line[LINE_BYTES];
    enum outcome outcome = OUTCOME_ACCEPTED;
    int number = 1;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", results, name);
    if (!(file = fopen(path, "r")))
        return errno == ENOENT ? OUTCOME_ACCEPTED
                               : complain(OUTCOME_RESULTS, "%s: %s", path, strerror(errno));
    if (!fgets(line, sizeof line, file) || strcmp(line, header))
        outcome = complain(OUTCOME_HEADER,
                           "%s has another header than this version's; move it away", path);
    while (!outcome && fgets(line, sizeof line, file)) {
        char *end = strchr(line, '\n');

        number++;
        if (end)
            *end = 0;
        if (!end || take(to, line))
            outcome =
                complain(OUTCOME_RECORD, "%s is damaged: line %d has no %s", path, number, fields);
    }
    fclose(file);
    return outcome;
}
