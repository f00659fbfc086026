/* Which source a step's programs come from, and which of them is which. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problems/text.h"
#include "programs.h"
#include "referee/base/progress.h"

int is_source(const char *path) {
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

void name_beside(const struct step *step, const char *name, char path[96]) {
    snprintf(path, 96, "solutions/%s/%.44s", step->name, name);
}

const char *leave_one_out(const struct step *step) {
    return step_is_cuda(step) ? "leave_one_out.cu" : "leave_one_out.c";
}

int programs_leave_one_out(const struct step *step) {
    char path[96];

    name_beside(step, leave_one_out(step), path);
    return is_source(path);
}

int own_source(const struct step *step, const char *variant, char path[96]) {
    char name[80], file[MOST_VALUE];

    snprintf(name, sizeof name, "source_%s", variant);
    if (!manifest_value(step->manifest, name, file))
        return 0;
    snprintf(path, 96, "steps/%s/%.44s", step->name, file);
    if (!is_source(path))
        name_beside(step, file, path);
    return 1;
}

const char *programs_source(const struct programs *programs, const struct program *program) {
    return *program->source ? program->source : programs->source;
}

const char *programs_why(const struct programs *programs, const struct program *program) {
    return *program->source ? "" : programs->why;
}

const char *passed_path(const struct step *step, const struct options *options, char path[512]) {
    snprintf(path, 512, "%s/passed/%s/%s", options->results ? options->results : "results",
             step->name, step->source);
    return path;
}

enum outcome programs_file(const char *path) {
    struct stat status;
    char text[4096];
    const char *why = NULL;
    size_t bytes = 0;
    FILE *file = NULL;

    if (stat(path, &status))
        why = errno == ENOENT ? "there is no such file" : strerror(errno);
    else if (S_ISDIR(status.st_mode))
        why = "that is a folder";
    else if (!S_ISREG(status.st_mode)) /* and reading it might wait for ever */
        why = "that is a pipe or a device";
    else if (!(file = fopen(path, "r")))
        why = strerror(errno);
    else if (!(bytes = fread(text, 1, sizeof text, file)))
        why = "it is empty";
    else if (memchr(text, 0, bytes))
        why = "it holds bytes that are no text";
    if (file)
        fclose(file);
    return why ? complain(OUTCOME_NO_SOURCE, "FILE=%s: %s; a source file is needed", path, why)
               : OUTCOME_ACCEPTED;
}

enum outcome programs_choose(struct programs *programs, const struct step *step,
                             const struct options *options, int solution) {
    const char *of;
    char passed[512], own[96] = "";

    if (options->variant && !options->file && own_source(step, options->variant, own)) {
        solution = 1;
        if (!is_source(own))
            return complain(OUTCOME_NO_VARIANT,
                            "VARIANT=%s of %s is built from %s, which is not in this copy of the "
                            "course; leave VARIANT out",
                            options->variant, step->name, own);
    }
    of = options->of ? options->of : solution ? "solutions" : "steps";

    memset(programs, 0, sizeof *programs);
    programs->step = step;
    programs->arch = options->arch;
    programs->ablate = options->ablate && programs_leave_one_out(step);
    if (options->file) {
        snprintf(programs->source, sizeof programs->source, "%s", options->file);
        return programs_file(options->file);
    }
    if (!strncmp(own, "steps/", 6)) { /* the course's, in every copy */
        snprintf(programs->source, sizeof programs->source, "%s", own);
        programs->only = options->variant;
        programs->solution = 1;
        return OUTCOME_ACCEPTED;
    }
    snprintf(programs->source, sizeof programs->source, "%s/%s/%s", of, step->name, step->source);
    if (!options->of && !solution && !is_source(programs->source)) {
        snprintf(programs->why, sizeof programs->why, " (there is no %s)", programs->source);
        of = "solutions";
        snprintf(programs->source, sizeof programs->source, "%s/%s/%s", of, step->name,
                 step->source);
    }
    if (!options->of && !is_source(programs->source) &&
        is_source(passed_path(step, options, passed))) {
        snprintf(programs->why, sizeof programs->why, " (yours, as it was last accepted)");
        of = "passed";
        snprintf(programs->source, sizeof programs->source, "%s", passed);
    }
    if (!is_source(programs->source))
        return strcmp(of, "solutions") || access("solutions", F_OK) == 0
                   ? complain(OUTCOME_NO_SOURCE, "%s: there is no such file to read",
                              programs->source)
                   : complain(OUTCOME_NO_SOURCE,
                              "%s: this copy of the course has no solutions, and yours is not "
                              "accepted yet: `make check STEP=%.2s`",
                              step->name, step->name);
    programs->solution = !strcmp(of, "solutions");
    return OUTCOME_ACCEPTED;
}

int programs_there(const struct step *step, const struct options *options) {
    char path[512];

    snprintf(path, sizeof path, "solutions/%s/%s", step->name, step->source);
    return is_source(path) || is_source(passed_path(step, options, path));
}

const char *programs_builds(const struct programs *programs, const struct options *options) {
    if (!step_is_cuda(programs->step) || (options->backend && !strcmp(options->backend, "cpucuda")))
        return "plain";
    return options->backend || options->arch ? "cuda" : "plain cuda";
}

const struct program *programs_find(const struct programs *programs, const char *variant,
                                    const char *build) {
    int i;

    for (i = 0; i < programs->count; i++)
        if (!strcmp(programs->list[i].variant, variant) && !strcmp(programs->list[i].build, build))
            return &programs->list[i];
    return NULL;
}

const struct program *programs_default(const struct programs *programs, const char *build) {
    return programs->count ? programs_find(programs, programs->list[0].variant, build) : NULL;
}

/* The first word of `flags` that is not in `others`, of those that define macros or (`macros` is 0)
 * of all else; NULL: there is none. */
static const char *differing_flag(const char *flags, const char *others, int macros) {
    char padded[200], word[200];
    const char *at = flags;
    size_t length;

    snprintf(padded, sizeof padded, " %s ", others);
    for (; *(at += strspn(at, " ")); at += length) {
        length = strcspn(at, " ");
        snprintf(word, sizeof word, " %.*s ", (int)length, at);
        if (macros == !strncmp(at, "-D", 2) && !strstr(padded, word))
            return at;
    }
    return NULL;
}

const struct program *programs_same(const struct programs *programs, const struct program *program,
                                    char macro[64]) {
    const char *flag;
    int i;

    for (i = 0; i < programs->count; i++) {
        const struct program *other = &programs->list[i];

        if (!*program->text || !strcmp(other->variant, program->variant) ||
            strcmp(other->text, program->text) || strcmp(other->compiler, program->compiler) ||
            differing_flag(program->flags, other->flags, 0) ||
            differing_flag(other->flags, program->flags, 0))
            continue;
        flag = differing_flag(program->flags, other->flags, 1);
        flag = flag ? flag : differing_flag(other->flags, program->flags, 1);
        if (!flag)
            continue;
        snprintf(macro, 64, "%.*s", (int)strcspn(flag + 2, "= "), flag + 2);
        return other;
    }
    return NULL;
}

int programs_has(const struct programs *programs, const char *variant) {
    int i;

    for (i = 0; i < programs->count; i++)
        if (!strcmp(programs->list[i].variant, variant) &&
            strcmp(programs->list[i].build, "missing"))
            return 1;
    return 0;
}

enum outcome programs_no_variant(const struct programs *programs, const char *variant) {
    char names[512] = "", variants[MOST_VALUE], word[64], path[96];
    const char *at = variants;
    int i;

    for (i = 0; i < programs->count; i++) {
        if (i && !strcmp(programs->list[i].variant, programs->list[i - 1].variant))
            continue;
        if (!strcmp(programs->list[i].variant, variant))
            return complain(OUTCOME_NO_VARIANT, "VARIANT=%s of %s needs %s, which is not installed",
                            variant, programs->step->name, programs->list[i].compiler);
        text_add(names, sizeof names, "%s%s", i ? ", " : "", programs->list[i].variant);
    }
    manifest_value(programs->step->manifest, "variants", variants);
    while (next_word(&at, word))
        if (own_source(programs->step, word, path) && !programs_has(programs, word) &&
            is_source(path))
            text_add(names, sizeof names, ", %s", word);
    return complain(OUTCOME_NO_VARIANT, "VARIANT=%s: %s has no such variant; it has %s", variant,
                    programs->step->name, names);
}

void leave_out(struct left_out *left_out, const struct step *step) {
    text_add(left_out->names, sizeof left_out->names, "%s%s", *left_out->names ? ", " : "",
             step->name);
}

enum outcome say_left_out(const struct left_out *left_out, int others,
                          const struct options *options) {
    if (!*left_out->names)
        return OUTCOME_ACCEPTED;
    if (!others)
        return complain(OUTCOME_NO_SOURCE,
                        "this copy of the course has no solutions, and no step of yours is "
                        "accepted yet; begin with `make check STEP=01`");
    progress_end();
    fprintf(options->json ? stderr : stdout, "left out, since not accepted yet: %s\n",
            left_out->names);
    return OUTCOME_ACCEPTED;
}
