#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hints.h"
#include "parts.h"
#include "referee/base/files.h"

void name_flags(const char *source, char path[544]) {
    const char *slash = strrchr(source, '/');

    snprintf(path, 544, "%.*sflags", slash ? (int)(slash + 1 - source) : 0, source);
}

/* The awk program knows the fences; it gets the file's name by the environment, since a shell would
 * read some of its letters, and with a slash, since awk takes `a=b` for an assignment. */
static enum outcome read_file(struct parts *parts, const char *file) {
    char name[600], line[1024];
    FILE *fences;

    snprintf(name, sizeof name, "%s%s", strchr(file, '/') ? "" : "./", file);
    setenv("FENCED", name, 1);
    fences = popen("awk -v want=parts -f common/referee/lesson/fences.awk \"$FENCED\" 2>&1", "r");
    if (!fences)
        return complain(OUTCOME_INTERNAL, "awk cannot be run");
    while (fgets(line, sizeof line, fences)) {
        struct part *part = &parts->list[parts->count];
        char held[16];

        line[strcspn(line, "\n")] = 0;
        if (parts->count < MOST_PARTS &&
            sscanf(line, "%d\t%d\t%*d\t%15[^\t]\t%127[^\n]", &part->number, &part->line, held,
                   part->task) == 4) {
            snprintf(part->file, sizeof part->file, "%s", file);
            part->written = !strcmp(held, "written");
            part->has_placeholder = !strcmp(held, "placeholder");
            parts->count++;
        } else if (!*parts->broken) {
            snprintf(parts->broken, sizeof parts->broken, "%.600s", line);
        }
    }
    pclose(fences);
    return OUTCOME_ACCEPTED;
}

enum outcome parts_read(struct parts *parts, const char *source) {
    char flags[544];
    enum outcome outcome;

    memset(parts, 0, sizeof *parts);
    outcome = read_file(parts, source);
    name_flags(source, flags);
    if (!outcome && access(flags, R_OK) == 0)
        outcome = read_file(parts, flags);
    return outcome;
}

const struct part *parts_unfinished(const struct parts *parts) {
    int i;

    for (i = 0; i < parts->count; i++)
        if (!parts->list[i].written)
            return &parts->list[i];
    return NULL;
}

void parts_keep(struct parts *parts, const char *needed) {
    char number[8], padded[MOST_VALUE + 2];
    int i, count = parts->count;

    snprintf(padded, sizeof padded, " %s ", needed);
    parts->count = 0;
    for (i = 0; i < count; i++) {
        snprintf(number, sizeof number, " %d ", parts->list[i].number);
        if (strstr(padded, number))
            parts->list[parts->count++] = parts->list[i];
    }
}

int parts_explain(const struct parts *parts, const char *step, enum outcome outcome) {
    int i;

    for (i = 0; i < parts->count; i++)
        if (!parts->list[i].written && hints_lacks_part(step, outcome, parts->list[i].number))
            return 1;
    return 0;
}

void part_sentence(const struct part *part, char sentence[PART_BYTES]) {
    snprintf(sentence, PART_BYTES, "%s:%d: part %d" UNWRITTEN "%s%s", part->file, part->line,
             part->number, part->task,
             part->has_placeholder
                 ? " Your lines replace those from `until solved` to `end of until solved`."
                 : "");
}

int part_named(const char *text) {
    const char *end = strstr(text, UNWRITTEN), *at;

    for (at = end; at && at > text; at--)
        if (!strncmp(at, "part ", 5))
            return atoi(at + 5);
    return 0;
}

static int is_there(const char *format, const struct step *step, const char *name) {
    char path[128];

    snprintf(path, sizeof path, format, step->name, name);
    return access(path, R_OK) == 0;
}

void learner_files(const struct step *step, struct edited *edited) {
    int i;

    memset(edited, 0, sizeof *edited);
    strcpy(edited->names[edited->count++], step->source);
    if (is_there("solutions/%s/%s", step, "flags") ||
        is_there("steps/.skeletons/%s/%s", step, "flags"))
        strcpy(edited->names[edited->count++], "flags");
    for (i = 0; i < edited->count; i++)
        snprintf(edited->paths[i], sizeof edited->paths[i], "steps/%s/%s", step->name,
                 edited->names[i]);
}

char *skeleton_bytes(const struct step *step, const char *name, size_t *size) {
    char path[128], command[256], *text;
    FILE *fences;

    snprintf(path, sizeof path, "solutions/%s/%s", step->name, name);
    if (access(path, R_OK)) {
        snprintf(path, sizeof path, "steps/.skeletons/%s/%s", step->name, name);
        return file_bytes(path, size);
    }
    snprintf(command, sizeof command,
             "awk -v want=skeleton -f common/referee/lesson/fences.awk '%s'", path);
    if (!(fences = popen(command, "r")))
        return NULL;
    text = file_rest(fences, size);
    if (!pclose(fences))
        return text;
    free(text);
    return NULL;
}
