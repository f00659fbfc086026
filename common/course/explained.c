#include "explained.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The index of the text among `count`, where it is put if it is new and there is room. */
static int find_text(char (*texts)[ORIGIN_BYTES], int *count, const char *text) {
    int i;

    for (i = 0; i < *count && strcmp(texts[i], text); i++)
        ;
    if (i == *count && *count < MOST_ORIGINS)
        snprintf(texts[(*count)++], ORIGIN_BYTES, "%s", text);
    return i < MOST_ORIGINS ? i : MOST_ORIGINS - 1;
}

char origin_letter(struct origins *origins, const char *format, ...) {
    char text[ORIGIN_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return (char)('a' + find_text(origins->text, &origins->count, text));
}

void origin_note(struct origins *origins, const char *format, ...) {
    char text[ORIGIN_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    find_text(origins->notes, &origins->note_count, text);
}

const struct problem *explained_problem(const struct explained *explained) {
    return problem_find(explained->programs.step->problem);
}

void figure_words(const struct explained *explained, const char *words, char text[WORDS_BYTES]) {
    const struct problem *problem = explained_problem(explained);
    const char *mark = strchr(words, '{');

    if (!mark)
        snprintf(text, WORDS_BYTES, "%s", words);
    else
        snprintf(text, WORDS_BYTES, "%.*s%s%s", (int)(mark - words), words,
                 mark[1] == 'u' ? problem->unit : problem->per, strchr(mark, '}') + 1);
}

void figure_set(struct explained *explained, enum figure figure, double value, char origin) {
    explained->value[figure] = value;
    explained->origin[figure] = origin;
}

int figure_borrowed(const struct explained *explained, enum figure figure) {
    return explained->origin[figure] && strchr(explained->borrowed, explained->origin[figure]);
}

void figures_begin(struct explained *explained, char origin) {
    static const enum figure mix[] = {FIGURE_slots, FIGURE_fma, FIGURE_roots, FIGURE_shared_loads,
                                      FIGURE_global_loads};
    /* Of a CPU's loop it is not told what its loads are of. */
    int i, count = step_is_cuda(explained->programs.step) ? 5 : 3;

    for (i = 0; i < count; i++)
        figure_set(explained, mix[i], 0, origin);
}

void figure_take(struct explained *explained, const char *name, double value, char origin) {
    static const struct {
        const char *name;
        enum figure figure;
    } known[] = {
        {"slots", FIGURE_slots},
        {"fma", FIGURE_fma},
        {"half", FIGURE_fma},
        {"mufu", FIGURE_roots},
        {"roots", FIGURE_roots},
        {"divisions", FIGURE_roots},
        {"lds_16", FIGURE_shared_loads},
        {"lds_32", FIGURE_shared_loads},
        {"lds_64", FIGURE_shared_loads},
        {"lds_128", FIGURE_shared_loads},
        {"ldg", FIGURE_global_loads},
        {"shared_loads", FIGURE_shared_loads},
        {"lanes", FIGURE_lanes},
        {"global_requests", FIGURE_global_loads},
        {"threads", FIGURE_threads},
        {"interactions", FIGURE_interactions},
        {"registers", FIGURE_registers},
        {"not_selected", FIGURE_ready},
    };
    size_t i;

    if (!strncmp(name, "stall_", 6)) {
        snprintf(explained->stall, sizeof explained->stall, "%s", name + 6);
        figure_set(explained, FIGURE_stalled, value, origin);
    }
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) {
            enum figure figure = known[i].figure;

            if (explained->origin[figure] == origin)
                value += explained->value[figure];
            figure_set(explained, figure, value, origin);
        }
}
