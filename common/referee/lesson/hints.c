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

const char *hints_section(enum failure failure) {
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

int hints_until_then(const char *step, int part, enum outcome outcome) {
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
                     hints_until_then(step, part, outcome)));
}

/* The course's section for what was said of wrong results; 0: there is none. */
static int find_words(const char *text, char section[SECTION_BYTES]) {
    FILE *file = fopen(of_course, "r");
    char line[512];
    const char *words;
    int found = 0;

    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (behind(line, "## "))
            snprintf(section, SECTION_BYTES, "%.15s", behind(line, "## "));
        words = behind(line, "If it says: ");
        found = words && strstr(text, words);
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
    if (failure == FAILURE_RESULT && find_words(text, section))
        return 1;
    snprintf(section, SECTION_BYTES, "%s", failure ? hints_section(failure) : "");
    return failure != FAILURE_NONE;
}

/* The first hint for a compiler's words on an error of names, types or arguments; the step's own is
 * about what a line lacks. NULL: it is none of these. */
static const char *of_compiler(const char *error) {
    static const struct {
        const char *words[6], *hint;
    } kinds[] = {
        {{"No such file"},
         "A file that is included is not there. Is its name spelled as in the skeleton, and does "
         "the\n"
         "compiler look for it in the system (`<...>`) or beside the course's own (`\"...\"`)?"},
        {{"redeclaration", "redefinition", "conflicting declaration", "conflicting types",
          "redefinition of"},
         "One name is declared twice with that line. Where is the other declaration, and is it "
         "one\n"
         "of the lines between `until solved` that were to go?"},
        {{"not declared", "undeclared", "has not been declared", "implicit declaration",
          "does not name a type"},
         "The compiler does not know that name. Is it spelled as where it is declared? Does its\n"
         "declaration stand above, in a block that is still open there? A kernel knows its "
         "parameters\n"
         "and what it declares itself, and none of the host's variables."},
        {{"has no member", "no member named", "request for member"},
         "What stands before the point or the arrow has no member of that name. Which type is it?\n"
         "Look at that type's declaration for its members: a float4 has x, y, z and w. A "
         "structure's\n"
         "pointer takes `->`, an array's element `[i].`."},
        {{"too few arguments", "too many arguments", "no matching function",
          "incompatible type for argument", "to function of type", "parameter"},
         "The call does not fit the function. Put the call beside the function's declaration and\n"
         "compare one by one: how many arguments, in which order, each of which type? The "
         "compiler's\n"
         "next line, its `note`, names the one that does not fit."},
        {{"cannot convert", "invalid conversion", "incompatible", "invalid operands",
          "no match for", "makes pointer from"},
         "Two types do not fit together in that line. Which type has the value, and which type is\n"
         "wanted where it goes? A pointer is not what it points to (`*p`, `p[i]`), an address is "
         "`&x`,\n"
         "and a structure is not one of its members."},
        {{"lvalue", "read-only", "invalid type argument", "subscripted value", "invalid types",
          "base operand of"},
         "What is done there cannot be done with a value of that type. Which type does each name "
         "in\n"
         "that line have by its declaration, and which of them is an array, a pointer, a structure "
         "or\n"
         "a constant?"},
    };
    size_t i, k;

    for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (k = 0; k < 6 && kinds[i].words[k]; k++)
            if (strstr(error, kinds[i].words[k]))
                return kinds[i].hint;
    return NULL;
}

/* Appends a line with `where` in the place of {where}. */
static void append(char text[HINT_BYTES], const char *line, const char *where) {
    static const char mark[] = "{where}";
    const char *at;

    for (; (at = strstr(line, mark)); line = at + strlen(mark))
        text_add(text, HINT_BYTES, "%.*s%s", (int)(at - line), line, where);
    text_add(text, HINT_BYTES, "%s", line);
}

static int read_level(const char *path, const char *section, int level, const char *where,
                      char text[HINT_BYTES]) {
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
            if (at == level && *line) {
                append(text, line + (strlen(line) > 3 ? 3 : 0), where);
                append(text, "\n", where);
            }
        }
    }
    if (file)
        fclose(file);
    return *text != 0;
}

/* Of the linker's words: every line compiled. */
static int is_linkers(const char *said) {
    return strstr(said, "undefined reference") || strstr(said, "multiple definition") ||
           strstr(said, "undefined symbol") || strstr(said, "duplicate symbol");
}

int hints_read(const struct step *step, const char *section, int level, const char *where,
               const char *said, char text[HINT_BYTES]) {
    int of_compile = level == 1 && !strcmp(section, hints_section(FAILURE_COMPILE));
    const char *compiler = of_compile ? of_compiler(said) : NULL;
    char path[96];

    if (!strcmp(where, "-"))
        where = "the place that the message names";
    name_file(step->name, path);
    if (of_compile && is_linkers(said))
        snprintf(text, HINT_BYTES,
                 "The linker looks for one definition of each function that is called. Compare the "
                 "name that it tells,\nletter by letter, with your functions and with "
                 "common/include/%s.h: is it spelt otherwise, missing, or\nthere twice?\n",
                 step->problem);
    else if (compiler)
        snprintf(text, HINT_BYTES, "%s: %s\n", where, compiler);
    else
        return read_level(path, section, level, where, text) ||
               read_level(of_course, section, level, where, text);
    return 1;
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
