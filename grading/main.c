/* The grader's command line: build/grade VERB [--option VALUE] ..., from the top of the course.
 * `make help ALL=1` says what each verb does; the exit code is an outcome. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "grading.h"

/* Reads what follows the verb, which takes those options. */
static enum outcome read_options(struct grade_options *options, const char *verb, const char *takes,
                                 int count, char **words) {
    const struct {
        const char *name;
        const char **value;
    } known[] = {{"--submissions", &options->submissions},
                 {"--steps", &options->steps},
                 {"--out", &options->out},
                 {"--engine", &options->engine},
                 {"--rubric", &options->rubric},
                 {"--student", &options->student},
                 {"--step", &options->step}};
    enum outcome outcome;
    size_t k;
    int i;

    memset(options, 0, sizeof *options);
    for (i = 0; i < count; i += 2) {
        for (k = 0; k < sizeof known / sizeof *known && strcmp(words[i], known[k].name); k++)
            ;
        if (k == sizeof known / sizeof *known || i + 1 == count)
            return complain(OUTCOME_USAGE,
                            "%s: the grader takes --submissions, --steps, --out, --engine, "
                            "--rubric, --student and --step, each with a value",
                            words[i]);
        if ((outcome = option_taken(verb, takes, words[i] + 2)))
            return outcome;
        if (!*words[i + 1])
            return complain(OUTCOME_USAGE, "%s= is empty: a value is needed, or leave it out",
                            words[i] + 2);
        *known[k].value = words[i + 1];
    }
    return OUTCOME_ACCEPTED;
}

static enum outcome calibrate_verb(const struct grade_options *options) {
    static struct catalogue catalogue;
    enum outcome outcome = catalogue_read(&catalogue, "steps");

    engine_stop_on_signals();
    return outcome ? outcome : calibrate(&catalogue, options->steps, 0, stdout);
}

int main(int argc, char **argv) {
    static const struct verb {
        const char *name;
        enum outcome (*act)(const struct grade_options *);
        const char *takes;
    } verbs[] = {{"grade", grade, "SUBMISSIONS STEPS OUT ENGINE RUBRIC"},
                 {"regrade", regrade, "STEPS OUT ENGINE RUBRIC STUDENT STEP"},
                 {"calibrate", calibrate_verb, "STEPS"}};
    const struct verb *verb = verbs, *end = verbs + sizeof verbs / sizeof *verbs;
    struct grade_options options;
    enum outcome outcome;

    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1); /* as the driver's library counts (gpu.h) */
    signal(SIGXFSZ, SIG_IGN);                     /* a write then fails, and is told */
    signal(SIGPIPE, SIG_IGN);
    if (argc == 4 && !strcmp(argv[1], "task")) { /* for engines (measure/engine.h) */
        engine_stop_on_signals();
        return engine_list_do(argv[2], atoi(argv[3]));
    }
    if (argc < 2)
        return complain(OUTCOME_USAGE,
                        "usage: build/grade VERB [--option VALUE] ...; `make help ALL=1` "
                        "lists the verbs");
    while (verb < end && strcmp(verb->name, argv[1]))
        verb++;
    if (verb == end)
        return complain(OUTCOME_USAGE,
                        "there is no verb %s; grade, regrade and calibrate are there", argv[1]);
    outcome = read_options(&options, verb->name, verb->takes, argc - 2, argv + 2);
    return outcome ? outcome : verb->act(&options);
}
