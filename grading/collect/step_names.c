#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "step_names.h"

/* Whether a word begins as a step's name does: one or two digits, and then the end or `_` or `-`.
 */
static int looks_like_step(const char *word) {
    size_t digits = strspn(word, "0123456789");

    return digits >= 1 && digits <= 2 && (!word[digits] || strchr("_-", word[digits]));
}

const struct step *step_named(const struct catalogue *catalogue, const char *word) {
    char number[3] = "";
    const struct step *step;
    size_t digits = strspn(word, "0123456789");

    memcpy(number, word, digits);
    step = catalogue_find(catalogue, number);
    if (!step || !word[digits])
        return step;
    return !strcasecmp(word + digits + 1, step->name + strcspn(step->name, "_") + 1) ? step : NULL;
}

/* The length without what stands at the end of a copy's name: -1 of Canvas, (1) of a browser, a
 * space and 2 or "copy" of a desktop. */
static size_t without_copy(const char *base, size_t length) {
    static const char word[] = "copy";
    size_t end = length - (length && base[length - 1] == ')'), begin = end;

    while (begin && isdigit((unsigned char)base[begin - 1]))
        begin--;
    if (begin < end && base[begin] != '0' && begin > 1 &&
        (end < length ? base[begin - 1] == '(' : strchr("- ", base[begin - 1]) != NULL))
        end = begin - 1;
    else if (length > strlen(word) &&
             !strncasecmp(base + length - strlen(word), word, strlen(word)) &&
             strchr(" -_", base[length - strlen(word) - 1]))
        end = length - strlen(word);
    else
        return length;
    while (end > 1 && strchr(" -_+", base[end - 1]))
        end--;
    return end;
}

/* The length of a file's name without its ending and what a copy's name has more. */
static size_t stem_length(const char *base) {
    size_t length = (size_t)(strrchr(base, '.') - base), before;

    do
        length = without_copy(base, before = length);
    while (length < before);
    return length;
}

/* Of a file's name: the length of a source's name and the `_`, `-` or space that stand before a
 * step's number, as in nbody_05. */
static size_t prefix_length(const struct catalogue *catalogue, const char *base) {
    int i;

    for (i = 0; i < catalogue->count; i++) {
        const char *source = catalogue->steps[i].source;
        size_t length = stem_length(source);

        if (!strncasecmp(base, source, length) && base[length] && strchr("_- ", base[length]) &&
            looks_like_step(base + length + 1))
            return length + 1;
    }
    return 0;
}

void step_words(const struct catalogue *catalogue, const char *path, char *folder, char *file) {
    char copy[3 * MOST_PATH + 1], *base, *word, *rest = copy;

    *folder = *file = 0;
    snprintf(copy, sizeof copy, "%s", path);
    base = strrchr(copy, '/');
    if (base) {
        *base++ = 0;
        while ((word = strsep(&rest, "/")))
            if (looks_like_step(word))
                strcpy(folder, word);
    } else {
        base = copy;
    }
    base[stem_length(base)] = 0;
    base += prefix_length(catalogue, base);
    if (looks_like_step(base))
        strcpy(file, base);
}

int step_is_called(const char *base, const char *word, const struct step *step) {
    size_t length = stem_length(step->source);
    int begins = !strncasecmp(base, step->source, length);

    return *word ? !strncasecmp(base, word, strlen(word)) ||
                       (begins && base[length] && strchr("_- ", base[length]))
                 : begins && stem_length(base) == length;
}

int step_is_of_kind(const char *base, const struct step *step) {
    return name_ends(base, ".cu") == step_is_cuda(step);
}

const struct step *step_with_source(const struct catalogue *catalogue, const char *base,
                                    int *count) {
    const struct step *found = NULL;
    int i;

    *count = 0;
    for (i = 0; i < catalogue->count; i++)
        if (step_is_called(base, "", &catalogue->steps[i]) &&
            step_is_of_kind(base, &catalogue->steps[i])) {
            found = &catalogue->steps[i];
            ++*count;
        }
    return *count == 1 ? found : NULL;
}
