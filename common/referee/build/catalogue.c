#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "manifest.h"
#include "problems/technique.h"
#include "referee/base/files.h"

/* Takes a setting into a field of a step. Returns 0 if it is too long. */
static int take_field(const char *manifest, const char *name, char *field, size_t size) {
    char value[MOST_VALUE];

    manifest_value(manifest, name, value);
    return snprintf(field, size, "%s", value) < (int)size;
}

/* `accepted`, or how results may be wrong on purpose; each behind the name of a variant or alone.
 */
static void expected_is_wrong(const char *value, char *why) {
    static const char *const words[] = {"accepted", "wrong", "decimals", "not-finite", NULL};

    for (; *value && !*why; value += strcspn(value, ","), value += *value == ',') {
        int length = (int)strcspn(value, ","), name = (int)strcspn(value, "=") + 1;
        char word[32];

        name = name < length ? name : 0;
        snprintf(word, sizeof word, "%.*s", length - name, value + name);
        if (!has_name(words, word))
            snprintf(why, 512, "%s is none of accepted, wrong, decimals, not-finite", word);
    }
}

/* Looks for a value that the step's problem does not know. Returns the line's number, 0 if all is
 * well; `message` says what. */
static int value_is_wrong(const char *manifest, const char *problem_name, char *message) {
    const struct problem *problem = problem_find(problem_name);
    struct setting setting = {.line = 0};
    struct cost costs[MOST_COSTS];
    char why[512] = "";

    while (manifest_next(&manifest, &setting) > 0) {
        if (!strcmp(setting.name, "problem") && !problem)
            snprintf(why, sizeof why, "there is no such problem");
        else if (problem && !strncmp(setting.name, "cost_", 5))
            cost_read(problem, setting.value, *problem->distributions, costs, why);
        else if (problem && !strcmp(setting.name, "technique"))
            technique_wrong(problem, setting.value, why);
        else if (!strcmp(setting.name, "expected"))
            expected_is_wrong(setting.value, why);
        if (*why) {
            snprintf(message, 512, "%s: %.400s", setting.name, why);
            return setting.line;
        }
    }
    return 0;
}

/* Reads a step, whose folder is its name. */
static enum outcome read_step(const char *path, struct step *step) {
    const char *end = strrchr(path, '/'), *name = end;
    char message[512];
    int line;

    while (name > path && name[-1] != '/')
        name--;
    if (end - name >= (int)sizeof step->name)
        return complain(OUTCOME_INTERNAL, "%s: a step's name has at most %zu bytes", path,
                        sizeof step->name - 1);
    memset(step, 0, sizeof *step);
    memcpy(step->name, name, (size_t)(end - name));
    if (!(step->manifest = file_bytes(path, NULL)))
        return complain(OUTCOME_INTERNAL, "%s cannot be read", path);
    if ((line = manifest_wrong(step->manifest, message)))
        return complain(OUTCOME_INTERNAL, "%s:%d: %s", path, line, message);
    if (!take_field(step->manifest, "part", step->part, sizeof step->part) ||
        !take_field(step->manifest, "problem", step->problem, sizeof step->problem) ||
        !take_field(step->manifest, "source", step->source, sizeof step->source) ||
        !take_field(step->manifest, "builds_on", step->builds_on, sizeof step->builds_on) ||
        !take_field(step->manifest, "expected", step->expected, sizeof step->expected) ||
        !take_field(step->manifest, "tolerance", step->tolerance, sizeof step->tolerance) ||
        !take_field(step->manifest, "title", step->title, sizeof step->title))
        return complain(OUTCOME_INTERNAL, "%s: one of its first values is too long", path);
    if ((line = value_is_wrong(step->manifest, step->problem, message)))
        return complain(OUTCOME_INTERNAL, "%s:%d: %s", path, line, message);
    return OUTCOME_ACCEPTED;
}

enum outcome catalogue_read(struct catalogue *catalogue, const char *folder) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    char path[320];
    glob_t found;
    size_t i;

    catalogue->count = 0;
    snprintf(path, sizeof path, "%s/[0-9]*_*", folder);
    if (glob(path, 0, NULL, &found))
        found.gl_pathc = 0;
    for (i = 0; !outcome && i < found.gl_pathc; i++) {
        snprintf(path, sizeof path, "%s/manifest", found.gl_pathv[i]);
        if (access(path, F_OK)) {
            if (errno == EACCES)
                outcome = complain(OUTCOME_NO_SOURCE, "%s cannot be read: %s", found.gl_pathv[i],
                                   strerror(errno));
            continue; /* what has no manifest is no step */
        }
        if (catalogue->count == MOST_STEPS)
            outcome = complain(OUTCOME_INTERNAL, "%s: more than %d steps", folder, MOST_STEPS);
        else
            outcome = read_step(path, &catalogue->steps[catalogue->count++]);
    }
    if (!outcome && !catalogue->count)
        outcome =
            complain(OUTCOME_INTERNAL,
                     "%s: no step's manifest is there; run from the top of the course", folder);
    if (found.gl_pathc)
        globfree(&found);
    return outcome;
}

const struct step *catalogue_find(const struct catalogue *catalogue, const char *name) {
    char *end;
    long number = strtol(name, &end, 10);
    int i;

    for (i = 0; i < catalogue->count; i++) {
        const struct step *step = &catalogue->steps[i];

        if (!strcmp(step->name, name) || (end != name && !*end && atol(step->name) == number))
            return step;
    }
    return NULL;
}

void cell_value(const char *cell, const char *variant, char *value) {
    size_t length = strlen(variant);

    snprintf(value, 32, "%.*s", (int)strcspn(cell, ","), cell);
    for (; *cell; cell += strcspn(cell, ","), cell += *cell == ',')
        if (!strncmp(cell, variant, length) && cell[length] == '=')
            snprintf(value, 32, "%.*s", (int)strcspn(cell + length + 1, ","), cell + length + 1);
}

enum outcome step_expects(const struct step *step, const char *variant) {
    char expected[32];

    cell_value(step->expected, variant, expected);
    return outcome_of_word(expected, strlen(expected));
}

const struct step *catalogue_end(const struct catalogue *catalogue) {
    int i;

    for (i = catalogue->count - 1; i >= 0; i--) {
        const struct step *step = &catalogue->steps[i];

        if (!strcmp(step->problem, "nbody") && !strcmp(step->part, "I") && step_is_cuda(step))
            return step;
    }
    return NULL;
}

int step_is_cuda(const struct step *step) {
    size_t length = strlen(step->source);

    return length > 3 && !strcmp(step->source + length - 3, ".cu");
}

int step_has_backend(const struct step *step, const struct options *options) {
    const char *backend = options->backend;

    if (step_is_cuda(step))
        return !backend || (strcmp(backend, "cpu") && (!options->arch || !strcmp(backend, "cuda")));
    return !options->arch && (!backend || !strcmp(backend, "cpu"));
}

int step_costs(const struct step *step, const char *variant, const char *backend,
               const char *distribution, struct cost costs[MOST_COSTS]) {
    char name[80], value[MOST_VALUE], unused[512];
    int count;

    snprintf(name, sizeof name, "cost_%s_%s", backend, variant);
    if (!manifest_value(step->manifest, name, value)) {
        snprintf(name, sizeof name, "cost_%s", backend);
        if (!manifest_value(step->manifest, name, value))
            return 0;
    }
    count = cost_read(problem_find(step->problem), value, distribution, costs, unused);
    return count > 0 ? count : 0;
}
