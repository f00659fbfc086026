#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_entries.h"
#include "referee/base/progress.h"
#include "referee/machine/machine.h"
#include "referee/timing/trusted_player.h"

/* Where the entry is measured at size n; NULL if it is not. */
const struct occasion *occasion_at(const struct entry *entry, int n) {
    int i;

    for (i = 0; i < entry->occasion_count; i++)
        if (entry->occasions[i].n == n)
            return &entry->occasions[i];
    return NULL;
}

/* Adds a program; -1 if it is not measured at all, or there are too many. */
static int add_entry(struct bench *bench, const struct programs *programs,
                     const struct program *program, int previous, int serial, int threads,
                     int companion) {
    const struct problem *problem = problem_find(programs->step->problem);
    struct planned planned = {
        .sizes = problem->sizes,
        .backend = program->backend,
        .is_default = program == programs_default(programs, program->build),
        .companion = companion,
        .threads = threads,
        .ladder = bench->ladder,
        .gpu = bench->gpu,
        .device_clock = !strcmp(program->build, "device"),
        .device_too = strcmp(program->build, "device") && !bench->options->variant &&
                      !bench->options->clock && programs_find(programs, program->variant, "device"),
        .over_n = programs->step == catalogue_end(bench->catalogue) && !bench->options->variant,
        .n = bench->options->n,
        .iterations = bench->options->iterations};
    struct entry *entry = &bench->entries[bench->entry_count];
    char sizes[MOST_VALUE] = "";

    manifest_value(programs->step->manifest, "variants_sizes", sizes);
    planned.device_sizes = atoi(sizes);
    if (bench->options->clock && planned.device_clock != !strcmp(bench->options->clock, "device"))
        return -1;
    if (bench->entry_count == MOST_ENTRIES) {
        bench->too_many = 1;
        return -1;
    }
    *entry = (struct entry){.programs = programs,
                            .program = program,
                            .previous = previous,
                            .serial = serial == ROOT ? bench->entry_count : serial,
                            .threads = threads,
                            .companion = companion};
    entry->occasion_count = plan_occasions(&planned, entry->occasions);
    return entry->occasion_count ? bench->entry_count++ : -1;
}

/* Whether bench times the program with that distribution by the device's clock, if none is asked
 * for. */
static int is_timed_on(const struct programs *programs, const struct program *program,
                       const char *distribution) {
    char only[MOST_VALUE];

    return program == programs_default(programs, program->build) ||
           !strncmp(program->variant, "peer_", 5) ||
           !manifest_value(programs->step->manifest, "variants_on", only) ||
           !strcmp(only, distribution);
}

/* Adds the programs that are timed by the device's clock, for each distribution that their problem
 * has for that, or for the one that was asked for. Those of a distribution come one after the
 * other: the inputs of all may not fit into memory, and would be drawn again for each program. */
static void add_device_clocks(struct bench *bench, const struct programs *programs) {
    const struct problem *problem = problem_find(programs->step->problem);
    const char *const *distribution = problem->device_distributions;
    const char *const asked[] = {problem_distribution(problem, bench->options->distribution), NULL};
    const char *variant = bench->options->variant;
    int i;

    if (distribution && bench->options->distribution)
        distribution = asked;
    for (; distribution && *distribution; distribution++)
        for (i = 0; i < programs->count; i++) {
            const struct program *program = &programs->list[i];

            if (!strcmp(program->build, "device") &&
                (variant ? !strcmp(variant, program->variant)
                         : bench->options->distribution ||
                               is_timed_on(programs, program, *distribution)) &&
                add_entry(bench, programs, program, -1, -1, 0, 0) >= 0)
                bench->entries[bench->entry_count - 1].distribution = *distribution;
        }
}

/* The entry of a step's default variant; -1 if it has none. */
static int find_entry(const struct bench *bench, const struct step *step) {
    int i;

    for (i = 0; i < bench->entry_count; i++)
        if (bench->entries[i].programs->step == step)
            return i;
    return -1;
}

/* Chooses the step's source and builds it. `program` is its default variant. */
static enum outcome build_step(struct bench *bench, const struct step *step,
                               const struct options *options, int solution, int companion,
                               struct programs **programs, const struct program **program) {
    const struct problem *problem = problem_find(step->problem);
    enum outcome outcome;

    *programs = &bench->programs[step - bench->catalogue->steps];
    progress_show(0, "building %s", step->name);
    outcome = programs_choose(*programs, step, options, solution);
    (*programs)->peers = !bench->ladder && !companion;
    if (!outcome)
        outcome =
            programs_build_timed(*programs, bench->options->backend, bench->gpu, !bench->ladder);
    if (outcome)
        return outcome;
    *program = programs_default(*programs, (*programs)->list[0].build);
    if (!strcmp((*program)->build, "missing"))
        return programs_no_variant(*programs, (*program)->variant);
    return trusted_open(&bench->session.trusted, problem,
                        bench->options->n ? bench->options->n : plan_largest(problem->sizes),
                        bench->options->seed);
}

/* Whether the step is among those that are asked for, and has a program for this machine. */
static int is_asked(const struct bench *bench, const struct step *step) {
    const struct step *asked = bench->options->step;

    return asked ? asked == step
                 : bench->chosen[step - bench->catalogue->steps] &&
                       step_has_backend(step, bench->options);
}

/* Builds several steps at once, so that build_step() finds them built: their makes have a few
 * compilers at work each. What is wrong with one is told there. */
static void build_ahead(struct bench *bench) {
    const struct catalogue *catalogue = bench->catalogue;
    int most = usable_cpus() / 4, started = 0, ended = 0, i;
    pid_t builds[MOST_STEPS];

    fflush(stdout);
    for (i = 0; i < catalogue->count && most > 1 && !bench->options->step; i++) {
        const struct step *step = &catalogue->steps[i];
        struct programs *programs = &bench->programs[i];

        if (!is_asked(bench, step) || !programs_there(step, bench->options))
            continue;
        progress_show(0, "building %s", step->name);
        if (started - ended == most)
            waitpid(builds[ended++], NULL, 0);
        if (!(builds[started] = fork())) {
            if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr) &&
                !programs_choose(programs, step, bench->options, 1)) {
                programs->peers = !bench->ladder;
                programs_build_timed(programs, bench->options->backend, bench->gpu, !bench->ladder);
            }
            _exit(0);
        }
        started += builds[started] > 0;
    }
    while (ended < started)
        waitpid(builds[ended++], NULL, 0);
}

/* The solution of a step that the asked one is compared with; index -1: there is none. */
static enum outcome add_companion(struct bench *bench, const struct step *step, int serial,
                                  int *index) {
    const struct options plain = {.results = bench->options->results};
    const struct program *program;
    struct programs *programs;
    enum outcome outcome;

    if ((*index = find_entry(bench, step)) >= 0)
        return OUTCOME_ACCEPTED;
    if (!programs_there(step, bench->options)) {
        if (bench->options->step) {
            progress_end();
            fprintf(stderr, "%s is not accepted yet, so that nothing is compared with it\n",
                    step->name);
        }
        return OUTCOME_ACCEPTED;
    }
    outcome = build_step(bench, step, &plain, 1, 1, &programs, &program);
    if (outcome)
        return outcome;
    *index = add_entry(bench, programs, program, -1, serial, 0, 1);
    return OUTCOME_ACCEPTED;
}

/* What the step's default variant is timed beside: the step that it builds on, and the root of the
 * chain. Of the whole catalogue they have been added for themselves. */
static enum outcome add_companions(struct bench *bench, const struct step *step, int *previous,
                                   int *serial) {
    const struct step *before = catalogue_find(bench->catalogue, step->builds_on), *root = before;
    enum outcome outcome;

    while (root && *root->builds_on)
        root = catalogue_find(bench->catalogue, root->builds_on);
    if (!root)
        return OUTCOME_ACCEPTED;
    if ((outcome = add_companion(bench, root, ROOT, serial)))
        return outcome;
    return add_companion(bench, before, *serial, previous);
}

static enum outcome add_step(struct bench *bench, const struct step *step) {
    const struct options *options = bench->options;
    const struct program *program;
    struct programs *programs;
    int previous = -1, serial = ROOT, threads, i;
    enum outcome outcome = build_step(bench, step, options, !options->step, 0, &programs, &program);

    if (outcome)
        return outcome;
    if (options->variant && !programs_find(programs, options->variant, program->build))
        return programs_no_variant(programs, options->variant);
    if (*step->builds_on && plan_is_timed(program->backend) &&
        (outcome = add_companions(bench, step, &previous, &serial)))
        return outcome;
    i = add_entry(bench, programs, program, previous, serial, 0, 0);
    if (i >= 0 && serial == ROOT)
        serial = bench->entries[i].serial;
    for (i = 0; i < programs->count; i++) {
        const struct program *other = &programs->list[i];

        if (other == program || !strcmp(other->build, "device"))
            continue;
        if (!strcmp(other->build, "missing")) {
            if (options->variant || bench->ladder)
                continue;
            progress_end();
            fprintf(options->json ? stderr : stdout,
                    "%s: variant %s is left out: %s is not installed\n", step->name, other->variant,
                    other->compiler);
        } else if (options->variant && strcmp(options->variant, other->variant))
            continue;
        else
            add_entry(bench, programs, other, -1, serial, 0, 0);
    }
    add_device_clocks(bench, programs);
    /* Thread scaling: 1, 2, 4, ... and all cores, which is the default entry. */
    if (program->all_threads && !options->variant)
        for (threads = 1; threads < bench->session.machine.cores; threads *= 2)
            add_entry(bench, programs, program, -1, serial, threads, 0);
    return OUTCOME_ACCEPTED;
}

enum outcome add_steps(struct bench *bench) {
    const struct catalogue *catalogue = bench->catalogue;
    const struct step *asked = bench->options->step;
    enum outcome outcome = OUTCOME_ACCEPTED;
    struct left_out left_out = {0};
    int i;

    build_ahead(bench);
    for (i = 0; i < catalogue->count && !outcome; i++) {
        const struct step *step = &catalogue->steps[i];

        if (!is_asked(bench, step))
            continue;
        if (!asked && !programs_there(step, bench->options))
            leave_out(&left_out, step);
        else
            outcome = add_step(bench, step);
    }
    if (!outcome && !asked)
        outcome = say_left_out(&left_out, bench->entry_count, bench->options);
    if (!outcome && bench->too_many)
        outcome =
            complain(OUTCOME_INTERNAL, "more than %d programs to time; name a STEP", MOST_ENTRIES);
    return outcome;
}
