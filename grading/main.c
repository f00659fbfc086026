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

static enum outcome read_options(struct grade_options *options, int count, char **words) {
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

int main(int count, char **words) {
    static const struct {
        const char *name;
        enum outcome (*act)(const struct grade_options *);
    } verbs[] = {{"grade", grade}, {"regrade", regrade}, {"calibrate", calibrate_verb}};
    struct grade_options options;
    enum outcome outcome;
    size_t i;

    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1); /* as the driver's library counts (gpu.h) */
    signal(SIGXFSZ, SIG_IGN);                     /* a write then fails, and is told */
    signal(SIGPIPE, SIG_IGN);
    if (count == 4 && !strcmp(words[1], "task")) { /* for engines (measure/engine.h) */
        engine_stop_on_signals();
        return engine_list_do(words[2], atoi(words[3]));
    }
    if (count < 2)
        return complain(OUTCOME_USAGE,
                        "usage: build/grade VERB [--option VALUE] ...; `make help ALL=1` "
                        "lists the verbs");
    if ((outcome = read_options(&options, count - 2, words + 2)))
        return outcome;
    for (i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(words[1], verbs[i].name))
            return verbs[i].act(&options);
    return complain(OUTCOME_USAGE, "there is no verb %s; grade, regrade and calibrate are there",
                    words[1]);
}
