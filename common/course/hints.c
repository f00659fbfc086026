#include <stdio.h>
#include <string.h>

#include "hints.h"

enum failure hints_failure(enum outcome outcome) {
    switch (outcome) { /* all are listed, so that the compiler misses a new one */
    case OUTCOME_COMPILE:
        return FAILURE_COMPILE;
    case OUTCOME_CRASHED:
    case OUTCOME_EXITED:
    case OUTCOME_HUNG:
    case OUTCOME_OWN_ERROR:
    case OUTCOME_RACE:
    case OUTCOME_MEMORY:
    case OUTCOME_BARRIER:
    case OUTCOME_WARP_MASK:
    case OUTCOME_HOST_POINTER:
    case OUTCOME_DEVICE_POINTER:
    case OUTCOME_COPY:
    case OUTCOME_LAUNCH:
    case OUTCOME_LEAKED_ERROR:
    case OUTCOME_ORDER:
    case OUTCOME_UNINITIALISED:
    case OUTCOME_UNFREED:
        return FAILURE_ACCESS;
    case OUTCOME_UNWRITTEN:
    case OUTCOME_NOT_FINITE:
    case OUTCOME_WRONG:
    case OUTCOME_DECIMALS:
    case OUTCOME_TIMED_OUTPUT:
    case OUTCOME_EXPECTED:
        return FAILURE_RESULT;
    case OUTCOME_IDEA:
        return FAILURE_IDEA;
    /* What the course does not teach: the check's own message is what there is. */
    case OUTCOME_FLOODED:
    case OUTCOME_CLOSED:
    case OUTCOME_FORKED:
    case OUTCOME_FORBIDDEN:
    case OUTCOME_PROTOCOL:
    case OUTCOME_MISSING_CALL:
    case OUTCOME_INCONCLUSIVE:
    case OUTCOME_LIMIT:
    /* Its hint is that of the part. */
    case OUTCOME_UNFINISHED:
    /* Of commands, not of a program. */
    case OUTCOME_ACCEPTED:
    case OUTCOME_INTERNAL:
    case OUTCOME_USAGE:
    case OUTCOME_NO_STEP:
    case OUTCOME_NO_VARIANT:
    case OUTCOME_NO_SOURCE:
    case OUTCOME_NO_GPU:
    case OUTCOME_SIZE:
    case OUTCOME_RESULTS:
    case OUTCOME_HEADER:
    case OUTCOME_LOCKED:
    case OUTCOME_RECORD:
    case OUTCOME_STATE:
    case OUTCOME_FENCE:
    case OUTCOME_INPUT:
    case OUTCOME_SUBMISSIONS:
    case OUTCOME_RUBRIC:
    case OUTCOME_GRADEBOOK:
    case OUTCOME_SANDBOX:
    case OUTCOME_FULL:
    case OUTCOME_STOPPED:
        break;
    }
    return FAILURE_NONE;
}

const char *hints_section(enum failure failure) {
    static const char *const names[] = {NULL, "compile", "access", "result", "idea"};

    return names[failure];
}

/* Appends a line with `where` in the place of {where}. */
static void append(char text[HINT_BYTES], const char *line, const char *where) {
    static const char mark[] = "{where}";
    const char *at;

    for (; (at = strstr(line, mark)); line = at + strlen(mark))
        snprintf(text + strlen(text), HINT_BYTES - strlen(text), "%.*s%s", (int)(at - line), line,
                 where);
    snprintf(text + strlen(text), HINT_BYTES - strlen(text), "%s", line);
}

int hints_read(const char *path, const char *section, int level, const char *where,
               char text[HINT_BYTES]) {
    FILE *file = fopen(path, "r");
    char line[512];
    int inside = 0, at = 0;

    *text = 0;
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "## ", 3)) {
            inside = !strcmp(line + 3, section);
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
    fclose(file);
    return *text != 0;
}
