#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "graded.h"
#include "hints.h"
#include "journal.h"
#include "parts.h"
#include "text.h"

/* The check's own words on how it failed: of the verdict that decided it, else the compiler's. */
static const char *words_of_failure(const json_t *result, const char *outcome) {
    const json_t *verdict;
    const char *words;
    size_t i;

    json_array_foreach(json_object_get(json_object_get(result, "referee"), "verdicts"), i,
                       verdict) {
        const char *word = json_string_value(json_object_get(verdict, "outcome"));

        words = json_string_value(json_object_get(verdict, "message"));
        if (word && words && !strcmp(word, outcome))
            return words;
    }
    words = json_string_value(json_object_get(result, "words"));
    return words ? words : "";
}

/* The number of the part that is not written, from the sentence that says so; 0: none. */
static int unwritten_part(const json_t *result) {
    const char *note =
        json_string_value(json_object_get(json_object_get(result, "referee"), "note"));
    const char *end = note ? strstr(note, UNWRITTEN) : NULL, *at;

    for (at = end; at && at > note; at--)
        if (!strncmp(at, "part ", 5))
            return atoi(at + 5);
    return 0;
}

char *graded_hint(const struct step *step, const char *outcome, const char *result_text) {
    json_t *result = json_loads(result_text, 0, NULL);
    char path[96], part_section[16], where[32], hint[HINT_BYTES] = "";
    const char *section = hints_section(hints_failure(outcome_of_word(outcome, strlen(outcome))));
    int part = strcmp(outcome, outcome_word(OUTCOME_ACCEPTED)) ? unwritten_part(result) : 0;

    if (part) {
        snprintf(part_section, sizeof part_section, "part %d", part);
        section = part_section;
    }
    failure_where(words_of_failure(result, outcome), where);
    snprintf(path, sizeof path, "steps/%s/hints.md", step->name);
    if (section)
        hints_read(path, section, 1,
                   strcmp(where, "-") ? where : "the place that the message names", hint);
    json_decref(result);
    return text_clean(hint);
}
