#define _GNU_SOURCE
#include "source_line.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/wrapper.h"

enum { CACHED = 256 };

static const char not_there[] = "addr2line would know the line";
static const char unknown[] = "its line is not known";

static int is_header(const char *path) {
    return strstr(path, "/include/cpucuda/") || !strncmp(path, "/usr/", 5);
}

/* "PATH:LINE" or "PATH:LINE (discriminator 2)", and "??:0" if nothing is known. */
static int read_place(char *printed, struct source_place *place) {
    char *colon = strrchr(printed, ':');

    if (!colon || *printed == '?' || atoi(colon + 1) <= 0)
        return -1;
    *colon = 0;
    place->line = atoi(colon + 1);
    snprintf(place->path, sizeof place->path, "%s", printed);
    return 0;
}

/* Or the standard library's. */
static int is_engine(const char *path) {
    return strstr(path, "/common/cpucuda/") || !strncmp(path, "/usr/", 5);
}

static int is_kit(const char *path) {
    return strstr(path, "/common/kit/") != NULL;
}

/* `outside`: of code that was inlined from the kit, too, the line that called it is asked for. */
static const char *ask(const char *program, unsigned long offset, int outside,
                       struct source_place *place) {
    char printed[512], address[24];
    char *const arguments[] = {"addr2line", "-i", "-e", (char *)program, address, NULL};
    pid_t child;
    FILE *output;
    int status, done = 0;

    snprintf(address, sizeof address, "0x%lx", offset);
    output = wrapper_read(program, arguments, &child);
    if (!output)
        return not_there;
    while (fgets(printed, sizeof printed, output)) {
        struct source_place read;

        if (done || read_place(printed, &read))
            continue;
        done = !is_header(read.path) && !(outside && is_kit(read.path));
        if (done || !*place->path)
            *place = read;
    }
    fclose(output);
    if (waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return not_there;
    return *place->path ? NULL : unknown;
}

static const char *ask_or_remember(const char *program, unsigned long offset,
                                   struct source_place *place) {
    static struct {
        char program[512];
        unsigned long offset;
        struct source_place place;
    } cache[CACHED], *known;
    static int count;
    const char *why;
    int i;

    memset(place, 0, sizeof *place);
    for (i = 0; i < count && i < CACHED; i++)
        if (cache[i].offset == offset && !strcmp(cache[i].program, program)) {
            *place = cache[i].place;
            return NULL;
        }
    why = ask(program, offset, 0, place);
    if (why || strlen(program) >= sizeof known->program)
        return why;
    known = &cache[count++ % CACHED];
    strcpy(known->program, program);
    known->offset = offset;
    known->place = *place;
    return NULL;
}

const char *source_place(const char *program, unsigned long offset, struct source_place *place) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const char *why;

    pthread_mutex_lock(&mutex);
    why = ask_or_remember(program, offset, place);
    pthread_mutex_unlock(&mutex);
    return why;
}

int source_line(const char *program, unsigned long offset, char *text, size_t size) {
    struct source_place place;
    const char *why = source_place(program, offset, &place);
    const char *slash = strrchr(place.path, '/');

    if (why)
        snprintf(text, size, "(%s)", why);
    else
        snprintf(text, size, "%s:%d", slash ? slash + 1 : place.path, place.line);
    return why ? -1 : 0;
}

void source_text(const struct source_place *place, char *text, size_t size) {
    FILE *file = *place->path ? fopen(place->path, "r") : NULL;
    char line[1024] = "";
    char *start = line;
    size_t length;
    int i;

    for (i = 0; file && i < place->line; i++)
        if (!fgets(line, sizeof line, file))
            *line = 0;
    if (file)
        fclose(file);
    while (isspace((unsigned char)*start))
        start++;
    length = strlen(start);
    while (length && isspace((unsigned char)start[length - 1]))
        length--;
    snprintf(text, size, "%.*s", (int)length, start);
}

/* The place as other messages name it: a source below the folder where the verbs run by its path
 * from there, any other by its name. */
static void name_known(const struct source_place *place, char *text, size_t size) {
    const char *slash = strrchr(place->path, '/');
    char folder[512];
    size_t length;

    if (getcwd(folder, sizeof folder) && (length = strlen(folder)) &&
        !strncmp(place->path, folder, length) && place->path[length] == '/')
        snprintf(text, size, "%s:%d", place->path + length + 1, place->line);
    else
        snprintf(text, size, "%s:%d", slash ? slash + 1 : place->path, place->line);
}

static void name_place(const char *program, unsigned long offset, char *text, size_t size) {
    struct source_place place;
    const char *why = source_place(program, offset, &place);

    if (why)
        snprintf(text, size, "(%s)", why);
    else
        name_known(&place, text, size);
}

/* " (called in nbody.cu:47)", the first line outside the kit; empty if the innermost one is no line
 * of the kit. `list`: the offsets of calls, to the next brace. */
static void name_caller(const char *program, const char *list, char *text, size_t size) {
    struct source_place place;
    char name[560], *end;
    int of_kit = 0;

    *text = 0;
    for (; *list && *list != '}'; list = *end == ',' ? end + 1 : end) {
        unsigned long offset = strtoul(list, &end, 16);

        if (end == list)
            return;
        if (source_place(program, offset, &place) || is_engine(place.path))
            continue;
        of_kit |= is_kit(place.path);
        if (!of_kit)
            return;
        memset(&place, 0, sizeof place);
        if (ask(program, offset, 1, &place) || is_kit(place.path) || is_engine(place.path))
            continue;
        name_known(&place, name, sizeof name);
        snprintf(text, size, " (called in %s)", name);
        return;
    }
}

static int is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a line of the file declares shared memory of that name. */
static int is_shared(const char *path, const char *name) {
    FILE *file = fopen(path, "r");
    size_t length = strlen(name);
    char line[1024], *at;
    int found = 0;

    while (file && !found && fgets(line, sizeof line, file)) {
        at = strstr(line, "__shared__");
        while (at && !found) {
            at = strstr(at + 1, name);
            found = at && !is_of_name(at[-1]) && !is_of_name(at[length]);
        }
    }
    if (file)
        fclose(file);
    return found;
}

/* Where the name before the bracket at `end` begins: `bodies.x`, `simulation->in`. */
static const char *name_before(const char *text, const char *end) {
    const char *at = end;

    while (at > text &&
           (is_of_name(at[-1]) || strchr(".>", at[-1]) || (at[-1] == '-' && *at == '>')))
        at--;
    return at;
}

/* "`bodies.x`", "`x` and `y`". */
static void name_arrays(const char *program, unsigned long offset, char *names, size_t size) {
    struct source_place place;
    char text[256], quoted[128];
    const char *bracket, *start;
    size_t length = 0;

    *names = 0;
    if (source_place(program, offset, &place))
        *place.path = 0;
    source_text(&place, text, sizeof text);
    for (bracket = text; (bracket = strchr(bracket, '[')); bracket++) {
        start = name_before(text, bracket);
        snprintf(quoted, sizeof quoted, "%.*s", (int)strcspn(start, ".-["), start);
        if (bracket == start || is_shared(place.path, quoted))
            continue;
        snprintf(quoted, sizeof quoted, "`%.*s`", (int)(bracket - start), start);
        if (!strstr(names, quoted) && length + strlen(quoted) + 6 < size)
            length += (size_t)snprintf(names + length, size - length, "%s%s", length ? " and " : "",
                                       quoted);
    }
    if (!length)
        snprintf(names, size, *text ? "`%.100s`" : "memory", text);
}

void source_lines_in(const char *program, char *message, size_t size) {
    char *at = message;

    while ((at = strchr(at, '{'))) {
        char *end = at, words[600], *rest;
        unsigned long offset = 0;

        if (!strncmp(at, "{+0x", 4) || !strncmp(at, "{=0x", 4) || !strncmp(at, "{^0x", 4))
            offset = strtoul(at + 2, &end, 16);
        if (at[1] == '^' && !*(end = at + strcspn(at, "}"))) {
            *at = 0; /* it was cut off */
            return;
        }
        if (!offset || *end != '}') {
            at++;
            continue;
        }
        if (at[1] == '^')
            name_caller(program, at + 2, words, sizeof words);
        else
            (at[1] == '+' ? name_place : name_arrays)(program, offset, words, sizeof words);
        rest = strdup(end + 1);
        if (!rest)
            return;
        snprintf(at, size - (size_t)(at - message), "%s%s", words, rest);
        free(rest);
        at += strnlen(words, strlen(at));
    }
}

void source_of_calls(const char *program, const uint64_t *offsets, int count, char *text,
                     size_t size) {
    struct source_place place;
    char line[600];
    int i;

    *text = 0;
    for (i = 0; i < count && offsets[i] && !*text; i++) {
        if (source_place(program, offsets[i], &place) || !strncmp(place.path, "/usr/", 5))
            continue;
        name_place(program, offsets[i], line, sizeof line);
        if (strncmp(line, "common/", 7))
            snprintf(text, size, " at %s", line);
    }
}
