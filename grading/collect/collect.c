#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "names.h"
#include "unit.h"

static const char times[] = "times.tsv";

/* Reads times.tsv: student, time_utc. It wins over what an export says. */
static enum outcome read_times(struct units *units, const char *folder, char *text) {
    char *line, *rest = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
    int number = 0, found, i;

    while ((line = strsep(&rest, "\n"))) {
        char *tab = strchr(line, '\t'), *end;
        long long time = -1;

        number++;
        line[strcspn(line, "\r")] = 0;
        if (!*line || (number == 1 && !strcmp(line, "student\ttime_utc")))
            continue;
        if (tab) {
            *tab = 0;
            end = tab + strlen(tab + 1);
            time = *end == 'Z' ? owner_read_time(tab + 1) : -1;
        }
        if (time < 0)
            return complain(OUTCOME_SUBMISSIONS,
                            "%s/%s:%d: a student's id, a tab and a time such as "
                            "2026-11-21T22:40:00Z are needed",
                            folder, times, number);
        for (i = found = 0; i < units->count; i++) {
            struct submission *submission = &units->units[i].submission;

            if (strcmp(submission->student, line) && strcmp(submission->name, line))
                continue;
            owner_time(submission->submitted_utc, time);
            submission->is_told = found = 1;
            *submission->clock = 0;
        }
        if (!found)
            fprintf(stderr,
                    "warning: %s/%s:%d: no submission here is of %.60s; a line begins with a "
                    "student's id, as grades.csv has it\n",
                    folder, times, number, line);
    }
    return OUTCOME_ACCEPTED;
}

/* What the export says of when it was handed in, if it does. */
static void set_time(struct unit *unit) {
    struct submission *submission = &unit->submission;

    if (*submission->submitted_utc)
        return;
    owner_time(unit->time < 0 ? submission->clock : submission->submitted_utc, llabs(unit->time));
    submission->clock[strcspn(submission->clock, "Z")] = 0;
}

/* The text of a file that lies in the folder itself; NULL: there is none. */
static char *read_own(int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    char *text = NULL;
    size_t room = 0;

    if (stream) {
        if (getdelim(&text, &room, 0, stream) < 0) {
            free(text);
            text = strdup("");
        }
        fclose(stream);
    }
    return text;
}

static int is_handed_in(const struct dirent *entry) {
    return !name_is_litter(entry->d_name) && strcmp(entry->d_name, "..") &&
           strcmp(entry->d_name, ".");
}

/* Reads what lies in the folder, in the order of names. */
static void read_folder(struct units *units, int folder, struct dirent **entries, int count) {
    struct mark mark;
    int i;

    for (i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        int marked = owner_mark(name, &mark) != MARK_NONE;
        struct container *container;

        if (!strcmp(name, times) || !strcmp(name, METADATA))
            continue;
        container = container_read(folder, name, marked ? LEVEL_WORK : LEVEL_ANY);
        /* Of other single files, an instructor has some there. */
        if (container->is_file && !marked && !name_is_archive(name) && !name_ends(name, ".c") &&
            !name_ends(name, ".cu") && !name_is_document(name))
            container_free(container);
        else
            units_add(units, container, name);
    }
}

static int is_empty(const struct submission *submission) {
    return !submission->source_count && !submission->refusal_count && !submission->answers &&
           !submission->predictions;
}

static enum outcome give(struct units *units, const struct wanted *wanted,
                         int (*take)(const struct submission *, void *), void *context) {
    int i;

    for (i = 0; i < units->count; i++) {
        struct unit *unit = &units->units[i];

        choose_files(&unit->submission, unit->files, unit->count, wanted);
        if (unit->is_around && is_empty(&unit->submission))
            continue; /* what there is to say is said of what is in it */
        if (!unit->submission.source_count && !unit->submission.refusal_count)
            refuse_file(&unit->submission, unit->submission.origin,
                        "there is no source of a step in it; %s/%s would be one",
                        wanted->catalogue->steps[0].name, wanted->catalogue->steps[0].source);
        if (take(&unit->submission, context))
            break;
    }
    return OUTCOME_ACCEPTED;
}

enum outcome collect(const char *folder, const struct catalogue *catalogue, const struct step *only,
                     int (*take)(const struct submission *submission, void *context),
                     void *context) {
    struct wanted wanted = {catalogue, only};
    struct units units = {0};
    struct dirent **entries = NULL;
    int open_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count, i;
    enum outcome outcome = OUTCOME_ACCEPTED;
    char *text;

    if (open_folder < 0)
        return complain(OUTCOME_SUBMISSIONS,
                        "%s is no folder that can be read; submissions lie in a folder", folder);
    count = scandirat(open_folder, ".", &entries, is_handed_in, alphasort);
    units.metadata = read_own(open_folder, METADATA);
    read_folder(&units, open_folder, entries, count);
    for (i = 0; i < units.count; i++)
        set_time(&units.units[i]);
    text = read_own(open_folder, times);
    if (text)
        outcome = read_times(&units, folder, text);
    free(text);
    units_settle(&units);
    if (!outcome && units.count == 0)
        outcome = complain(OUTCOME_SUBMISSIONS,
                           "%s holds no submission: an archive for each student, a folder "
                           "student/%s, or an export of Moodle, Canvas or Gradescope",
                           folder, catalogue->steps[0].name);
    if (!outcome)
        outcome = give(&units, &wanted, take, context);
    for (i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    units_free(&units);
    close(open_folder);
    return outcome;
}
