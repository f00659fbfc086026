#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "check_program.h"
#include "gpu.h"
#include "plan.h"
#include "progress.h"
#include "random.h"
#include "session.h"
#include "table.h"
#include "trace_step.h"

enum { ROOT = -2, MOST_ENTRIES = 256, MOST_ROWS = MOST_SIZES * MOST_ENTRIES };

/* A program, and where it is measured. */
struct entry {
    const struct programs *programs;
    const struct program *program;
    int previous; /* the entry it is compared with; -1: none */
    int serial;  /* the entry that speed-ups are over; itself for the root of the chain; -1: none */
    int threads; /* 0: the program's own choice */
    int companion; /* there for the comparison only */
    struct occasion occasions[MOST_SIZES];
    int occasion_count;
    struct timing timing; /* at the size that is being measured */
    double rate;          /* units of work a second, when it was last timed; 0: not yet */
};

struct bench {
    const struct options *options;
    const struct catalogue *catalogue;
    int ladder, gpu;
    struct session session;
    struct programs *programs; /* as many as the catalogue has steps; step NULL: not built */
    struct entry entries[MOST_ENTRIES];
    int entry_count;
    struct row rows[MOST_ROWS];
    int row_count;
    int inconclusive, too_many;
    enum outcome failed; /* the first program that is wrong */
};

/* Where the entry is measured at size n; NULL if it is not. */
static const struct occasion *occasion_at(const struct entry *entry, int n) {
    int i;

    for (i = 0; i < entry->occasion_count; i++)
        if (entry->occasions[i].n == n)
            return &entry->occasions[i];
    return NULL;
}

static struct contender *open_entry(struct bench *bench, const struct entry *entry, int n,
                                    struct timing *timing) {
    const struct problem *problem = problem_find(entry->programs->step->problem);
    const struct subject subject = {
        .programs = entry->programs,
        .program = entry->program,
        .distribution = problem_distribution(problem, bench->options->distribution),
        .n = n,
        .iterations = occasion_at(entry, n)->iterations,
        .threads = entry->threads,
        .companion = entry->companion,
        .expected = entry->rate > 0 ? problem->work(n) / entry->rate : 0,
        .trusted = &bench->session.trusted};

    return contender_open(&subject, timing);
}

/* Times `entry`, beside the entry it builds on if there is one. `previous` gets what that took in
 * the same turns; the result is 0 if there is no such time. If the other one fails in its turns,
 * this one is timed alone. */
static int time_entry(struct bench *bench, struct entry *entry, int n, struct timing *previous) {
    struct entry *before = entry->previous >= 0 ? &bench->entries[entry->previous] : NULL;
    uint64_t seed = seed_of(bench->options->seed, 1000 + (uint64_t)(entry - bench->entries));
    struct contender *own, *other = NULL;

    if (!(own = open_entry(bench, entry, n, &entry->timing)))
        return 0;
    if (before && before->timing.repeats && !before->timing.outcome)
        other = open_entry(bench, before, n, previous);
    if (other)
        time_pair(other, own, &before->timing, seed, previous, &entry->timing);
    if (other && previous->outcome && !entry->timing.outcome) {
        complain(OUTCOME_INCONCLUSIVE, "%s, variant %s, n = %d, failed in turns with %s: %s",
                 before->programs->step->name, before->program->variant, n,
                 entry->programs->step->name, previous->message);
        bench->inconclusive = 1;
    }
    if (!other || (previous->outcome && !entry->timing.outcome))
        time_alone(own, seed, 0, &entry->timing);
    contender_close(own);
    contender_close(other);
    return other && !previous->outcome && !entry->timing.outcome;
}

static enum outcome measure(struct bench *bench, struct entry *entry, int n) {
    const struct problem *problem = problem_find(entry->programs->step->problem);
    const char *distribution = problem_distribution(problem, bench->options->distribution);
    const struct timing *serial = entry->serial >= 0 ? &bench->entries[entry->serial].timing : NULL;
    struct row *row = &bench->rows[bench->row_count];
    struct timing previous = {0};
    struct verdict verdict = {0};
    enum outcome outcome, ended;
    const char *message;
    char marks[32];
    int compared = 0, expected;

    memset(row, 0, sizeof *row);
    if (plan_is_timed(entry->program->backend))
        compared = time_entry(bench, entry, n, &previous);
    session_identify(&bench->session, entry->programs, entry->program, n, distribution, row);
    ended = entry->timing.outcome;
    message = entry->timing.message;
    if (entry->timing.repeats) {
        entry->rate = problem->work(n) * entry->timing.iterations / entry->timing.median;
        session_time(&bench->session, entry->programs, entry->program, problem->work(n),
                     &entry->timing, serial && serial->repeats && !serial->outcome ? serial : NULL,
                     compared ? &previous : NULL, row);
    }
    /* A run with another number of threads computes the same; a companion is not what was asked. */
    if ((!ended || ended == OUTCOME_INCONCLUSIVE) && !entry->threads && !entry->companion &&
        occasion_at(entry, n)->errors) {
        outcome =
            check_accuracy(entry->programs, entry->program, n, bench->options->seed, &verdict);
        if (outcome)
            return outcome;
        session_accuracy(&verdict, row);
        if (verdict.outcome) {
            ended = verdict.outcome;
            message = verdict.message;
        }
    }
    timing_marks(&entry->timing, marks);
    expected = ended == verdict.outcome && rejected_as_expected(entry->programs->step, &verdict);
    row_set(row, COLUMN_verdict, "%s%s%s", outcome_word(ended), expected ? ":expected" : "", marks);
    if (ended && !expected) {
        progress_end();
        complain(ended, "%s, variant %s, n = %d: %s", entry->programs->step->name,
                 entry->program->variant, n, message);
        bench->inconclusive |= ended == OUTCOME_INCONCLUSIVE;
        if (ended != OUTCOME_INCONCLUSIVE && !bench->failed)
            bench->failed = ended;
    }
    session_say_figures(&bench->session, entry->programs->step, entry->program, n, &entry->timing);
    bench->row_count++;
    return record_append(&bench->session.record, row, 1);
}

/* Adds a program; -1 if it is not measured at all, or there are too many. */
static int add_entry(struct bench *bench, const struct programs *programs,
                     const struct program *program, int previous, int serial, int threads) {
    const struct planned planned = {
        .backend = program->backend,
        .is_default = program == programs_default(programs, program->build),
        .threads = threads,
        .ladder = bench->ladder,
        .gpu = bench->gpu,
        .over_n = programs->step == catalogue_end(bench->catalogue) && !bench->options->variant,
        .n = bench->options->n,
        .iterations = bench->options->iterations};
    struct entry *entry = &bench->entries[bench->entry_count];

    if (bench->entry_count == MOST_ENTRIES) {
        bench->too_many = 1;
        return -1;
    }
    *entry = (struct entry){.programs = programs,
                            .program = program,
                            .previous = previous,
                            .serial = serial == ROOT ? bench->entry_count : serial,
                            .threads = threads};
    entry->occasion_count = plan(&planned, entry->occasions);
    return entry->occasion_count ? bench->entry_count++ : -1;
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
                               const struct options *options, int solution,
                               struct programs **programs, const struct program **program) {
    enum outcome outcome;

    *programs = &bench->programs[step - bench->catalogue->steps];
    progress_show(0, "building %s", step->name);
    outcome = programs_choose(*programs, step, options, solution);
    if (!outcome)
        outcome = programs_build_timed(*programs, bench->options->backend, bench->gpu);
    if (outcome)
        return outcome;
    *program = programs_default(*programs, (*programs)->list[0].build);
    if (!strcmp((*program)->build, "missing"))
        return programs_no_variant(*programs, (*program)->variant);
    return trusted_open(&bench->session.trusted, problem_find(step->problem),
                        bench->options->n ? bench->options->n : LARGEST_PLANNED,
                        bench->options->seed);
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
    outcome = build_step(bench, step, &plain, 1, &programs, &program);
    if (outcome)
        return outcome;
    *index = add_entry(bench, programs, program, -1, serial, 0);
    if (*index >= 0)
        bench->entries[*index].companion = 1;
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
    enum outcome outcome = build_step(bench, step, options, !options->step, &programs, &program);

    if (outcome)
        return outcome;
    if (options->variant && !programs_find(programs, options->variant, program->build))
        return programs_no_variant(programs, options->variant);
    if (*step->builds_on && plan_is_timed(program->backend) &&
        (outcome = add_companions(bench, step, &previous, &serial)))
        return outcome;
    i = add_entry(bench, programs, program, previous, serial, 0);
    if (i >= 0 && serial == ROOT)
        serial = bench->entries[i].serial;
    for (i = 0; i < programs->count; i++) {
        const struct program *other = &programs->list[i];

        if (other == program)
            continue;
        if (!strcmp(other->build, "missing")) {
            if (options->variant || bench->ladder)
                continue;
            progress_end();
            fprintf(options->json ? stderr : stdout,
                    "%s: variant %s is left out: %s is not installed\n", step->name, other->variant,
                    other->compiler);
        } else if (!options->variant || !strcmp(options->variant, other->variant))
            add_entry(bench, programs, other, -1, serial, 0);
    }
    /* Thread scaling: 1, 2, 4, ... and all cores, which is the default entry. */
    if (program->all_threads && !options->variant)
        for (threads = 1; threads < bench->session.machine.cores; threads *= 2)
            add_entry(bench, programs, program, -1, serial, threads);
    return OUTCOME_ACCEPTED;
}

static enum outcome add_steps(struct bench *bench) {
    const struct catalogue *catalogue = bench->catalogue;
    const char *asked = bench->options->step;
    enum outcome outcome = OUTCOME_ACCEPTED;
    struct left_out left_out = {0};
    int i;

    for (i = 0; i < catalogue->count && !outcome; i++) {
        const struct step *step = &catalogue->steps[i];

        if (asked ? catalogue_find(catalogue, asked) != step
                  : !step_has_backend(step, bench->options))
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

/* The smallest size above `n` at which anything is measured; 0: none. */
static int next_size(const struct bench *bench, int n) {
    int next = 0, i, j;

    for (i = 0; i < bench->entry_count; i++)
        for (j = 0; j < bench->entries[i].occasion_count; j++) {
            int size = bench->entries[i].occasions[j].n;

            if (size > n && (!next || size < next))
                next = size;
        }
    return next;
}

static enum outcome measure_all(struct bench *bench) {
    double work = 0, done = 0;
    enum outcome outcome;
    int i, j, n;

    for (i = 0; i < bench->entry_count; i++)
        for (j = 0; j < bench->entries[i].occasion_count; j++)
            work += (double)bench->entries[i].occasions[j].n * bench->entries[i].occasions[j].n;
    for (n = next_size(bench, 0); n; n = next_size(bench, n)) {
        for (i = 0; i < bench->entry_count; i++)
            memset(&bench->entries[i].timing, 0, sizeof bench->entries[i].timing);
        for (i = 0; i < bench->entry_count; i++) {
            struct entry *entry = &bench->entries[i];

            if (!occasion_at(entry, n))
                continue;
            progress_show(done / work, "%s, variant %s, n = %d", entry->programs->step->name,
                          entry->program->variant, n);
            if ((outcome = measure(bench, entry, n)))
                return outcome;
            done += (double)n * n;
        }
    }
    progress_end();
    return OUTCOME_ACCEPTED;
}

/* What the kernels of each step's default variant ask of memory; the ladder has no time for it. */
static enum outcome trace_all(struct bench *bench) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    for (i = 0; i < bench->entry_count && !outcome; i++) {
        const struct entry *entry = &bench->entries[i];
        const struct programs *programs = entry->programs;

        if (!step_is_cuda(programs->step) || entry->companion ||
            entry->program != programs_default(programs, entry->program->build))
            continue;
        progress_show(1, "%s, trace", programs->step->name);
        outcome = trace_record(&bench->session, programs, entry->program->variant);
    }
    progress_end();
    return outcome;
}

enum outcome bench(const struct catalogue *catalogue, const struct options *options, int ladder) {
    struct bench *bench = calloc(1, sizeof *bench);
    enum outcome outcome;

    if (!bench || !(bench->programs = calloc(MOST_STEPS, sizeof *bench->programs)))
        return complain(OUTCOME_INTERNAL, "no memory");
    bench->options = options;
    bench->catalogue = catalogue;
    bench->ladder = ladder;
    bench->gpu = gpu_of_programs() >= 0;
    outcome = session_begin(&bench->session, options);
    if (!outcome)
        outcome = add_steps(bench);
    if (!outcome)
        outcome = measure_all(bench);
    if (!outcome && !bench->failed && !ladder)
        outcome = trace_all(bench);
    progress_end();
    if (bench->row_count && options->json)
        table_print_json(bench->rows, bench->row_count, NULL);
    else if (bench->row_count)
        table_print(bench->rows, bench->row_count, NULL);
    if (bench->row_count)
        fprintf(options->json ? stderr : stdout, "\nrecorded in %s, seed %llu\n",
                bench->session.record.rows, (unsigned long long)options->seed);
    if (!outcome)
        outcome = bench->failed         ? bench->failed
                  : bench->inconclusive ? OUTCOME_INCONCLUSIVE
                                        : OUTCOME_ACCEPTED;
    session_end(&bench->session);
    free(bench->programs);
    free(bench);
    return outcome;
}
