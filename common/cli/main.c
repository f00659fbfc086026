/* The referee's command line. `make help` says what each verb does; the exit code is an outcome. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/inspect/standalone.h"
#include "referee/measure/bench.h"
#include "referee/judge/check.h"
#include "referee/measure/compare.h"
#include "course/explain.h"
#include "referee/estimate/estimate.h"
#include "referee/inspect/film.h"
#include "referee/live/live.h"
#include "referee/measure/make_galaxy.h"
#include "course/journal.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "protocol/no_shm.h"
#include "referee/lesson/parts.h"
#include "course/predictions.h"
#include "referee/build/programs.h"
#include "request.h"
#include "referee/record/table.h"
#include "referee/inspect/timeline.h"
#include "referee/inspect/trace_step.h"
#include "course/verbs.h"
#include "referee/base/wrapper.h"

static enum outcome build_or_check_one(const struct step *step, const struct options *options) {
    static struct programs programs;
    static struct check check;
    enum outcome outcome = programs_choose(&programs, step, options, !options->step), failed;
    int i, count = 0;

    if (outcome)
        return outcome;
    if (!strcmp(options->verb, "build")) {
        outcome = programs_build(&programs, programs_builds(&programs, options), NULL);
        if (!outcome && programs.count && !strcmp(programs.list[0].build, "cuda")) {
            programs.peers = 1; /* BACKEND=cuda: all that bench will time */
            programs.ablate = programs_leave_one_out(step);
            outcome = programs_build_timed(&programs, options->backend, 1, 1);
        }
        if (!outcome && options->variant && !programs_has(&programs, options->variant))
            outcome = programs_no_variant(&programs, options->variant);
        for (i = 0; i < programs.count; i++)
            count += !i || strcmp(programs.list[i].variant, programs.list[i - 1].variant);
        if (!outcome)
            printf("%s: %s%s builds, %d variant%s\n", step->name, programs.source, programs.why,
                   count, count > 1 ? "s" : "");
        return outcome;
    }
    outcome = check_step(&programs, options, &check);
    if (!outcome) {
        check_print(&programs, options, &check);
        outcome = check.outcome;
    }
    failed = journal_check(&programs, options, &check, outcome);
    if (!outcome && options->step && !options->json && !options->n && gpu_of_programs() < 0)
        estimate_line(options, step, NULL, NULL);
    /* A check that failed ends with its verdict. */
    if (!outcome && !options->json && !strncmp(programs.source, "steps/", 6))
        predictions_print(options->catalogue, step->name, options->results);
    return outcome ? outcome : failed;
}

/* One step, or all of the catalogue that have the backend; the first failure decides, but all are
 * looked at. */
static enum outcome build_or_check(const struct options *options) {
    const struct catalogue *catalogue = options->catalogue;
    enum outcome first = OUTCOME_ACCEPTED, outcome;
    struct left_out left_out = {0};
    int i, others = 0;

    if (options->step)
        return build_or_check_one(options->step, options);
    if (options->file || options->variant)
        return complain(OUTCOME_USAGE, "FILE= and VARIANT= need a STEP=");
    for (i = 0; i < catalogue->count; i++) {
        const struct step *step = &catalogue->steps[i];

        if (!step_has_backend(step, options))
            continue;
        if (!options->of && !programs_there(step, options)) {
            leave_out(&left_out, step);
            continue;
        }
        others++;
        outcome = build_or_check_one(step, options);
        first = first ? first : outcome;
    }
    outcome = say_left_out(&left_out, others, options);
    return first ? first : outcome;
}

/* The first part that is not written of the source that the options choose, if that is the
 * learner's; else NULL. */
static const struct part *unfinished(const struct step *step, const struct options *options) {
    static struct parts parts;
    char source[128];

    snprintf(source, sizeof source, "steps/%s/%s", step->name, step->source);
    if (options->file || (options->of && strcmp(options->of, "steps")) || access(source, R_OK) ||
        parts_read(&parts, source))
        return NULL;
    return parts_unfinished(&parts);
}

/* After a failure of the program: which part is not written. */
static void say_unfinished(enum outcome outcome, const struct options *options) {
    const struct part *part;
    char sentence[PART_BYTES];

    if (outcome != OUTCOME_COMPILE && outcome < OUTCOME_CRASHED)
        return;
    if ((part = unfinished(options->step, options))) {
        part_sentence(part, sentence);
        fprintf(stderr, "%s\n", sentence);
    }
}

/* Complains if a part of the step is not written, and says what is not done therefore. */
static enum outcome finished(const struct options *options, const char *undone) {
    const struct part *part = options->step ? unfinished(options->step, options) : NULL;
    char sentence[PART_BYTES];

    if (!part)
        return OUTCOME_ACCEPTED;
    part_sentence(part, sentence);
    return complain(OUTCOME_UNFINISHED, "%s: %s", undone, sentence);
}

/* With the learner's prediction of the step beside it. */
static enum outcome estimate_verb(const struct options *options) {
    enum outcome outcome = estimate(options);

    if (!outcome && !options->json && !options->file)
        predictions_print(options->catalogue, options->step->name, options->results);
    return outcome;
}

static enum outcome bench_verb(const struct options *options) {
    return !options->step && (options->file || options->variant)
               ? complain(OUTCOME_USAGE, "FILE= and VARIANT= need a STEP=")
               : bench(options, 0);
}

static enum outcome ladder(const struct options *options) {
    if (options->step || options->file || options->variant || options->ablate)
        return complain(OUTCOME_USAGE,
                        "the ladder times the whole catalogue; leave STEP, FILE, VARIANT and "
                        "ABLATE out, or time one step: `make run STEP=02`");
    return bench(options, 1);
}

/* Prints how the second file differs from the first, without fences. */
static enum outcome print_difference(const char *before, const char *after) {
    int status;
    pid_t child;

    fflush(stdout);
    if ((child = fork()) == 0) {
        execl("common/course/diff.sh", "diff.sh", before, after, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status))
        return complain(OUTCOME_INTERNAL, "diff failed, or is not installed");
    return OUTCOME_ACCEPTED;
}

static enum outcome diff(const struct options *options) {
    static struct programs programs, before;
    const struct options plain = {.results = options->results};
    const struct step *step = options->step;
    char flags[544], flags_before[544];
    enum outcome outcome = programs_choose(&programs, step, options, 0);

    if (outcome)
        return outcome;
    if (!*step->builds_on)
        return complain(OUTCOME_USAGE,
                        "%s builds on no other step; diff is for those that do, as in "
                        "`make diff STEP=02`",
                        step->name);
    outcome =
        programs_choose(&before, catalogue_find(options->catalogue, step->builds_on), &plain, 1);
    if (!outcome)
        outcome = print_difference(before.source, programs.source);
    name_flags(before.source, flags_before);
    name_flags(programs.source, flags);
    if (!outcome && access(flags, R_OK) == 0)
        outcome = print_difference(flags_before, flags);
    return outcome;
}

static enum outcome report(const struct options *options) {
    struct record record;
    struct row *rows;
    enum outcome outcome = record_open(&record, options->results, machine_name(options));
    int count;

    if (!outcome)
        outcome = record_read(&record, &rows, &count);
    if (outcome)
        return outcome;
    if (options->json)
        table_print_json(rows, count);
    else
        table_print(rows, count);
    free(rows);
    if (!options->json)
        predictions_print(options->catalogue, NULL, options->results);
    return record_draw(&record, NULL, options->json);
}

static enum outcome print_machine(const struct options *options) {
    (void)options;
    machine_print(stdout);
    return OUTCOME_ACCEPTED;
}

static enum outcome print_codes(const struct options *options) {
    (void)options;
#define PRINT_CODE(code, name, hints, word, sentence) printf("%d\t%s\t%s\n", code, word, sentence);
    OUTCOMES(PRINT_CODE)
#undef PRINT_CODE
    return OUTCOME_ACCEPTED;
}

/* What a verb takes (option_taken()); all take --results. `undone` says what it does not do for a
 * step with a part that is not written; NULL: it does all. */
#define PROGRAM "STEP OF FILE VARIANT ABLATE ARCH BACKEND "

static const struct verb {
    const char *name;
    enum outcome (*act)(const struct options *);
    int one_step; /* STEP= is needed */
    const char *takes, *undone;
} verbs[] = {
    {"build", build_or_check, 0, PROGRAM},
    {"check", build_or_check, 0, PROGRAM "N SEED JSON distribution sandbox"},
    {"run", bench_once, 1, PROGRAM "N ITERATIONS SEED JSON distribution"},
    {"bench", bench_verb, 0,
     PROGRAM "STEPS N ITERATIONS SEED JSON MACHINE distribution clock resume", "nothing is timed"},
    {"ladder", ladder, 0, PROGRAM "N ITERATIONS SEED JSON MACHINE"},
    {"compare", compare, 1, PROGRAM "N ITERATIONS SEED JSON sandbox"},
    {"diff", diff, 1, "STEP OF FILE"},
    {"explain", explain, 1, PROGRAM "N SEED JSON MACHINE"},
    {"estimate", estimate_verb, 1, "STEP OF FILE VARIANT GPU N ITERATIONS JSON"},
    {"trace", trace_step, 1, PROGRAM "N ITERATIONS SEED JSON"},
    {"timeline", timeline, 1, PROGRAM "N ITERATIONS SEED JSON MACHINE"},
    {"standalone", standalone_program, 1, PROGRAM "JSON"},
    {"report", report, 0, "MACHINE JSON"},
    {"film", film, 0, "STEP OF FILE VARIANT BACKEND N DT DAMPING SEED MACHINE distribution"},
    {"live", live, 0,
     "STEP OF FILE VARIANT BACKEND N DT SEED MACHINE PORT ADDRESS distribution sandbox",
     "nothing moves"},
    {"galaxy", make_galaxy, 0, "STEP OF FILE VARIANT N ITERATIONS FROM TO", "no galaxy is made"},
    {"machine", print_machine, 0, ""},
    {"codes", print_codes, 0, ""},
    {"predict", predict, 1, "STEP PREDICT_SPEEDUP PREDICT_LIMIT"},
    {"hint", hint, 1, "STEP"},
    {"progress", show_progress, 0, "MACHINE"},
    {"next", show_next, 0, ""},
    {"watch", watch, 1, PROGRAM "N SEED"},
    {"reset", reset, 1, "STEP"},
    {"submit", submit, 0, "STUDENT"},
};

static enum outcome do_verb(struct options *options) {
    const struct verb *verb = verbs, *end = verbs + sizeof verbs / sizeof *verbs;
    enum outcome outcome;
    int i;

    while (verb < end && strcmp(verb->name, options->verb))
        verb++;
    if (verb == end)
        return complain(OUTCOME_USAGE, "there is no verb %s; `make help ALL=1` lists them",
                        options->verb);
    for (i = 2; options->words[i]; i += 2)
        if (strcmp(options->words[i], "--results") &&
            (outcome = option_taken(verb->name, verb->takes, options->words[i] + 2)))
            return outcome;
    if ((outcome = request_check(options)))
        return outcome;
    if (verb->one_step && !options->step)
        return complain(OUTCOME_USAGE, "%s needs a step, as in `make %s STEP=02`", verb->name,
                        verb->name);
    if (verb->undone && (outcome = finished(options, verb->undone)))
        return outcome;
    wrapper_use(options->sandbox);
    outcome = verb->act(options);
    if (verb->one_step)
        say_unfinished(outcome, options);
    return outcome;
}

int main(int argc, char **argv) {
    static struct catalogue catalogue;
    struct options options;
    enum outcome outcome;

    setenv("LC_ALL", "C", 1); /* scripts and compilers print numbers and words as we read them */
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1); /* as the driver's library counts (gpu.h) */
    /* The referee's own idle OpenMP threads would otherwise spin for a while and compete with a
     * player's turn. The runtime reads its environment before main(). */
    if (!getenv("OMP_WAIT_POLICY")) {
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/proc/self/exe", argv);
    }
    if ((outcome = options_read(&options, argc, argv)) ||
        (outcome = catalogue_read(&catalogue, "steps")))
        return outcome;
    options.catalogue = &catalogue;
    return do_verb(&options);
}
