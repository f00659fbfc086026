#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "journal.h"
#include "parts.h"

static const char header[] = "time_utc\tevent\tstep\tresult\twhere\ttext\n";

static void journal_path(const char *results, char path[544]) {
    snprintf(path, 544, "%s/journal.tsv", results);
}

enum outcome journal_add(const char *results, struct event *event) {
    char path[544], line[1400];
    time_t now = time(NULL);
    struct stat status;
    int file, length;
    char *c;

    journal_path(results, path);
    strftime(event->time_utc, sizeof event->time_utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    for (c = event->text; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    mkdir(results, 0777);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || fstat(file, &status))
        return complain(OUTCOME_RESULTS, "%s: %s; what you do is not written down", path,
                        strerror(errno));
    length = snprintf(line, sizeof line, "%s%s\t%s\t%s\t%s\t%s\t%s\n", status.st_size ? "" : header,
                      event->time_utc, event->event, event->step, event->result, event->where,
                      *event->text ? event->text : "-");
    if (write(file, line, (size_t)length) != length) {
        close(file);
        return complain(OUTCOME_RESULTS, "%s: %s", path, strerror(errno));
    }
    close(file);
    return OUTCOME_ACCEPTED;
}

enum outcome journal_read(const char *results, struct event **events, int *count) {
    char path[544], line[1400];
    FILE *file;
    int number = 1, room = 0;

    *events = NULL;
    *count = 0;
    journal_path(results, path);
    if (!(file = fopen(path, "r")))
        return errno == ENOENT ? OUTCOME_ACCEPTED
                               : complain(OUTCOME_RESULTS, "%s: %s", path, strerror(errno));
    if (!fgets(line, sizeof line, file) || strcmp(line, header)) {
        fclose(file);
        return complain(OUTCOME_HEADER, "%s has another header than this version's; move it away",
                        path);
    }
    while (fgets(line, sizeof line, file)) {
        struct event *event;

        number++;
        if (*count == room) {
            room = room ? 2 * room : 64;
            *events = realloc(*events, (size_t)room * sizeof **events);
            if (!*events)
                abort();
        }
        event = &(*events)[*count];
        if (!strchr(line, '\n') ||
            sscanf(line, "%23[^\t]\t%11[^\t]\t%39[^\t]\t%15[^\t]\t%31[^\t]\t%1023[^\n]",
                   event->time_utc, event->event, event->step, event->result, event->where,
                   event->text) != 6) {
            fclose(file);
            free(*events);
            *events = NULL;
            return complain(OUTCOME_RECORD, "%s is damaged: line %d has no six fields", path,
                            number);
        }
        ++*count;
    }
    fclose(file);
    return OUTCOME_ACCEPTED;
}

/* Copies a file so that the copy is never seen half written. */
static int copy_file(const char *from, const char *to) {
    char new[560], block[4096];
    FILE *in = fopen(from, "r"), *out;
    size_t bytes;
    int bad;

    snprintf(new, sizeof new, "%s.new", to);
    if (!in || !(out = fopen(new, "w"))) {
        if (in)
            fclose(in);
        return -1;
    }
    while ((bytes = fread(block, 1, sizeof block, in)))
        fwrite(block, 1, bytes, out);
    bad = ferror(in) || ferror(out);
    fclose(in);
    return fclose(out) || bad || rename(new, to) ? -1 : 0;
}

/* Keeps the source, and the file `flags` beside it if there is one. */
static enum outcome keep(const struct programs *programs, const struct options *options) {
    char folder[544], to[512], flags[544], kept_flags[544], *slash;

    passed_path(programs->step, options, to);
    snprintf(folder, sizeof folder, "%s/passed", options->results);
    mkdir(options->results, 0777);
    mkdir(folder, 0777);
    snprintf(folder, sizeof folder, "%s", to);
    if ((slash = strrchr(folder, '/')))
        *slash = 0;
    mkdir(folder, 0777);
    name_flags(programs->source, flags);
    name_flags(to, kept_flags);
    if (copy_file(programs->source, to) || (!access(flags, R_OK) && copy_file(flags, kept_flags)))
        return complain(OUTCOME_RESULTS, "%s: %s; no copy of the accepted source is kept", to,
                        strerror(errno));
    return OUTCOME_ACCEPTED;
}

/* The first number behind `mark` in the text, where `mark` is at the end of a file's name or a word
 * of its own; -1: none. */
static long number_behind(const char *text, const char *mark) {
    const char *at = text;

    for (; (at = strstr(at, mark)); at++)
        if (isdigit((unsigned char)at[strlen(mark)]))
            return strtol(at + strlen(mark), NULL, 10);
    return -1;
}

/* Where a failure is: in which line of the source, if the text names one, else at which size. */
static void find_where(const char *text, char where[32]) {
    static const char *const marks[] = {".cu:", ".cu(", ".c:", "line "};
    long number = -1;
    size_t i;

    for (i = 0; i < sizeof marks / sizeof *marks && number < 0; i++)
        number = number_behind(text, marks[i]);
    if (number >= 0) {
        snprintf(where, 32, "line %ld", number);
        return;
    }
    number = number_behind(text, "n = ");
    if (number >= 0)
        snprintf(where, 32, "n = %ld", number);
    else
        snprintf(where, 32, "-");
}

enum outcome journal_check(const struct programs *programs, const struct options *options,
                           const struct check *check, enum outcome outcome) {
    struct event event = {.event = "check"};
    int i;

    if (strncmp(programs->source, "steps/", 6) || options->file)
        return OUTCOME_ACCEPTED;
    if (!outcome && (options->variant || options->n)) /* a part of a check */
        return OUTCOME_ACCEPTED;
    snprintf(event.step, sizeof event.step, "%s", programs->step->name);
    snprintf(event.result, sizeof event.result, "%s", outcome_word(outcome));
    for (i = 0; i < check->count && !*event.text; i++)
        if (outcome && check->verdicts[i].outcome == outcome)
            snprintf(event.text, sizeof event.text, "%s", check->verdicts[i].message);
    if (outcome == OUTCOME_COMPILE)
        snprintf(event.text, sizeof event.text, "%s", programs->error);
    find_where(event.text, event.where);
    outcome = outcome ? OUTCOME_ACCEPTED : keep(programs, options);
    return outcome ? outcome : journal_add(options->results, &event);
}
