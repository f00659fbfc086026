#include <ini.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"
#include "referee/build/manifest.h"
#include "rubric.h"
#include "zone.h"

enum { NAME_BYTES = 64 };

/* What a key needs of a step, to mean something for it. */
enum requirement { NOTHING, PREVIOUS, IDEA, THREADS, CUDA, TOLERANCE, BY_DECIMALS };

static const char *const needs[] = {
    [PREVIOUS] = "builds on no other step",
    [IDEA] = "is in C and builds on no other step, and names no technique",
    [THREADS] = "runs one thread",
    [CUDA] = "is in C, and only CUDA C is traced",
    [TOLERANCE] = "is there to be rejected for its accuracy",
    [BY_DECIMALS] = "is of a problem without decimals",
};

enum kind { NUMBER, WHOLE, NUMBER_OR_PREVIOUS, TIME, TEXT };

#define FIELD(kind, name, need, lowest, highest)                                                   \
    { #name, kind, need, offsetof(struct step_rubric, name), lowest, highest }
#define POINTS(name, need) FIELD(NUMBER, name, need, 0, 1000)

static const struct key {
    const char *name;
    enum kind kind;
    enum requirement need;
    size_t offset;
    double lowest, highest;
} keys[] = {
    POINTS(compiles, NOTHING),
    POINTS(small, NOTHING),
    POINTS(edges, NOTHING),
    POINTS(large, NOTHING),
    POINTS(decimals, BY_DECIMALS),
    POINTS(memory, NOTHING),
    POINTS(races, THREADS),
    POINTS(accuracy, TOLERANCE),
    POINTS(idea, IDEA),
    POINTS(traffic, CUDA),
    FIELD(NUMBER, traffic_from, CUDA, 0.01, 1e6),
    FIELD(NUMBER, traffic_to, CUDA, 0.01, 1e6),
    POINTS(speed, NOTHING),
    FIELD(NUMBER_OR_PREVIOUS, speed_from, NOTHING, 0.001, 100),
    FIELD(NUMBER, speed_to, NOTHING, 0.001, 100),
    FIELD(TEXT, speed_origin, NOTHING, 0, 0),
    POINTS(prediction, PREVIOUS),
    POINTS(questions, NOTHING),
    FIELD(WHOLE, question_count, NOTHING, 1, 100),
    FIELD(NUMBER, cap_percent, NOTHING, 0, 100),
    FIELD(TIME, due_utc, NOTHING, 0, 0),
};
enum { KEYS = sizeof keys / sizeof *keys };

/* What was not set by the file. */
static const struct step_rubric unset = {.traffic_from = 4,
                                         .traffic_to = 1.1,
                                         .speed_from = -1,
                                         .speed_to = 0.9,
                                         .question_count = 1,
                                         .cap_percent = 100};

struct reader {
    struct rubric rubric;
    const struct catalogue *catalogue;
    FILE *file;
    int line;
    char sections[MOST_STEPS + KEYS + 2][NAME_BYTES]; /* those that have begun */
    int section_count;
    char seen[32][NAME_BYTES]; /* keys of the last one */
    int seen_count;
    int speed_line[MOST_STEPS], traffic_line[MOST_STEPS]; /* where a ramp was set last */
    int mistake_line;                                     /* 0: none */
    char mistake[512];
};

/* Keeps the first mistake. Returns 0, which inih takes for a failure. */
__attribute__((format(printf, 3, 4))) static int wrong(struct reader *reader, int line,
                                                       const char *format, ...) {
    va_list arguments;

    if (reader->mistake_line)
        return 0;
    va_start(arguments, format);
    vsnprintf(reader->mistake, sizeof reader->mistake, format, arguments);
    va_end(arguments);
    reader->mistake_line = line;
    return 0;
}

/* Whether the step's manifest has a line of that name. */
static int says(const struct step *step, const char *name) {
    char value[MOST_VALUE];

    return manifest_value(step->manifest, name, value);
}

static const char *without(const struct step *step, enum requirement need) {
    const struct problem *problem = problem_find(step->problem);
    int later = *step->builds_on || step_is_cuda(step);
    int has = need == PREVIOUS      ? *step->builds_on != 0
              : need == IDEA        ? later || says(step, "technique")
              : need == THREADS     ? later || says(step, "openmp")
              : need == CUDA        ? step_is_cuda(step)
              : need == TOLERANCE   ? !step_expects(step, "")
              : need == BY_DECIMALS ? problem && problem->decimals_distribution
                                    : 1;

    return has ? NULL : needs[need];
}

int rubric_has_previous(const struct step *step, const struct catalogue *catalogue) {
    const struct step *previous =
        *step->builds_on ? catalogue_find(catalogue, step->builds_on) : NULL;

    return previous && step_is_cuda(previous) == step_is_cuda(step);
}

static const struct key *find_key(const char *name) {
    int k;

    for (k = 0; k < KEYS; k++)
        if (!strcmp(keys[k].name, name))
            return &keys[k];
    return NULL;
}

/* Whether a line of [default] counts for the step: not if it lacks what the item is of, nor, of
 * speed, if there is no step before it that would give it a ramp. */
static int gets_default(const struct key *key, const struct step *step,
                        const struct catalogue *catalogue) {
    return !without(step, key->need) &&
           (strcmp(key->name, "speed") || rubric_has_previous(step, catalogue));
}

/* The item of a section [without ITEM]; NULL: it is no such section. */
static const struct key *left_out(const char *section) {
    return strncmp(section, "without ", 8) ? NULL : find_key(section + 8);
}

/* A section's name, as a line has it; its begin is a mistake if it was there before. */
static void begin_section(struct reader *reader, const char *line) {
    char name[NAME_BYTES];
    int i, length = (int)strcspn(++line, "]");
    const struct step *step;

    if (line[length] != ']' || length >= NAME_BYTES) {
        wrong(reader, reader->line, "a section is a name in brackets, as [default]");
        return;
    }
    snprintf(name, sizeof name, "%.*s", length, line);
    step = catalogue_find(reader->catalogue, name);
    for (i = 0; i < reader->section_count; i++) {
        if (!strcmp(reader->sections[i], name))
            wrong(reader, reader->line, "[%s] is there twice; put its lines under one", name);
        else if (!strcmp(name, "default") && strcmp(reader->sections[i], "course"))
            wrong(reader, reader->line, "[default] comes before the sections of steps");
        else if (left_out(name) && catalogue_find(reader->catalogue, reader->sections[i]))
            wrong(reader, reader->line, "[%s] comes before the sections of steps", name);
    }
    if (strcmp(name, "course") && strcmp(name, "default") && !left_out(name) &&
        (!step || strcmp(step->name, name)))
        wrong(reader, reader->line,
              "[%s]: there is no such step; a section is course, default, without ITEM or a step's "
              "full name, as %s",
              name, step ? step->name : reader->catalogue->steps[0].name);
    if (!reader->mistake_line)
        strcpy(reader->sections[reader->section_count++], name);
    reader->seen_count = 0;
}

/* Gives inih a line; looks after what inih tells nobody: sections and the numbers of lines. */
static char *next_line(char *line, int size, void *context) {
    struct reader *reader = context;
    const char *text = line;

    if (reader->mistake_line || !fgets(line, size, reader->file))
        return NULL;
    reader->line++;
    if ((int)strlen(line) == size - 1 && !strchr(line, '\n')) {
        wrong(reader, reader->line, "a line of at most %d bytes is needed", size - 2);
        return NULL;
    }
    if (reader->line == 1 && !strncmp(line, "\xef\xbb\xbf", 3))
        text += 3;
    text += strspn(text, " \t");
    if (*text == '[')
        begin_section(reader, text);
    return reader->mistake_line ? NULL : line;
}

static int read_number(struct reader *reader, const struct key *key, const char *value,
                       double *number) {
    char *end;

    *number = strtod(value, &end);
    if (key->kind == NUMBER_OR_PREVIOUS && !strcmp(value, "previous")) {
        *number = -1;
        return 1;
    }
    if (end == value || *end || !(*number >= key->lowest && *number <= key->highest) ||
        (key->kind == WHOLE && *number != floor(*number)))
        return wrong(reader, reader->line, "%s = %s: a %snumber from %g to %g is needed%s",
                     key->name, value, key->kind == WHOLE ? "whole " : "", key->lowest,
                     key->highest, key->kind == NUMBER_OR_PREVIOUS ? ", or the word previous" : "");
    return 1;
}

/* Sets a step's key. */
static int set(struct reader *reader, int i, const struct key *key, const char *value) {
    char *field = (char *)&reader->rubric.steps[i] + key->offset;
    double number;

    if (key->kind == TEXT || key->kind == TIME) {
        size_t size = key->kind == TEXT ? sizeof unset.speed_origin : sizeof unset.due_utc;

        if (key->kind == TIME && *value && utc_seconds(value) < 0)
            return wrong(reader, reader->line,
                         "%s = %s: a time in UTC is needed, as 2026-11-30T23:59:00Z", key->name,
                         value);
        if (strlen(value) >= size)
            return wrong(reader, reader->line, "%s: at most %zu bytes are needed", key->name,
                         size - 1);
        strcpy(field, value);
        return 1;
    }
    if (!read_number(reader, key, value, &number))
        return 0;
    if (key->kind == WHOLE)
        *(int *)field = (int)number;
    else
        *(double *)field = number;
    if (!strncmp(key->name, "speed", 5))
        reader->speed_line[i] = reader->line;
    if (!strncmp(key->name, "traffic", 7))
        reader->traffic_line[i] = reader->line;
    return 1;
}

static int set_course(struct reader *reader, const char *name, const char *value) {
    struct key number = {.name = name, .highest = 100};
    double got;

    if (!strcmp(name, "attempt")) {
        if (strcmp(value, "best") && strcmp(value, "last"))
            return wrong(reader, reader->line, "attempt = %s: best or last is needed", value);
        reader->rubric.attempt = !strcmp(value, "best") ? ATTEMPT_BEST : ATTEMPT_LAST;
        return 1;
    }
    if (!strcmp(name, "time_zone")) {
        if (strlen(value) >= sizeof reader->rubric.time_zone || !zone_is_known(value))
            return wrong(reader, reader->line,
                         "time_zone = %.64s: this machine knows no such zone; a name such as "
                         "Europe/Berlin or UTC is needed",
                         value);
        strcpy(reader->rubric.time_zone, value);
        return 1;
    }
    number.kind = !strcmp(name, "late_days") ? WHOLE : NUMBER;
    if (number.kind == NUMBER && strcmp(name, "late_percent"))
        return wrong(reader, reader->line,
                     "%s: [course] has attempt, late_days, late_percent and time_zone and nothing "
                     "else",
                     name);
    if (!read_number(reader, &number, value, &got))
        return 0;
    if (number.kind == WHOLE)
        reader->rubric.late_days = (int)got;
    else
        reader->rubric.late_percent = got;
    return 1;
}

/* A key of [default] or [without ITEM], for all steps that it means something for, or of a step's
 * own section. */
static int set_item(struct reader *reader, const char *section, const char *name,
                    const char *value) {
    const struct catalogue *catalogue = reader->catalogue;
    const struct key *key = find_key(name), *item = left_out(section);
    int is_default = !strcmp(section, "default"), i;

    if (!key)
        return wrong(reader, reader->line,
                     "%s: there is no such item; grading/rubric.ini of the course has them all",
                     name);
    for (i = 0; i < catalogue->count; i++) {
        const struct step *step = &catalogue->steps[i];
        const char *lacks = without(step, key->need);
        int applies = is_default ? gets_default(key, step, catalogue)
                      : item     ? !lacks && !gets_default(item, step, catalogue)
                                 : !strcmp(section, step->name);

        if (applies && lacks && strcmp(value, "0"))
            return wrong(reader, reader->line, "%s = %s: 0 is needed, since this step %s", name,
                         value, lacks);
        if (applies && !set(reader, i, key, value))
            return 0;
    }
    return 1;
}

static int take(void *context, const char *section, const char *name, const char *value) {
    struct reader *reader = context;
    int i;

    if (reader->mistake_line)
        return 0;
    if (!*section)
        return wrong(reader, reader->line, "%s stands before any section; put [default] above it",
                     name);
    for (i = 0; i < reader->seen_count; i++)
        if (!strcmp(reader->seen[i], name))
            return wrong(reader, reader->line, "%s is there twice in [%s]; one line is needed",
                         name, section);
    if (!(strcmp(section, "course") ? set_item(reader, section, name, value)
                                    : set_course(reader, name, value)))
        return 0;
    snprintf(reader->seen[reader->seen_count++], NAME_BYTES, "%s", name);
    return 1;
}

/* Ramps, once both ends are known. */
static void look_at_ramps(struct reader *reader) {
    int i;

    for (i = 0; i < reader->rubric.count; i++) {
        const struct step_rubric *step = &reader->rubric.steps[i];

        if (step->speed_from >= step->speed_to)
            wrong(reader, reader->speed_line[i],
                  "[%s] speed_from = %g, speed_to = %g: speed_from must be below speed_to",
                  reader->rubric.names[i], step->speed_from, step->speed_to);
        if (step->traffic_from <= step->traffic_to)
            wrong(reader, reader->traffic_line[i],
                  "[%s] traffic_from = %g, traffic_to = %g: traffic_from must be above traffic_to",
                  reader->rubric.names[i], step->traffic_from, step->traffic_to);
        if (step->speed > 0 && step->speed_from < 0 &&
            !rubric_has_previous(&reader->catalogue->steps[i], reader->catalogue))
            wrong(reader, reader->speed_line[i],
                  "[%s] speed_from = previous: a number is needed, since no step before it runs "
                  "beside it",
                  reader->rubric.names[i]);
    }
}

const struct step_rubric *rubric_step(const struct rubric *rubric, const struct step *step) {
    int i;

    for (i = 0; i < rubric->count; i++)
        if (!strcmp(rubric->names[i], step->name))
            return &rubric->steps[i];
    return NULL;
}

enum outcome rubric_read(struct rubric *rubric, const char *path,
                         const struct catalogue *catalogue) {
    static struct reader reader;
    int i, broken;

    memset(&reader, 0, sizeof reader);
    reader.catalogue = catalogue;
    reader.rubric.count = catalogue->count;
    strcpy(reader.rubric.time_zone, "UTC");
    for (i = 0; i < catalogue->count; i++) {
        reader.rubric.steps[i] = unset;
        memcpy(reader.rubric.names[i], catalogue->steps[i].name, sizeof reader.rubric.names[i]);
    }
    if (!(reader.file = fopen(path, "r")))
        return complain(OUTCOME_RUBRIC, "%s: cannot be read; RUBRIC names a file", path);
    ini_allow_multiline = 0; /* an indented line is a line */
    ini_stop_on_first_error = 1;
    broken = ini_parse_stream(next_line, &reader, take, &reader);
    fclose(reader.file);
    if (broken > 0)
        wrong(&reader, broken,
              "a line is NAME = VALUE, or [SECTION], or a comment that begins with ;");
    look_at_ramps(&reader);
    if (reader.mistake_line)
        return complain(OUTCOME_RUBRIC, "%s:%d: %s", path, reader.mistake_line, reader.mistake);
    *rubric = reader.rubric;
    return OUTCOME_ACCEPTED;
}
