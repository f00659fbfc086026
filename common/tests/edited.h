/* Wrong versions of a step's source: edits of its text, and whether the check rejects each for its
 * own reason. For tests that start in the repository's root. */
#ifndef EDITED_H
#define EDITED_H

#include <errno.h>

#include "catalogue_of_steps.h"
#include "files.h"
#include "referee/judge/check.h"

/* The first `from`, behind the first `after` if that is given, becomes `to`; "" is the head. */
struct edit {
    const char *from, *to, *after;
};

/* The edit that puts a header of common/kit in its place, so that it can be edited; it does nothing
 * where that is not included. */
#define SPLICED(header)                                                                            \
    { "#include \"" header "\"\n", NULL, header }

static inline char *edit_text(char *text, const struct edit *edit) {
    char *at = edit->to && edit->after ? strstr(text, edit->after) : text, *changed, *kit = NULL;

    at = at ? strstr(at, edit->from) : NULL;
    if (!at && !edit->to)
        return text;
    if (!edit->to) {
        char path[64];

        snprintf(path, sizeof path, "common/kit/%s", edit->after);
        assert_non_null(kit = read_file(path, NULL));
    }
    if (!at)
        fail_msg("the source has no \"%s\"", edit->from);
    assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, kit ? kit : edit->to,
                         at + strlen(edit->from)) > 0);
    free(kit);
    free(text);
    return changed;
}

/* Writes a source with edits, up to one without `from`; FILE= of the referee, a file of the same
 * name in a folder of this test program's own. */
static inline const char *edited(const char *source, const struct edit *edits) {
    static char path[256];
    char *text = read_file(source, NULL);

    if (!text)
        fail_msg("no %s", source);
    for (; edits->from; edits++)
        text = edit_text(text, edits);
    snprintf(path, sizeof path, "build/tests/edited/%s/%s", program_invocation_short_name,
             strrchr(source, '/') + 1);
    write_deep(path, text, strlen(text));
    free(text);
    return path;
}

/* Whether a verdict has the phrase, or one of its cases. */
static inline int verdict_says(const struct verdict *verdict, const char *phrase) {
    int said = strstr(verdict->message, phrase) != NULL;

    for (int c = 0; c < verdict->case_count; c++)
        said = said || strstr(verdict->cases[c].message, phrase);
    return said;
}

static inline const char *default_variant(const struct step *step, char variants[MOST_VALUE]) {
    manifest_value(step->manifest, "variants", variants);
    *strchrnul(variants, ' ') = 0;
    return variants;
}

/* A wrong version, and what the check says of it somewhere. */
struct mutant {
    const char *from, *to;
    int n; /* 0: all sizes */
    enum outcome outcome;
    const char *phrase;
};

/* Checks a source with an edit that all mutants need, which may have no `from`, and each mutant's
 * own, as the step's default variant. */
static inline void assert_rejected(const char *step_name, const char *source, struct edit before,
                                   const struct mutant *mutants, size_t count) {
    const struct step *step = catalogue_find(&catalogue, step_name);
    static struct programs programs;
    static struct check check;
    char variants[MOST_VALUE];

    for (size_t m = 0; m < count; m++) {
        const struct edit edits[] = {before, {mutants[m].from, mutants[m].to}, {NULL}};
        const struct options options = {.file = edited(source, edits + !before.from),
                                        .variant = default_variant(step, variants),
                                        .n = mutants[m].n,
                                        .seed = 1};
        int said = 0;

        assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
        assert_int_equal(check_step(&programs, &options, &check), 0);
        if (check.count == 1 && check.verdicts[0].skipped)
            skip(); /* no C++ compiler */
        for (int v = 0; v < check.count; v++)
            said = said || verdict_says(&check.verdicts[v], mutants[m].phrase);
        if (check.outcome != mutants[m].outcome || !said)
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, check.outcome, check.verdicts[0].message);
    }
}

#endif
