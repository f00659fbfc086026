#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "graded.h"
#include "referee/lesson/hints.h"
#include "referee/lesson/parts.h"
#include "text.h"

/* The check's own words on how it failed: of the verdict that decided it, else the line of the
 * compiler's. */
static void words_of_failure(const json_t *result, const char *outcome, char text[1024]) {
    const json_t *verdict;
    const char *words;
    size_t i, length;
    int by_linker;

    *text = 0;
    json_array_foreach(json_object_get(json_object_get(result, "referee"), "verdicts"), i,
                       verdict) {
        const char *word = json_string_value(json_object_get(verdict, "outcome"));

        words = json_string_value(json_object_get(verdict, "message"));
        if (word && words && !strcmp(word, outcome)) {
            snprintf(text, 1024, "%s", words);
            return;
        }
    }
    words = json_string_value(json_object_get(result, "words"));
    if (words && (words = compiler_error(words, &length, &by_linker)))
        snprintf(text, 1024, "%.*s", (int)length, words);
}

char *graded_hint(const struct step *step, const char *word, const char *result_text) {
    enum outcome outcome = outcome_of_word(word, strlen(word));
    json_t *result = json_loads(result_text, 0, NULL);
    const char *note =
        json_string_value(json_object_get(json_object_get(result, "referee"), "note"));
    char section[SECTION_BYTES], where[32], words[1024], hint[HINT_BYTES] = "";

    words_of_failure(result, word, words);
    failure_where(words, where);
    if (hints_choose(step->name, outcome, words, note ? part_named(note) : 0, section))
        hints_read(step, section, 1, where, words, hint);
    json_decref(result);
    return text_clean(hint);
}
