#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitizer.h"

enum { MESSAGE = 512 };

/* The number behind the next "`source`:" in `text`, up to `end`; 0 if there is none. */
static int line_in(const char *text, const char *end, const char *source) {
    size_t length = strlen(source);

    while ((text = strstr(text, source)) && text < end) {
        text += length;
        if (*text == ':' && isdigit((unsigned char)text[1]))
            return atoi(text + 1);
    }
    return 0;
}

/* "write of 4 bytes at line 12": a paragraph of a report that starts with what was done. */
static void describe_access(const char *start, const char *source, char *text, size_t room) {
    const char *end = strstr(start, "\n\n");
    int line = line_in(start, end ? end : start + strlen(start), source);
    int writes = tolower((unsigned char)*start) == 'w';
    const char *size = strstr(start, " size ");

    if (line)
        snprintf(text, room, "%s of %d bytes at %s:%d", writes ? "write" : "read",
                 size ? atoi(size + 6) : 0, source, line);
    else /* clang asks llvm-symbolizer for lines */
        snprintf(text, room, "%s of %d bytes in %s (llvm-symbolizer would know the line)",
                 writes ? "write" : "read", size ? atoi(size + 6) : 0, source);
}

static const char *find_access(const char *text, const char *prefix) {
    char word[32];
    const char *found[2];
    int i;

    for (i = 0; i < 2; i++) {
        snprintf(word, sizeof word, "%s%s of size", prefix,
                 *prefix ? (i ? "write" : "read") : (i ? "Write" : "Read"));
        found[i] = strstr(text, word);
    }
    return found[0] && (!found[1] || found[0] < found[1]) ? found[0] : found[1];
}

static void describe_race(const char *report, const char *source, char *message) {
    const char *now = find_access(report, ""), *before = find_access(report, "Previous ");
    const char *name = strstr(report, "Location is ");
    char first[256] = "an access", second[256] = "another one";
    const size_t length = strlen("Location is ");
    int shared;

    if (now)
        describe_access(now, source, first, sizeof first);
    if (before)
        describe_access(before + strlen("Previous "), source, second, sizeof second);
    shared = name && (!strncmp(name + length, "stack of main", 13) || /* '??' is a mapping */
                      (!strncmp(name + length, "global '", 8) && name[length + 8] != '?'));
    snprintf(message, MESSAGE,
             "two threads touch the same memory without order: %s and, in another thread, %s%s",
             first, second,
             shared ? "; the variable lives outside the parallel loop, so all threads share it: "
                      "declare it inside, or name it in a private or reduction clause"
                    : "");
}

/* What AddressSanitizer found, without its addresses. */
static void describe_address(const char *report, const char *source, char *message) {
    const char *what = report + strlen("AddressSanitizer: ");
    const char *writes = strstr(report, "WRITE of size ");
    const char *access = writes ? writes : strstr(report, "READ of size ");
    int line = line_in(report, report + strlen(report), source);

    if (!strncmp(what, "use-after-poison", 16)) /* the player fenced what lies behind the bodies */
        snprintf(message, MESSAGE, "%s:%d: %s of %d bytes behind the last body of `in` or `out`",
                 source, line, writes ? "write" : "read",
                 access ? atoi(strstr(access, "size ") + 5) : 0);
    else
        snprintf(message, MESSAGE, "%s:%d: AddressSanitizer: %.*s", source, line,
                 (int)strcspn(what, " \n"), what);
}

/* UBSan names the line before its message. */
static void describe_undefined(const char *printed, const char *report, const char *source,
                               char *message) {
    const char *start = report;

    while (start > printed && start[-1] != '\n')
        start--;
    snprintf(message, MESSAGE, "%s:%d: %.*s", source, line_in(start, report, source),
             (int)strcspn(report, "\n"), report);
}

enum outcome sanitizer_read(const char *printed, const char *source, char *message) {
    const char *report;

    if ((report = strstr(printed, "ThreadSanitizer: data race"))) {
        describe_race(report, source, message);
        return OUTCOME_RACE;
    }
    if ((report = strstr(printed, "AddressSanitizer: "))) {
        describe_address(report, source, message);
        return OUTCOME_MEMORY;
    }
    if ((report = strstr(printed, "runtime error: "))) {
        describe_undefined(printed, report, source, message);
        return OUTCOME_MEMORY;
    }
    return OUTCOME_ACCEPTED;
}

int sanitizer_knows_openmp(const char *printed) {
    return strstr(printed, "Archer detected OpenMP application with TSan") != NULL;
}
