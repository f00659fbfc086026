#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal.h"
#include "problems/text.h"
#include "referee/base/files.h"
#include "referee/base/lines.h"
#include "referee/lesson/hints.h"
#include "referee/lesson/parts.h"

static const char header[] = "time_utc\tevent\tstep\tresult\twhere\ttext";

static const char *path_of(const char *results) {
    static char path[544];

    snprintf(path, sizeof path, "%s/journal.tsv", results);
    return path;
}

enum outcome journal_add(const char *results, struct event *event) {
    char line[1400], *c;

    lines_time(event->time_utc);
    for (c = event->text; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    snprintf(line, sizeof line, "%s\t%s\t%s\t%s\t%s\t%s\n", event->time_utc, event->event,
             event->step, event->result, event->where, *event->text ? event->text : "-");
    return lines_append(results, path_of(results), header, line);
}

static int take(void *to, const char *line) {
    struct events *events = to;
    struct event *event;

    if (events->count == events->room) {
        events->room = events->room ? 2 * events->room : 64;
        events->list = realloc(events->list, (size_t)events->room * sizeof *events->list);
        if (!events->list)
            abort();
    }
    event = &events->list[events->count];
    if (sscanf(line, "%23[^\t]\t%11[^\t]\t%39[^\t]\t%15[^\t]\t%31[^\t]\t%1023[^\n]",
               event->time_utc, event->event, event->step, event->result, event->where,
               event->text) != 6)
        return -1;
    events->count++;
    return 0;
}

enum outcome journal_read(const char *results, struct events *events) {
    enum outcome outcome;

    memset(events, 0, sizeof *events);
    outcome = lines_read(path_of(results), header, take, events);
    if (outcome)
        journal_free(events);
    return outcome;
}

void journal_free(struct events *events) {
    free(events->list);
    memset(events, 0, sizeof *events);
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
    if (file_copy(programs->source, to, 0666) ||
        (!access(flags, R_OK) && file_copy(flags, kept_flags, 0666)))
        return complain(OUTCOME_RESULTS, "%s: %s; no copy of the accepted source is kept", to,
                        strerror(errno));
    return OUTCOME_ACCEPTED;
}

/* The verdict that says most of an outcome: the first that names a line; of errors of memory the
 * one of the memory check, since only that names the line of the access and not of the launch.
 * NULL: none has it. */
static const struct verdict *verdict_told(const struct check *check, enum outcome outcome) {
    const struct verdict *told = NULL;
    int best = 0, i;

    for (i = 0; outcome && i < check->count; i++) {
        const struct verdict *verdict = &check->verdicts[i];
        char where[32];
        int knows;

        if (verdict->outcome != outcome)
            continue;
        failure_where(verdict->message, where);
        knows = 1 + !strncmp(where, "line", 4) +
                (outcome == OUTCOME_MEMORY && !strcmp(verdict->aspect, "address"));
        if (knows > best) {
            best = knows;
            told = verdict;
        }
    }
    return told;
}

enum outcome journal_check(const struct programs *programs, const struct options *options,
                           const struct check *check, enum outcome outcome) {
    struct event event = {.event = "check"};
    const struct verdict *told;

    if (strncmp(programs->source, "steps/", 6) || options->file)
        return OUTCOME_ACCEPTED;
    if (!outcome && (options->variant || options->n)) /* a part of a check */
        return OUTCOME_ACCEPTED;
    if (outcome == OUTCOME_UNCHECKED)
        return OUTCOME_ACCEPTED;
    if (outcome && outcome < OUTCOME_CRASHED && outcome != OUTCOME_COMPILE) /* of the command */
        return OUTCOME_ACCEPTED;
    snprintf(event.step, sizeof event.step, "%s", programs->step->name);
    snprintf(event.result, sizeof event.result, "%s", outcome_word(outcome));
    told = verdict_told(check, outcome);
    if (told)
        snprintf(event.text, sizeof event.text, "%.1023s", told->message);
    if (outcome == OUTCOME_COMPILE || (outcome == OUTCOME_MISSING_CALL && !told))
        snprintf(event.text, sizeof event.text, "%s", programs->error);
    if (outcome == OUTCOME_UNFINISHED)
        snprintf(event.text, sizeof event.text, "%s", check->note);
    failure_where(event.text, event.where);
    if (outcome && outcome != OUTCOME_COMPILE && outcome != OUTCOME_UNFINISHED &&
        strstr(check->note, UNWRITTEN))
        text_add(event.text, sizeof event.text, "; %s", check->note);
    outcome = outcome ? OUTCOME_ACCEPTED : keep(programs, options);
    return outcome ? outcome : journal_add(options->results, &event);
}
