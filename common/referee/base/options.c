#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "options.h"
#include "problems/text.h"
#include "progress.h"

enum { LARGEST_N = 1 << 30 };

enum outcome complain(enum outcome outcome, const char *format, ...) {
    va_list arguments;

    fflush(stdout);
    progress_end();
    fprintf(stderr, "error: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    return outcome;
}

static enum outcome read_count(const char *name, const char *text, int largest, int *value) {
    char *end;
    long number;

    errno = 0;
    number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < 1 || number > largest)
        return complain(OUTCOME_SIZE, "%s=%s: a whole number from 1 to %d is needed", name, text,
                        largest);
    *value = (int)number;
    return OUTCOME_ACCEPTED;
}

enum outcome read_positive(const char *name, const char *text, double largest, double *value) {
    char *end;

    *value = strtod(text, &end);
    if (end == text || *end || !(*value > 0 && *value <= largest)) {
        *value = 0;
        return complain(OUTCOME_USAGE, "%s=%s: a number above 0 and at most %g is needed", name,
                        text, largest);
    }
    return OUTCOME_ACCEPTED;
}

static enum outcome read_seed(const char *text, struct options *options) {
    char line[32], *end;

    /* A command line is open to all users of a machine. */
    if (!strcmp(text, "-")) {
        if (!fgets(line, sizeof line, stdin))
            return complain(OUTCOME_USAGE, "SEED=-: a line with the seed is needed on stdin");
        line[strcspn(line, "\n")] = 0;
        text = line;
    }
    errno = 0;
    options->seed = strtoull(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9') /* strtoull would take a sign */
        return complain(OUTCOME_USAGE, "SEED=%s: a whole number from 0 to 2^64 - 1 is needed",
                        text);
    options->seed_given = 1;
    return OUTCOME_ACCEPTED;
}

static enum outcome read_port(const char *text, int *port) {
    char *end;
    long number = strtol(text, &end, 10);

    if (end == text || *end || number < 1 || number > 65535)
        return complain(OUTCOME_USAGE, "PORT=%s: a whole number from 1 to 65535 is needed", text);
    *port = (int)number;
    return OUTCOME_ACCEPTED;
}

static enum outcome read_choice(const char *name, const char *text, const char *const *choices,
                                const char **value) {
    const char *const *choice;

    for (choice = choices; *choice; choice++)
        if (!strcmp(text, *choice)) {
            *value = *choice;
            return OUTCOME_ACCEPTED;
        }
    return complain(OUTCOME_USAGE, "%s=%s: one of %s%s%s%s%s is needed", name, text, choices[0],
                    ", ", choices[1], choices[2] ? ", " : "", choices[2] ? choices[2] : "");
}

static enum outcome read_text(const char *name, const char *text, const char **value) {
    if (!*text)
        return complain(OUTCOME_USAGE, "%s=: a value is needed, or leave %s out", name, name);
    *value = text;
    return OUTCOME_ACCEPTED;
}

static enum outcome read_switch(const char *name, const char *text, int *value) {
    if (strcmp(text, "0") && strcmp(text, "1"))
        return complain(OUTCOME_USAGE, "%s=%s: 0 or 1 is needed", name, text);
    *value = *text == '1';
    return OUTCOME_ACCEPTED;
}

/* A name that becomes a file's: no folder, no comma, nothing a shell would read. */
static enum outcome read_name(const char *name, const char *text, const char *not_first,
                              const char **value) {
    if (!*text || strchr(not_first, *text) || strlen(text) > 60 ||
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
            strlen(text))
        return complain(OUTCOME_USAGE,
                        "%s=%s: up to 60 letters, digits, '.', '_' and '-' are needed, the "
                        "first of them no '.'%s",
                        name, text, strchr(not_first, '-') ? " and no '-'" : "");
    *value = text;
    return OUTCOME_ACCEPTED;
}

static enum outcome read_arch(const char *text, struct options *options) {
    size_t digits = strncmp(text, "sm_", 3) ? 0 : strspn(text + 3, "0123456789");

    if (digits < 2 || digits > 3 || (text[3 + digits] && strcmp(text + 3 + digits, "a")))
        return complain(OUTCOME_USAGE, "ARCH=%s: a GPU architecture is needed, as in sm_90", text);
    options->arch = text;
    return OUTCOME_ACCEPTED;
}

static enum outcome read_option(struct options *options, const char *name, const char *text) {
    static const char *const sources[] = {"steps", "solutions", NULL};
    static const char *const backends[] = {"cpu", "cuda", "cpucuda", NULL};
    static const char *const clocks[] = {"referee", "device", NULL};

    if (!strcmp(name, "step"))
        options->step_text = text;
    else if (!strcmp(name, "steps"))
        return read_text("STEPS", text, &options->steps);
    else if (!strcmp(name, "file"))
        options->file = text;
    else if (!strcmp(name, "variant"))
        return read_text("VARIANT", text, &options->variant);
    else if (!strcmp(name, "arch"))
        return read_arch(text, options);
    else if (!strcmp(name, "distribution"))
        options->distribution = text;
    else if (!strcmp(name, "predict_limit"))
        options->predict_limit = text; /* an empty one is answered by those there are */
    else if (!strcmp(name, "results"))
        return read_text("results", text, &options->results);
    else if (!strcmp(name, "sandbox"))
        return read_text("sandbox", text, &options->sandbox);
    else if (!strcmp(name, "from"))
        return read_text("FROM", text, &options->from);
    else if (!strcmp(name, "to"))
        return read_text("TO", text, &options->to);
    else if (!strcmp(name, "address"))
        return read_text("ADDRESS", text, &options->address);
    else if (!strcmp(name, "port"))
        return read_port(text, &options->port);
    else if (!strcmp(name, "of"))
        return read_choice("OF", text, sources, &options->of);
    else if (!strcmp(name, "backend"))
        return read_choice("BACKEND", text, backends, &options->backend);
    else if (!strcmp(name, "clock"))
        return read_choice("clock", text, clocks, &options->clock);
    else if (!strcmp(name, "machine"))
        return read_name("MACHINE", text, ".", &options->machine);
    else if (!strcmp(name, "gpu"))
        return read_text("GPU", text, &options->gpu);
    else if (!strcmp(name, "n"))
        return read_count("N", text, LARGEST_N, &options->n);
    else if (!strcmp(name, "iterations"))
        return read_count("ITERATIONS", text, MOST_ITERATIONS, &options->iterations);
    else if (!strcmp(name, "seed"))
        return read_seed(text, options);
    else if (!strcmp(name, "json"))
        return read_switch("JSON", text, &options->json);
    else if (!strcmp(name, "ablate"))
        return read_switch("ABLATE", text, &options->ablate);
    else if (!strcmp(name, "resume"))
        return read_switch("resume", text, &options->resume);
    else if (!strcmp(name, "damping"))
        return read_positive("DAMPING", text, 1, &options->damping);
    else if (!strcmp(name, "dt"))
        return read_positive("DT", text, 1, &options->dt);
    else if (!strcmp(name, "predict_speedup"))
        return read_positive("PREDICT_SPEEDUP", text, LARGEST_SPEEDUP, &options->predict_speedup);
    else if (!strcmp(name, "student"))
        return read_name("STUDENT", text, ".-", &options->student);
    else
        return complain(OUTCOME_USAGE, "there is no option --%s; `make help ALL=1` lists them",
                        name);
    return OUTCOME_ACCEPTED;
}

enum outcome option_taken(const char *verb, const char *takes, const char *name) {
    char variable[64], names[256] = "";
    size_t i, length = strlen(name), word;

    for (; *takes; takes += word + (takes[word] == ' ')) {
        word = strcspn(takes, " ");
        if (word == length && !strncasecmp(takes, name, word))
            return OUTCOME_ACCEPTED;
        if (*takes >= 'A' && *takes <= 'Z')
            text_add(names, sizeof names, "%s%.*s", *names ? ", " : "", (int)word, takes);
    }
    snprintf(variable, sizeof variable, "%s", name);
    for (i = 0; variable[i]; i++)
        variable[i] = (char)toupper((unsigned char)variable[i]);
    return complain(OUTCOME_USAGE, "%s is not for %s, which takes %s; leave it out", variable, verb,
                    *names ? names : "no variable");
}

enum outcome options_read(struct options *options, int count, char **words) {
    enum outcome outcome;
    int i;

    memset(options, 0, sizeof *options);
    options->results = "results";
    options->words = words;
    if (count < 2)
        return complain(OUTCOME_USAGE, "usage: build/referee VERB [--option VALUE] ...; "
                                       "`make help ALL=1` lists the verbs");
    options->verb = words[1];
    for (i = 2; i < count; i += 2) {
        if (strncmp(words[i], "--", 2) || i + 1 == count)
            return complain(
                OUTCOME_USAGE,
                "%s: an option and its value are needed, as in --step 02; `make help ALL=1` "
                "lists them",
                words[i]);
        if ((outcome = read_option(options, words[i] + 2, words[i + 1])))
            return outcome;
    }
    if (!options->seed_given && getrandom(&options->seed, sizeof options->seed, 0) < 0)
        return complain(OUTCOME_INTERNAL, "no random seed: %s", strerror(errno));
    if (!options->seed_given)
        options->seed >>= 16; /* short enough to type again */
    return OUTCOME_ACCEPTED;
}
