#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>

#include "choose.h"
#include "referee/lesson/parts.h"
#include "owner.h"
#include "step_names.h"

void refuse_file(struct submission *submission, const char *path, const char *format, ...) {
    struct refusal *refusal = &submission->refusals[submission->refusal_count];
    char reason[1024];
    va_list arguments;

    if (submission->refusal_count++ >= MOST_REFUSALS)
        return;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    name_printable(refusal->path, sizeof refusal->path, path);
    name_printable(refusal->reason, sizeof refusal->reason, reason);
}

/* Finds the step of a source. NULL: it does not count, told why, or (`plain` is 1) it could be that
 * of several steps. */
static const struct step *step_of(struct submission *submission, const struct file *file,
                                  const struct wanted *wanted, int *plain) {
    static char folder[3 * MOST_PATH + 1], own[3 * MOST_PATH + 1];
    const char *base = name_base(file->path), *word;
    const struct step *step;
    int count;

    *plain = 0;
    step_words(wanted->catalogue, file->path, folder, own);
    word = *own ? own : folder;
    if (!*word) {
        step = step_with_source(wanted->catalogue, base, &count);
        *plain = count != 1;
        return step;
    }
    step = step_named(wanted->catalogue, word);
    if (!step) {
        refuse_file(submission, file->path,
                    "there is no step %.40s; steps/ lists the steps, such as %s", word,
                    wanted->catalogue->steps[0].name);
        return NULL;
    }
    if (*own && *folder && step_named(wanted->catalogue, folder) != step)
        refuse_file(submission, file->path,
                    "its name says %.40s and its folder %.40s; let both agree", own, folder);
    else if (!step_is_called(base, own, step))
        refuse_file(submission, file->path, "only the step's own file is taken, %s/%s", step->name,
                    step->source);
    else if (!step_is_of_kind(base, step))
        refuse_file(submission, file->path, "the source of %s is %s, and this is not of that kind",
                    step->name, step->source);
    else
        return step;
    return NULL;
}

/* Whether the text can be taken; says why not. */
static int is_text(struct submission *submission, const struct file *file) {
    const struct piece *piece = file->piece;

    if (piece->bytes == 0)
        refuse_file(submission, file->path, "is empty");
    else if (memchr(piece->text, 0, piece->bytes))
        refuse_file(submission, file->path,
                    "holds zero bytes, so it is no source text; save it as UTF-8");
    else
        return 1;
    return 0;
}

static char *copy_text(const struct piece *piece) {
    char *copy = malloc(piece->bytes + 1);

    if (!copy)
        abort();
    memcpy(copy, piece->text, piece->bytes);
    copy[piece->bytes] = 0;
    return copy;
}

static void take_source(struct submission *submission, const struct step *step,
                        const struct file *file) {
    struct source *source;

    if (!is_text(submission, file))
        return;
    source = &submission->sources[submission->source_count++];
    source->step = step;
    source->text = copy_text(file->piece);
    source->bytes = file->piece->bytes;
    name_printable(source->origin, sizeof source->origin, file->path);
}

/* Takes the file that is the only one for its purpose; refuses all if there are more. */
static const struct file *only_one(struct submission *submission, const struct file *const *found,
                                   int count, const char *purpose) {
    int i;

    for (i = 0; i < count && count > 1; i++)
        refuse_file(submission, found[i]->path,
                    "%s and %s are both for %s, and neither is taken; keep one", found[0]->path,
                    found[i ? i : 1]->path, purpose);
    return count == 1 ? found[0] : NULL;
}

/* Whether flags hold at most one line that is no comment. */
static int is_one_line(const char *text) {
    int lines = 0;

    while (*text) {
        size_t length = strcspn(text, "\n"), blank = strspn(text, " \t\r");

        lines += blank < length && text[blank] != '#';
        text += length + (text[length] == '\n');
    }
    return lines <= 1;
}

/* What a compiler may be told of arithmetic and registers. nvcc has options that start programs,
 * read files and write others. */
static int are_known_flags(const char *text) {
    static const char *const known[] = {"-ftz=",           "--ftz=",         "-prec-div=",
                                        "--prec-div=",     "-prec-sqrt=",    "--prec-sqrt=",
                                        "-fmad=",          "--fmad=",        "-use_fast_math",
                                        "--use_fast_math", "-maxrregcount=", "--maxrregcount="};
    const char *at = text;
    size_t i, length;

    while (*at) {
        at += strspn(at, " \t\r\n");
        if (*at == '#')
            at += strcspn(at, "\n");
        length = strcspn(at, " \t\r\n#");
        for (i = 0; length && i < sizeof known / sizeof *known; i++) {
            size_t name = strlen(known[i]);

            if (!strncmp(at, known[i], name) &&
                (known[i][name - 1] == '='
                     ? name + strspn(at + name, "abcdefghijklmnopqrstuvwxyz0123456789") == length
                     : name == length))
                break;
        }
        if (length && i == sizeof known / sizeof *known)
            return 0;
        at += length;
    }
    return 1;
}

static void take_flags(struct submission *submission, const struct file *file,
                       const struct wanted *wanted) {
    static char folder[3 * MOST_PATH + 1], own[3 * MOST_PATH + 1];
    char path[3 * MOST_PATH + 8];
    const struct step *step;
    struct edited edited;
    int i;

    snprintf(path, sizeof path, "%s.", file->path);
    step_words(wanted->catalogue, path, folder, own);
    step = *folder ? step_named(wanted->catalogue, folder) : NULL;
    if (!step)
        return;
    learner_files(step, &edited);
    for (i = 0; i < submission->source_count; i++)
        if (submission->sources[i].step == step && edited.count > 1) {
            struct source *source = &submission->sources[i];

            if (source->flags)
                refuse_file(submission, file->path, "there are two files `flags` for %s; keep one",
                            step->name);
            else if (!is_text(submission, file))
                continue;
            else if (file->piece->bytes > 4096 || !is_one_line(file->piece->text))
                refuse_file(submission, file->path,
                            "holds more than one line of flags; one line, and comments, are taken");
            else if (!are_known_flags(file->piece->text))
                refuse_file(submission, file->path,
                            "holds another option than -ftz=, -prec-div=, -prec-sqrt=, -fmad=, "
                            "-maxrregcount= and -use_fast_math; only these are taken");
            else
                source->flags = copy_text(file->piece);
        }
}

static int may_be_source(const struct file *file) {
    return name_ends(file->path, ".c") || name_ends(file->path, ".cu");
}

/* Of files whose names tell no step, the one that is the only step's: called as its source is, or,
 * unless another file's name tells that step, the only one of its kind. NULL: there is none, or
 * several.
 */
static const struct file *lone_of(const struct wanted *wanted, int is_told,
                                  const struct file *const *found, int count) {
    const struct file *called = NULL, *any = NULL;
    int i, called_count = 0, any_count = 0, others;

    for (i = 0; i < count; i++) {
        const char *base = name_base(found[i]->path);

        if (!step_is_of_kind(base, wanted->only))
            continue;
        step_with_source(wanted->catalogue, base, &others);
        if (step_is_called(base, "", wanted->only)) {
            called = found[i];
            called_count++;
        } else if (!others) {
            any = found[i];
            any_count++;
        }
    }
    return called_count == 1 ? called : !called_count && !is_told && any_count == 1 ? any : NULL;
}

/* Gives each source its step. Two for the same step are refused both. */
static void take_sources(struct submission *submission, const struct file *files, int count,
                         const struct wanted *wanted) {
    const struct step **steps = calloc((size_t)count + 1, sizeof *steps);
    const struct file **found = calloc((size_t)count + 1, sizeof *found);
    const struct file *lone;
    int i, k, is_told = 0, plain, plain_count = 0;

    if (!steps || !found)
        abort();
    for (i = 0; i < count; i++)
        if (may_be_source(&files[i])) {
            steps[i] = step_of(submission, &files[i], wanted, &plain);
            if (plain)
                found[plain_count++] = &files[i];
        }
    for (i = 0; i < count; i++)
        is_told |= steps[i] && steps[i] == wanted->only;
    lone = wanted->only ? lone_of(wanted, is_told, found, plain_count) : NULL;
    for (i = 0; i < plain_count; i++)
        if (found[i] == lone)
            steps[lone - files] = wanted->only;
        else
            refuse_file(submission, found[i]->path, "no name tells which step this is; %s/%s would",
                        wanted->catalogue->steps[0].name, wanted->catalogue->steps[0].source);
    for (k = 0; k < wanted->catalogue->count; k++) {
        const struct step *step = &wanted->catalogue->steps[k];
        const struct file *file;
        int same = 0;

        for (i = 0; i < count; i++)
            if (steps[i] == step)
                found[same++] = &files[i];
        if ((file = only_one(submission, found, same, step->name)))
            take_source(submission, step, file);
    }
    free(steps);
    free(found);
}

static void take_table(struct submission *submission, const struct file *files, int count,
                       const char *name, char **text) {
    const struct file *found = NULL;
    int i;

    for (i = 0; i < count; i++)
        if (!strcmp(name_base(files[i].path), name)) {
            if (found)
                refuse_file(submission, files[i].path, "there is another %s, %s, which is taken",
                            name, found->path);
            else if (is_text(submission, &files[i])) {
                found = &files[i];
                *text = copy_text(found->piece);
            }
        }
}

static void add(struct sha256_ctx *context, const char *what, const char *name, const char *text,
                size_t bytes) {
    char head[96];

    snprintf(head, sizeof head, "%s %s %zu\n", what, name, bytes);
    sha256_update(context, strlen(head), (const uint8_t *)head);
    sha256_update(context, bytes, (const uint8_t *)text);
}

/* The sum of what is taken: for each text a line with its kind, step and length, then the text. */
static void sum(struct submission *submission) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    int i;

    sha256_init(&context);
    for (i = 0; i < submission->source_count; i++) {
        const struct source *source = &submission->sources[i];

        add(&context, "source", source->step->name, source->text, source->bytes);
        if (source->flags)
            add(&context, "flags", source->step->name, source->flags, strlen(source->flags));
    }
    if (submission->answers)
        add(&context, "answers", "-", submission->answers, strlen(submission->answers));
    if (submission->predictions)
        add(&context, "predictions", "-", submission->predictions, strlen(submission->predictions));
    sha256_digest(&context, sizeof digest, digest);
    for (i = 0; i < SHA256_DIGEST_SIZE; i++)
        sprintf(submission->sha256 + (size_t)2 * i, "%02x", digest[i]);
}

void choose_files(struct submission *submission, const struct file *files, int count,
                  const struct wanted *wanted) {
    struct file *usable = calloc((size_t)count + 1, sizeof *usable);
    int i, usable_count = 0;

    if (!usable)
        abort();
    for (i = 0; i < count; i++) {
        const char *wrong = name_wrong_path(files[i].piece->path);

        if (!wrong && files[i].piece->why != WHY_NONE)
            wrong = why_sentence(files[i].piece->why);
        if (!wrong && (owner_is_typed(files[i].piece->path) || owner_is_typed(submission->origin)))
            wrong =
                "was typed into a form, of which nothing is taken; hand in the source as a file";
        if (wrong)
            refuse_file(submission, files[i].path, "%s", wrong);
        else
            usable[usable_count++] = files[i];
    }
    take_sources(submission, usable, usable_count, wanted);
    for (i = 0; i < usable_count; i++)
        if (!strcmp(name_base(usable[i].path), "flags"))
            take_flags(submission, &usable[i], wanted);
    take_table(submission, usable, usable_count, "answers.tsv", &submission->answers);
    take_table(submission, usable, usable_count, "predictions.tsv", &submission->predictions);
    free(usable);
    sum(submission);
}
