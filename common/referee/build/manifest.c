#include <stdio.h>
#include <string.h>

#include "manifest.h"

/* Names that stand for themselves; the first of them must be there. */
static const char *const names[] = {
    "title",    "part",      "problem",     "source",      "expected",       "tolerance",
    "variants", "builds_on", "technique",   "flags",       "nvcc_flags",     "flags_file",
    "openmp",   "races",     "without",     "standalone",  "peers_c",        "peers_cuda",
    "cost_cpu", "cost_cuda", "no_estimate", "variants_on", "variants_sizes", NULL};
enum { REQUIRED = 7 };

/* Lists of variants, and what a line of each one's flags begins with; the variants of some are
 * called by the whole of it. */
static const struct list {
    const char *name, *prefix;
    int whole;
} lists[] = {{"variants", "variant_"},
             {"standalone", "standalone_"},
             {"without", "without_", 1},
             {"peers_c", "peer_", 1},
             {"peers_cuda", "peer_", 1}};
enum { LISTS = sizeof lists / sizeof *lists };

/* What a variant may have besides, by its name behind these. */
static const char *const prefixes[] = {"source_",   "compiler_",  "with_",
                                       "largest_",  "parts_",     "nvcc_flags_",
                                       "cost_cpu_", "cost_cuda_", NULL};

int manifest_next(const char **at, struct setting *setting) {
    while (**at) {
        const char *line = *at, *end = line + strcspn(line, "\n");
        size_t length = strcspn(line, "#\r\n"), name, sign;

        *at = *end ? end + 1 : end;
        setting->line++;
        while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
            length--;
        if (!length)
            continue;
        name = strcspn(line, " =\t");
        sign = name + strspn(line + name, " \t");
        if (!name || name >= sizeof setting->name || sign >= length || line[sign] != '=' ||
            memchr(line, '$', length))
            return -1;
        sign += 1 + strspn(line + sign + 1, " \t");
        if (length >= sign + sizeof setting->value)
            return -1;
        snprintf(setting->name, sizeof setting->name, "%.*s", (int)name, line);
        snprintf(setting->value, sizeof setting->value, "%.*s",
                 length > sign ? (int)(length - sign) : 0, line + sign);
        return 1;
    }
    return 0;
}

int manifest_value(const char *manifest, const char *name, char value[MOST_VALUE]) {
    struct setting setting = {.line = 0};

    *value = 0;
    while (manifest && manifest_next(&manifest, &setting) > 0)
        if (!strcmp(setting.name, name)) {
            memcpy(value, setting.value, sizeof setting.value);
            return 1;
        }
    return 0;
}

int next_word(const char **list, char word[64]) {
    size_t length;

    *list += strspn(*list, " \t");
    length = strcspn(*list, " \t");
    snprintf(word, 64, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

/* Whether the manifest's list has the word. */
static int lists_word(const char *manifest, const char *list, const char *wanted) {
    char value[MOST_VALUE], word[64];
    const char *at = value;

    manifest_value(manifest, list, value);
    while (next_word(&at, word))
        if (!strcmp(word, wanted))
            return 1;
    return 0;
}

/* Whether the step has the variant, under the name by which the referee knows it. */
static int has_variant(const char *manifest, const char *variant) {
    int i;

    for (i = 0; i < LISTS; i++) {
        size_t skipped = lists[i].whole ? strlen(lists[i].prefix) : 0;

        if (!strncmp(variant, lists[i].prefix, skipped) &&
            lists_word(manifest, lists[i].name, variant + skipped))
            return 1;
    }
    return 0;
}

static int begins(const char *name, const char *prefix) {
    return !strncmp(name, prefix, strlen(prefix));
}

/* Says what is wrong with the name, if anything. */
static int name_is_wrong(const char *manifest, const char *name, char *message) {
    const char *list = NULL;
    int i;

    for (i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return 0;
    for (i = 0; i < LISTS; i++)
        if (begins(name, lists[i].prefix)) {
            if (lists_word(manifest, lists[i].name, name + strlen(lists[i].prefix)))
                return 0;
            list = list ? list : lists[i].name;
        }
    for (i = 0; prefixes[i]; i++)
        if (begins(name, prefixes[i])) {
            if (has_variant(manifest, name + strlen(prefixes[i])))
                return 0;
            list = "variants";
        }
    if (list)
        snprintf(message, 512, "%s: `%s` names no such variant", name, list);
    else
        snprintf(message, 512, "there is no setting `%s`", name);
    return 1;
}

/* Says which variant of the list in `setting` has no flags, if one has none. */
static int lacks_flags(const char *manifest, const struct setting *setting, char *message) {
    char word[64], name[128], value[MOST_VALUE];
    const char *at;
    int i;

    for (i = 0; i < LISTS; i++)
        for (at = setting->value; !strcmp(setting->name, lists[i].name) && next_word(&at, word);) {
            snprintf(name, sizeof name, "%s%s", lists[i].prefix, word);
            if (manifest_value(manifest, name, value))
                continue;
            snprintf(message, 512, "%s has no flags: a line `%s = FLAGS` is needed", word, name);
            return 1;
        }
    return 0;
}

int manifest_wrong(const char *manifest, char *message) {
    struct setting setting = {.line = 0}, other;
    const char *at = manifest, *before;
    char value[MOST_VALUE];
    int found, i;

    while ((found = manifest_next(&at, &setting)) > 0) {
        for (before = manifest, other.line = 0;
             manifest_next(&before, &other) > 0 && other.line < setting.line;)
            if (!strcmp(other.name, setting.name)) {
                snprintf(message, 512, "`%s` is set twice, in line %d before", setting.name,
                         other.line);
                return setting.line;
            }
        if (name_is_wrong(manifest, setting.name, message) ||
            lacks_flags(manifest, &setting, message))
            return setting.line;
    }
    if (found < 0) {
        snprintf(message, 512, "a line is `name = value` of at most %d bytes, without $",
                 MOST_VALUE - 1);
        return setting.line;
    }
    for (i = 0; i < REQUIRED; i++)
        if (!manifest_value(manifest, names[i], value) || !*value) {
            snprintf(message, 512, "`%s` is missing", names[i]);
            return setting.line;
        }
    return 0;
}
