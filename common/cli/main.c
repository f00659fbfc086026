/* The referee's command line. `make help` says what each verb does; the exit code is an outcome. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/inspect/standalone.h"
#include "referee/measure/bench.h"
#include "referee/judge/check.h"
#include "referee/measure/compare.h"
#include "referee/build/distribution.h"
#include "course/explain.h"
#include "referee/inspect/film.h"
#include "course/journal.h"
#include "referee/machine/machine.h"
#include "protocol/no_shm.h"
#include "referee/lesson/parts.h"
#include "course/predictions.h"
#include "referee/build/programs.h"
#include "referee/record/table.h"
#include "referee/inspect/timeline.h"
#include "referee/inspect/trace_step.h"
#include "course/verbs.h"
#include "referee/base/wrapper.h"

static struct catalogue catalogue;

/* Whether nvcc, if there is one, compiles for ARCH. */
static enum outcome check_arch(const struct options *options) {
    char known[512] = "", line[64], wanted[16];
    int found = !options->arch, digits;
    FILE *list = found ? NULL : popen("${NVCC-nvcc} --list-gpu-arch 2>/dev/null", "r");

    if (!list)
        return OUTCOME_ACCEPTED;
    digits = (int)strspn(options->arch + 3, "0123456789"); /* sm_90a is a kind of sm_90 */
    snprintf(wanted, sizeof wanted, "compute_%.*s\n", digits, options->arch + 3);
    while (fgets(line, sizeof line, list)) {
        found |= !strcmp(line, wanted);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%ssm_%.*s",
                 *known ? ", " : "", (int)strspn(line + 8, "0123456789"), line + 8);
    }
    pclose(list);
    return found || !*known
               ? OUTCOME_ACCEPTED
               : complain(OUTCOME_USAGE, "ARCH=%s: nvcc does not know it; one of %s is needed",
                          options->arch, known);
}

/* Whether this machine and a step that was asked for can do what BACKEND and ARCH ask for. */
static enum outcome check_backend(const struct options *options) {
    const char *name = options->arch ? "ARCH" : "BACKEND";
    const char *value = options->arch ? options->arch : options->backend;
    const struct step *step = options->step ? catalogue_find(&catalogue, options->step) : NULL;
    struct machine machine;
    int i;

    if (options->backend && !strcmp(options->backend, "cuda")) {
        machine_describe(&machine);
        if (!*machine.gpu)
            return complain(OUTCOME_NO_GPU, "BACKEND=cuda: this machine has no NVIDIA GPU that can "
                                            "be used; leave BACKEND out, or say BACKEND=cpucuda");
    }
    for (i = 0; i < catalogue.count; i++)
        if ((!options->step || step == &catalogue.steps[i]) &&
            step_has_backend(&catalogue.steps[i], options))
            return OUTCOME_ACCEPTED;
    if (step && step_is_cuda(step))
        return complain(OUTCOME_USAGE,
                        "%s=%s: %s is CUDA C; BACKEND=cpucuda runs it on the CPU, without ARCH",
                        name, value, step->name);
    return complain(OUTCOME_USAGE, "%s=%s: %s is C and runs on the CPU; leave it out", name, value,
                    step ? step->name : "every step of the catalogue");
}

/* Whether the problems of the steps that were asked for go up to N. */
static enum outcome check_size(const struct options *options) {
    int i;

    for (i = 0; i < catalogue.count; i++) {
        const struct step *step = &catalogue.steps[i];
        const struct problem *problem = problem_find(step->problem);

        if (problem && options->n > problem->largest &&
            (!options->step || catalogue_find(&catalogue, options->step) == step))
            return complain(OUTCOME_SIZE, "N=%d: a whole number from 1 to %d is needed for %s",
                            options->n, problem->largest, step->name);
    }
    return OUTCOME_ACCEPTED;
}

/* Whether the step that was asked for, or any, has what ABLATE asks for. */
static enum outcome check_ablate(const struct options *options) {
    const struct step *step = options->step ? catalogue_find(&catalogue, options->step) : NULL;
    int i;

    if (!options->ablate)
        return OUTCOME_ACCEPTED;
    for (i = 0; i < catalogue.count; i++)
        if ((!step || step == &catalogue.steps[i]) && programs_leave_one_out(&catalogue.steps[i]))
            return OUTCOME_ACCEPTED;
    if (access("solutions", F_OK))
        return complain(OUTCOME_USAGE, "ABLATE=1: this copy of the course has no solutions, and so "
                                       "no leave-one-out program; leave it out");
    return complain(OUTCOME_USAGE,
                    "ABLATE=1: %s has no leave-one-out program, leave_one_out.cu beside "
                    "the solution; leave it out",
                    step ? step->name : "the catalogue");
}

/* Whether the verb takes a range. */
static enum outcome check_steps(const struct options *options) {
    if (!options->steps || (!strcmp(options->verb, "bench") && !options->step))
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_USAGE, "STEPS=%s: a range of steps is for `make bench`%s",
                    options->steps, options->step ? ", and without STEP" : "; STEP=02 is one step");
}

/* Whether there is what OF asks for. */
static enum outcome check_of(const struct options *options) {
    if (!options->of || strcmp(options->of, "solutions") || !access("solutions", F_OK))
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_NO_SOURCE,
                    "OF=solutions: this copy of the course has no solutions; leave OF out");
}

/* Whether the step and the file that were named are there, whatever the verb makes of them. */
static enum outcome check_names(const struct options *options) {
    if (options->step && !catalogue_find(&catalogue, options->step))
        return complain(OUTCOME_NO_STEP,
                        "STEP=%s: there is no such step; steps/ lists them, from %s "
                        "to %s",
                        options->step, catalogue.steps[0].name,
                        catalogue.steps[catalogue.count - 1].name);
    return options->file && options->step ? programs_file(options->file) : OUTCOME_ACCEPTED;
}

/* Compilers and scripts write there; without it some fail and some take another folder. */
static enum outcome check_temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    struct stat status;

    if (!folder || !*folder)
        return OUTCOME_ACCEPTED;
    if (!stat(folder, &status) && !S_ISDIR(status.st_mode))
        errno = ENOTDIR;
    else if (!access(folder, W_OK | X_OK))
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_USAGE, "TMPDIR=%s: %s; a folder that can be written is needed", folder,
                    strerror(errno));
}

/* The step that was named, or a complaint. */
static enum outcome named_step(const struct options *options, const struct step **step) {
    *step = options->step ? catalogue_find(&catalogue, options->step) : NULL;
    return *step ? OUTCOME_ACCEPTED
                 : complain(OUTCOME_USAGE, "%s needs a step, as in `make %s STEP=02`",
                            options->verb, options->verb);
}

static enum outcome build_or_check_one(const struct step *step, const struct options *options) {
    static struct programs programs;
    static struct check check;
    enum outcome outcome = programs_choose(&programs, step, options, !options->step), failed;
    int i, count = 0;

    if (outcome)
        return outcome;
    if (!strcmp(options->verb, "build")) {
        outcome = programs_build(&programs, programs_builds(&programs, options), NULL);
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
    if (!options->json && !strncmp(programs.source, "steps/", 6))
        predictions_print(&catalogue, step->name, options->results);
    return outcome ? outcome : failed;
}

/* One step, or all of the catalogue that have the backend; the first failure decides, but all are
 * looked at. */
static enum outcome build_or_check(const struct options *options) {
    enum outcome first = OUTCOME_ACCEPTED, outcome;
    struct left_out left_out = {0};
    const struct step *step;
    int i, others = 0;

    if (options->step)
        return (outcome = named_step(options, &step)) ? outcome : build_or_check_one(step, options);
    if (options->file || options->variant)
        return complain(OUTCOME_USAGE, "FILE= and VARIANT= need a STEP=");
    for (i = 0; i < catalogue.count; i++) {
        step = &catalogue.steps[i];
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

static enum outcome explain_step(const struct step *step, const struct options *options) {
    return explain(&catalogue, step, options);
}

/* The verbs that are for one step. After a failure of the program they say which part is not
 * written. */
static enum outcome of_one_step(const struct options *options) {
    static const struct {
        const char *name;
        enum outcome (*act)(const struct step *, const struct options *);
    } verbs[] = {{"run", bench_once},
                 {"explain", explain_step},
                 {"trace", trace_step},
                 {"timeline", timeline},
                 {"standalone", standalone_program}};
    const struct step *step;
    const struct part *part;
    char sentence[PART_BYTES];
    enum outcome outcome = named_step(options, &step);
    size_t i;

    for (i = 0; strcmp(verbs[i].name, options->verb); i++)
        ;
    if (outcome)
        return outcome;
    outcome = verbs[i].act(step, options);
    if ((outcome == OUTCOME_COMPILE || outcome >= OUTCOME_CRASHED) &&
        (part = unfinished(step, options))) {
        part_sentence(part, sentence);
        fprintf(stderr, "%s\n", sentence);
    }
    return outcome;
}

/* Those of the learner's that are for one step. */
static enum outcome of_a_learner(const struct options *options) {
    static const struct {
        const char *name;
        enum outcome (*act)(const struct step *, const struct options *);
    } verbs[] = {{"predict", predict}, {"hint", hint}, {"watch", watch}, {"reset", reset}};
    const struct step *step;
    enum outcome outcome = named_step(options, &step);
    size_t i;

    for (i = 0; strcmp(verbs[i].name, options->verb); i++)
        ;
    return outcome ? outcome : verbs[i].act(step, options);
}

static enum outcome progress_verb(const struct options *options) {
    return show_progress(&catalogue, options);
}

static enum outcome next_verb(const struct options *options) {
    return show_next(&catalogue, options);
}

static enum outcome submit_verb(const struct options *options) {
    return submit(&catalogue, options);
}

static enum outcome compare_verb(const struct options *options) {
    const struct step *step;
    enum outcome outcome = named_step(options, &step);

    return outcome ? outcome : compare(&catalogue, step, options);
}

static enum outcome bench_verb(const struct options *options) {
    const struct part *part;
    char sentence[PART_BYTES];
    const struct step *step = options->step ? catalogue_find(&catalogue, options->step) : NULL;

    if (!step && (options->file || options->variant))
        return complain(OUTCOME_USAGE, "FILE= and VARIANT= need a STEP=");
    if (step && (part = unfinished(step, options))) {
        part_sentence(part, sentence);
        return complain(OUTCOME_UNFINISHED, "nothing is timed: %s", sentence);
    }
    return bench(&catalogue, options, 0);
}

static enum outcome ladder(const struct options *options) {
    if (options->step || options->file || options->variant || options->ablate)
        return complain(OUTCOME_USAGE,
                        "STEP, FILE, VARIANT and ABLATE are not for the ladder, which is the whole "
                        "catalogue's; one step: `make run STEP=02`");
    return bench(&catalogue, options, 1);
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
    const struct step *step;
    char flags[544], flags_before[544];
    enum outcome outcome = named_step(options, &step);

    if (outcome || (outcome = programs_choose(&programs, step, options, 0)))
        return outcome;
    if (!*step->builds_on)
        return complain(OUTCOME_USAGE,
                        "%s builds on no other step; diff is for those that do, as in "
                        "`make diff STEP=02`",
                        step->name);
    outcome = programs_choose(&before, catalogue_find(&catalogue, step->builds_on), &plain, 1);
    if (!outcome)
        outcome = print_difference(before.source, programs.source);
    name_flags(before.source, flags_before);
    name_flags(programs.source, flags);
    if (!outcome && access(flags, R_OK) == 0)
        outcome = print_difference(flags_before, flags);
    return outcome;
}

static enum outcome report(const struct options *options) {
    struct machine machine;
    struct record record;
    struct row *rows;
    enum outcome outcome;
    int count;

    machine_describe(&machine);
    outcome =
        record_open(&record, options->results, options->machine ? options->machine : machine.host);
    if (!outcome)
        outcome = record_read(&record, &rows, &count);
    if (outcome)
        return outcome;
    if (options->json)
        table_print_json(rows, count, NULL);
    else
        table_print(rows, count, NULL);
    free(rows);
    if (!options->json)
        predictions_print(&catalogue, NULL, options->results);
    fflush(stdout);
    if (options->json) /* stdout is the table's alone */
        dup2(STDERR_FILENO, STDOUT_FILENO);
    execl("common/report/pictures/draw.sh", "draw.sh", record.rows, options->results, (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/pictures/draw.sh cannot be run");
}

static enum outcome film_verb(const struct options *options) {
    return film(&catalogue, options);
}

static enum outcome print_machine(const struct options *options) {
    (void)options;
    machine_print(stdout);
    return OUTCOME_ACCEPTED;
}

static enum outcome print_codes(const struct options *options) {
    (void)options;
#define PRINT_CODE(code, name, word, sentence) printf("%d\t%s\t%s\n", code, word, sentence);
    OUTCOMES(PRINT_CODE)
#undef PRINT_CODE
    return OUTCOME_ACCEPTED;
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        enum outcome (*act)(const struct options *);
    } verbs[] = {{"build", build_or_check}, {"check", build_or_check},  {"run", of_one_step},
                 {"bench", bench_verb},     {"ladder", ladder},         {"diff", diff},
                 {"trace", of_one_step},    {"timeline", of_one_step},  {"standalone", of_one_step},
                 {"explain", of_one_step},  {"report", report},         {"film", film_verb},
                 {"compare", compare_verb}, {"machine", print_machine}, {"codes", print_codes},
                 {"predict", of_a_learner}, {"hint", of_a_learner},     {"progress", progress_verb},
                 {"next", next_verb},       {"submit", submit_verb},    {"watch", of_a_learner},
                 {"reset", of_a_learner}};
    struct options options;
    enum outcome outcome;
    size_t i;

    setenv("LC_ALL", "C", 1); /* scripts and compilers print numbers and words as we read them */
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1); /* as the driver's library counts (gpu.h) */
    /* The referee's own idle OpenMP threads would otherwise spin for a while and compete with a
     * player's turn. The runtime reads its environment before main(). */
    if (!getenv("OMP_WAIT_POLICY")) {
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/proc/self/exe", words);
    }
    if ((outcome = options_read(&options, count, words)) ||
        (outcome = catalogue_read(&catalogue, "steps")) || (outcome = check_names(&options)) ||
        (outcome = check_temporary_folder()) || (outcome = check_arch(&options)) ||
        (outcome = check_backend(&options)) ||
        (outcome = distribution_read(&catalogue, &options)) || (outcome = check_size(&options)) ||
        (outcome = check_ablate(&options)) || (outcome = check_of(&options)) ||
        (outcome = check_steps(&options)))
        return outcome;
    wrapper_use(options.sandbox);
    for (i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(options.verb, verbs[i].name))
            return verbs[i].act(&options);
    return complain(OUTCOME_USAGE, "there is no verb %s; `make help ALL=1` lists them",
                    options.verb);
}
