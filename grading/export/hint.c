#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "graded.h"
#include "hints.h"
#include "journal.h"
#include "parts.h"
#include "text.h"

/* The check's own words on how it failed: of the verdict that decided it, else the line of the
 * compiler's. */
static void words_of_failure(const json_t *result, const char *outcome, char text[512],
                             int *by_linker) {
    const json_t *verdict;
    const char *words;
    size_t i, length;

    *text = 0;
    *by_linker = 0;
    json_array_foreach(json_object_get(json_object_get(result, "referee"), "verdicts"), i,
                       verdict) {
        const char *word = json_string_value(json_object_get(verdict, "outcome"));

        words = json_string_value(json_object_get(verdict, "message"));
        if (word && words && !strcmp(word, outcome)) {
            snprintf(text, 512, "%s", words);
            return;
        }
    }
    words = json_string_value(json_object_get(result, "words"));
    if (words && (words = compiler_error(words, &length, by_linker)))
        snprintf(text, 512, "%.*s", (int)length, words);
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
    char path[96], part_section[16], where[32], words[512], hint[HINT_BYTES] = "";
    int by_linker;
    const char *section = hints_section(hints_failure(outcome_of_word(outcome, strlen(outcome))));
    int part = strcmp(outcome, outcome_word(OUTCOME_ACCEPTED)) ? unwritten_part(result) : 0;

    if (part) {
        snprintf(part_section, sizeof part_section, "part %d", part);
        section = part_section;
    }
    words_of_failure(result, outcome, words, &by_linker);
    failure_where(words, where);
    snprintf(path, sizeof path, "steps/%s/hints.md", step->name);
    if (by_linker) /* every line compiled */
        snprintf(hint, sizeof hint,
                 "The linker looks for one definition of each function that is called. Compare the "
                 "name that it tells, letter by letter, with your functions and with "
                 "common/include/%s.h: is it spelt otherwise, missing, or there twice?\n",
                 step->problem);
    else if (section)
        hints_read(path, section, 1,
                   strcmp(where, "-") ? where : "the place that the message names", hint);
    json_decref(result);
    return text_clean(hint);
}
