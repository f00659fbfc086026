#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hints.h"
#include "problems/text.h"

static const char of_course[] = "common/referee/lesson/hints.md";

enum failure hints_failure(enum outcome outcome) {
    static const enum failure failures[] = {
#define OUTCOME_FAILURE(code, name, hints, word, sentence) [OUTCOME_##name] = FAILURE_##hints,
        OUTCOMES(OUTCOME_FAILURE)
#undef OUTCOME_FAILURE
    };

    return (size_t)outcome < sizeof failures / sizeof *failures ? failures[outcome] : FAILURE_NONE;
}

/* The section's name; NULL for FAILURE_NONE. */
static const char *section_of(enum failure failure) {
    static const char *const names[] = {NULL, "compile", "access", "result", "idea", "lanes"};

    return names[failure];
}

/* What stands behind `mark` in a line of a file of hints, if it does. */
static const char *behind(const char *line, const char *mark) {
    size_t length = strlen(mark);

    return strncmp(line, mark, length) ? NULL : line + length;
}

static void name_file(const char *step, char path[96]) {
    snprintf(path, 96, "steps/%s/hints.md", step);
}

/* Whether the part's section of the step has the outcome in its line `Until then: `. */
static int is_until_then(const char *step, int part, enum outcome outcome) {
    char path[96], line[512], section[32], *word, *rest;
    int inside = 0, found = 0;
    FILE *file;

    name_file(step, path);
    file = fopen(path, "r");
    snprintf(section, sizeof section, "part %d", part);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (behind(line, "## "))
            inside = !strcmp(behind(line, "## "), section);
        if (inside && behind(line, "Until then: "))
            for (word = strtok_r(strchr(line, ':') + 1, ", ", &rest); word;
                 word = strtok_r(NULL, ", ", &rest))
                found |= !strcmp(word, outcome_word(outcome));
    }
    if (file)
        fclose(file);
    return found;
}

int hints_lacks_part(const char *step, enum outcome outcome, int part) {
    enum failure failure = hints_failure(outcome);

    return outcome == OUTCOME_UNFINISHED ||
           (part && (failure == FAILURE_RESULT || failure == FAILURE_IDEA ||
                     is_until_then(step, part, outcome)));
}

/* The course's section with a line `MARK WORDS | WORDS` of which one is in the text; 0: there is
 * none. */
static int find_words(const char *mark, const char *text, char section[SECTION_BYTES]) {
    FILE *file = fopen(of_course, "r");
    char line[512], *words, *next;
    int found = 0;

    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (behind(line, "## "))
            snprintf(section, SECTION_BYTES, "%.15s", behind(line, "## "));
        for (words = behind(line, mark) ? line + strlen(mark) : NULL; words && !found;
             words = next) {
            if ((next = strstr(words, " | "))) {
                *next = 0;
                next += strlen(" | ");
            }
            found = strstr(text, words) != NULL;
        }
    }
    if (file)
        fclose(file);
    return found;
}

int hints_choose(const char *step, enum outcome outcome, const char *text, int part,
                 char section[SECTION_BYTES]) {
    enum failure failure = hints_failure(outcome);

    if (hints_lacks_part(step, outcome, part)) {
        snprintf(section, SECTION_BYTES, "part %d", part);
        return part != 0;
    }
    if (failure == FAILURE_RESULT && find_words("If it says: ", text, section))
        return 1;
    snprintf(section, SECTION_BYTES, "%s", failure ? section_of(failure) : "");
    return failure != FAILURE_NONE;
}

/* Appends a line, with `where` and the problem's name in the places of {where} and {problem}. */
static void append(char text[HINT_BYTES], const char *line, const char *where,
                   const char *problem) {
    size_t length;

    for (; *line; line += length) {
        if (behind(line, "{where}")) {
            length = strlen("{where}");
            text_add(text, HINT_BYTES, "%s", where);
        } else if (behind(line, "{problem}")) {
            length = strlen("{problem}");
            text_add(text, HINT_BYTES, "%s", problem);
        } else {
            length = 1 + strcspn(line + 1, "{");
            text_add(text, HINT_BYTES, "%.*s", (int)length, line);
        }
    }
    text_add(text, HINT_BYTES, "\n");
}

static int read_level(const char *path, const char *section, int level, const char *where,
                      const char *problem, char text[HINT_BYTES]) {
    FILE *file = fopen(path, "r");
    char line[512];
    int inside = 0, at = 0;

    *text = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (behind(line, "## ")) {
            inside = !strcmp(behind(line, "## "), section);
            at = 0;
        } else if (inside) {
            if (*line == '1' + at && !strncmp(line + 1, ". ", 2))
                at++;
            if (at == level && *line)
                append(text, line + (strlen(line) > 3 ? 3 : 0), where, problem);
        }
    }
    if (file)
        fclose(file);
    return *text != 0;
}

int hints_read(const struct step *step, const char *section, int level, const char *where,
               const char *said, char text[HINT_BYTES]) {
    char path[96], own[SECTION_BYTES];

    if (!strcmp(where, "-"))
        where = "the place that the message names";
    if (level == 1 && !strcmp(section, section_of(FAILURE_COMPILE)) &&
        find_words("If a compiler says: ", said, own))
        return read_level(of_course, own, level, where, step->problem, text);
    name_file(step->name, path);
    return read_level(path, section, level, where, step->problem, text) ||
           read_level(of_course, section, level, where, step->problem, text);
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

void failure_where(const char *text, char where[32]) {
    static const char *const marks[] = {".cu:", ".cu(", ".c:", "/flags:", "line "};
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
