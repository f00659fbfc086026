#include <stdio.h>
#include <string.h>

#include "explained.h"
#include "explained_words.h"
#include "referee/base/json.h"
#include "referee/base/terminal.h"
#include "referee/inspect/trace_print.h"

static const struct {
    const char *name, *label, *format;
} rows[] = {
#define FIGURE_ROW(name, label, format, phrase) {#name, label, format},
    FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
};

/* A figure and its mark, or "-". */
static void name_cell(const struct explained *explained, int figure, char cell[40]) {
    char text[32];

    snprintf(text, sizeof text, rows[figure].format, explained->value[figure]);
    if (explained->origin[figure])
        snprintf(cell, 40, "%20s [%c]", text, explained->origin[figure]);
    else
        snprintf(cell, 40, "%20s", "-");
}

static void print_words(const char *label, const char *after, const char *before) {
    printf("  %-38s", label);
    if (before)
        printf(" %20s    ", *before ? before : "-");
    printf(" %20s\n", *after ? after : "-");
}

static void print_table(const struct explained *after, const struct explained *before) {
    char cell[40], label[WORDS_BYTES];
    int i;

    print_words("", after->programs.step->name, before ? before->programs.step->name : NULL);
    print_words("", after->variant, before ? before->variant : NULL);
    for (i = 0; i < FIGURE_COUNT; i++) {
        if (!after->origin[i] && !(before && before->origin[i]))
            continue;
        figure_words(after, rows[i].label, label);
        /* What stands in brackets is the GPU's name for it. */
        printf("  %-38.*s", step_is_cuda(after->programs.step) ? 38 : (int)strcspn(label, "("),
               label);
        if (before) {
            name_cell(before, i, cell);
            printf(" %-24s", cell);
        }
        name_cell(after, i, cell);
        printf(" %s\n", cell);
        if (i == FIGURE_limit)
            print_words("name of the limit", after->limit_name, before ? before->limit_name : NULL);
        if (i == FIGURE_stalled)
            print_words("  what for", after->stall, before ? before->stall : NULL);
    }
}

static void print_source(const struct explained *explained, const char *beside) {
    printf("%s%s: %s%s, variant %s\n", beside, explained->programs.step->name,
           explained->programs.source, explained->programs.why, explained->variant);
}

static void print_trace(const struct explained *explained) {
    if (!*explained->traced)
        return;
    printf("\n%s, memory by source line (counted by cpucuda, n = %d):\n",
           explained->programs.step->name, explained->traced_n);
    trace_print(explained->traced, &explained->counters, explained_problem(explained),
                explained->traced_work);
}

void explained_print(const struct explained *after, const struct explained *before,
                     const struct origins *origins) {
    char sentences[MOST_SENTENCES][SENTENCE_BYTES];
    int count = explained_sentences(after, before, sentences), i;

    print_source(after, "");
    if (before)
        print_source(before, "beside ");
    printf("\n");
    print_table(after, before);
    printf("\n");
    for (i = 0; i < origins->count; i++)
        if (memchr(after->origin, 'a' + i, FIGURE_COUNT) ||
            (before && memchr(before->origin, 'a' + i, FIGURE_COUNT)))
            printf("  [%c] %s\n", 'a' + i, origins->text[i]);
    for (i = 0; i < origins->note_count; i++)
        printf("  note: %s\n", origins->notes[i]);
    printf("\n");
    for (i = 0; i < count; i++)
        print_wrapped(0, sentences[i]);
    if (before)
        print_trace(before);
    print_trace(after);
}

static void print_json_one(const char *name, const struct explained *explained,
                           const struct origins *origins) {
    int i;

    print_json("%s={ step=%s source=%s variant=%s figures={", name, explained->programs.step->name,
               explained->programs.source, explained->variant);
    for (i = 0; i < FIGURE_COUNT; i++)
        if (explained->origin[i])
            print_json("%s={ value=%.6g origin=%s }", rows[i].name, explained->value[i],
                       origins->text[explained->origin[i] - 'a']);
    print_json("} limit_name=%s stall=%s", explained->limit_name, explained->stall);
    if (*explained->traced)
        trace_print_json(explained->traced, &explained->counters, explained_problem(explained),
                         explained->traced_work);
    print_json("}");
}

void explained_print_json(const struct explained *after, const struct explained *before,
                          const struct origins *origins) {
    char sentences[MOST_SENTENCES][SENTENCE_BYTES];
    int count = explained_sentences(after, before, sentences), i;

    print_json("{");
    print_json_one("after", after, origins);
    if (before)
        print_json_one("before", before, origins);
    else
        print_json("before=null");
    print_json("sentences=[");
    for (i = 0; i < count; i++)
        print_json("%s", sentences[i]);
    print_json("] notes=[");
    for (i = 0; i < origins->note_count; i++)
        print_json("%s", origins->notes[i]);
    print_json("] }");
}
