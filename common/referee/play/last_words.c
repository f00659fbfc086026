#include <stdio.h>
#include <string.h>

#include "last_words.h"
#include "referee/build/source_line.h"

enum outcome last_words(const char *printed, const char *program, char *message, size_t size) {
    static const char name[] = "cpucuda: ";
    enum outcome outcome = OUTCOME_ACCEPTED, found;
    const char *line, *end, *colon;

    for (line = printed; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, name, sizeof name - 1))
            continue;
        line += sizeof name - 1;
        colon = strstr(line, ": ");
        if (!colon || colon > end)
            continue;
        found = outcome_of_word(line, (size_t)(colon - line));
        /* Else no outcome's word, or one that cpucuda cannot say. */
        if (found != OUTCOME_MEMORY && found != OUTCOME_HUNG && found != OUTCOME_RACE &&
            (found < OUTCOME_BARRIER || found > OUTCOME_MISSING_CALL))
            continue;
        outcome = found;
        snprintf(message, size, "%.*s", (int)(end - colon - 2), colon + 2);
    }
    if (outcome)
        source_lines_in(program, message, size);
    return outcome;
}

void last_line(const char *printed, char *line, size_t size) {
    const char *start, *end;

    *line = 0;
    for (start = printed; *start; start = *end ? end + 1 : end) {
        end = start + strcspn(start, "\n");
        if (end > start)
            snprintf(line, size, "%.*s", (int)(end - start), start);
    }
}
