#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_entries.h"
#include "survey.h"
#include "referee/estimate/estimate.h"
#include "referee/judge/check_program.h"
#include "referee/machine/gpu.h"
#include "referee/base/progress.h"
#include "problems/random.h"
#include "referee/record/session.h"
#include "referee/build/steps.h"
#include "referee/record/table.h"
#include "referee/inspect/trace_step.h"

const char *entry_distribution(const struct bench *bench, const struct entry *entry) {
    const struct problem *problem = problem_find(entry->programs->step->problem);

    return entry->distribution ? entry->distribution
                               : problem_distribution(problem, bench->options->distribution);
}

/* A run with another number of threads computes the same; a companion is not what was asked. */
static int wants_errors(const struct entry *entry, int n) {
    return !entry->threads && !entry->companion && entry->role == MEASURED &&
           occasion_at(entry, n)->errors;
}

/* Its errors become the verdict; NULL: they are not wanted. */
static struct contender *open_entry(struct bench *bench, const struct entry *entry, int n,
                                    struct timing *timing, struct verdict *verdict) {
    const struct problem *problem = problem_find(entry->programs->step->problem);
    const char *distribution = entry_distribution(bench, entry);
    const struct subject subject = {
        .programs = entry->programs,
        .program = entry->program,
        .distribution = distribution,
        .n = n,
        .iterations = occasion_at(entry, n)->iterations,
        .threads = entry->threads,
        .expected = entry->rate > 0 ? problem->work(distribution, n) / entry->rate : 0,
        .trusted = &bench->session.trusted,
        .errors = verdict,
        .errors_seed = bench->options->seed};

    return contender_open(&subject, timing);
}

/* Times `entry`, beside the entry it builds on if there is one. `previous` gets what that took in
 * the same turns; the result is 0 if there is no such time. If the other one fails in its turns,
 * this one is timed in isolation. */
static int time_entry(struct bench *bench, struct entry *entry, int n, struct timing *previous,
                      struct verdict *verdict) {
    struct entry *before = entry->previous >= 0 ? &bench->entries[entry->previous] : NULL;
    /* Every program gets the same inputs; but one that tells errors may bring the first to rest. */
    uint64_t seed = seed_of(bench->options->seed, entry->distribution ? 1001 : 1000);
    struct contender *own, *other = NULL;

    if (!(own = open_entry(bench, entry, n, &entry->timing,
                           entry->distribution || wants_errors(entry, n) ? verdict : NULL)))
        return 0;
    if (before && before->timing.repeats && !before->timing.outcome)
        other = open_entry(bench, before, n, previous, NULL);
    if (other)
        time_pair(other, own, &before->timing, seed, previous, &entry->timing);
    if (previous->outcome && !entry->timing.outcome) {
        complain(OUTCOME_INCONCLUSIVE,
                 "%s, variant %s, n = %d, failed when it was timed interleaved with %s: %s",
                 before->programs->step->name, before->program->variant, n,
                 entry->programs->step->name, previous->message);
        bench->inconclusive = 1;
    }
    if (!other || (previous->outcome && !entry->timing.outcome))
        time_isolated(own, seed, 0, &entry->timing);
    contender_close(own);
    contender_close(other);
    return other && !previous->outcome && !entry->timing.outcome;
}

static enum outcome measure(struct bench *bench, struct entry *entry, int n) {
    const struct problem *problem = problem_find(entry->programs->step->problem);
    const char *distribution = entry_distribution(bench, entry);
    double work = problem->work(distribution, n);
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
        compared = time_entry(bench, entry, n, &previous, &verdict);
    session_identify(&bench->session, entry->programs, entry->program, n, distribution, row);
    ended = entry->timing.outcome;
    message = entry->timing.message;
    if (entry->timing.repeats) {
        entry->rate = work * entry->timing.iterations / entry->timing.median;
        session_time(&bench->session, entry->programs, entry->program, work, &entry->timing,
                     serial && serial->repeats && !serial->outcome ? serial : NULL,
                     compared ? &previous : NULL, row);
    }
    if (wants_errors(entry, n)) {
        if (!plan_is_timed(entry->program->backend) &&
            (outcome = check_accuracy(entry->programs, entry->program, n, distribution, 0,
                                      bench->options->seed, &verdict)))
            return outcome;
        if (!ended || ended == OUTCOME_INCONCLUSIVE)
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

/* Units of work of one iteration. */
static double work_of(const struct bench *bench, const struct entry *entry, int n) {
    return problem_find(entry->programs->step->problem)->work(entry_distribution(bench, entry), n);
}

static enum outcome measure_all(struct bench *bench) {
    double work = 0, done = 0;
    enum outcome outcome;
    int i, j, n;

    for (i = 0; i < bench->entry_count; i++)
        for (j = 0; j < bench->entries[i].occasion_count; j++)
            work += work_of(bench, &bench->entries[i], bench->entries[i].occasions[j].n);
    for (n = next_size(bench, 0); n; n = next_size(bench, n)) {
        for (i = 0; i < bench->entry_count; i++)
            memset(&bench->entries[i].timing, 0, sizeof bench->entries[i].timing);
        resume_roles(bench, n);
        for (i = 0; i < bench->entry_count; i++) {
            struct entry *entry = &bench->entries[i];

            if (!occasion_at(entry, n))
                continue;
            progress_show(done / work, "%s, variant %s, n = %d", entry->programs->step->name,
                          entry->program->variant, n);
            if (entry->role != LEFT_OUT && (outcome = measure(bench, entry, n)))
                return outcome;
            done += work_of(bench, entry, n);
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

        if (!step_is_cuda(programs->step) || entry->companion || entry->distribution ||
            entry->program != programs_default(programs, entry->program->build) ||
            resume_knows(bench, entry, "trace"))
            continue;
        progress_show(1, "%s, trace", programs->step->name);
        outcome = trace_record(&bench->session, programs, entry->program->variant);
    }
    progress_end();
    return outcome;
}

/* What problems find out about the programs that were timed, once each; on a CPU that plays a GPU,
 * if that is quick enough, about the first one. */
static enum outcome survey_all(struct bench *bench) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    const struct entry *last = NULL;
    int i;

    for (i = 0; i < bench->entry_count && !outcome; i++) {
        const struct entry *entry = &bench->entries[i];
        const struct problem *problem = problem_find(entry->programs->step->problem);
        struct fact *facts = NULL;
        int count = 0;

        if (entry->companion || entry->distribution || entry->threads ||
            (!plan_is_timed(entry->program->backend) &&
             (!problem->survey_is_small || (last && last->programs == entry->programs))) ||
            resume_knows(bench, entry, "survey"))
            continue;
        last = entry;
        progress_show(1, "%s, variant %s, survey", entry->programs->step->name,
                      entry->program->variant);
        outcome = survey_program(problem, entry->programs, entry->program, bench->session.run,
                                 &facts, &count);
        if (!outcome && count)
            outcome = record_append_facts(&bench->session.record, facts, count);
        free(facts);
    }
    progress_end();
    return outcome;
}

/* Without a GPU, what the step that was measured would reach on the records' one; for several steps
 * that takes too long. */
static enum outcome estimate_beside(const struct bench *bench) {
    const struct step *step = NULL;
    struct fact fact;
    int i;

    for (i = 0; i < bench->entry_count; i++) {
        const struct entry *entry = &bench->entries[i];

        if (!entry->companion && step && step != entry->programs->step)
            return OUTCOME_ACCEPTED;
        if (!entry->companion)
            step = entry->programs->step;
    }
    if (!step || bench->gpu || bench->failed || bench->options->json ||
        !estimate_line(bench->options, step, bench->session.run, &fact))
        return OUTCOME_ACCEPTED;
    return record_append_facts(&bench->session.record, &fact, 1);
}

enum outcome bench(const struct options *options, int ladder) {
    const struct catalogue *catalogue = options->catalogue;
    struct bench *bench = calloc(1, sizeof *bench);
    enum outcome outcome;

    if (!bench || !(bench->programs = calloc(MOST_STEPS, sizeof *bench->programs)))
        return complain(OUTCOME_INTERNAL, "no memory");
    bench->options = options;
    bench->catalogue = catalogue;
    bench->ladder = ladder;
    bench->gpu = gpu_of_programs() >= 0;
    if (!(outcome = steps_read(options->steps, catalogue, bench->chosen)))
        outcome = session_begin(&bench->session, options);
    if (!outcome)
        outcome = resume_read(bench);
    if (!outcome)
        outcome = add_steps(bench);
    if (!outcome && options->clock && !bench->entry_count)
        outcome =
            complain(OUTCOME_NO_GPU,
                     "clock=%s: nothing that was asked for is timed by it; the device's clock "
                     "needs a GPU, nvcc and a step that has kernel-only forces, passes or sorts",
                     options->clock);
    if (!outcome)
        outcome = measure_all(bench);
    if (!outcome && !bench->failed && !ladder)
        outcome = trace_all(bench);
    if (!outcome && !bench->failed && !ladder)
        outcome = survey_all(bench);
    progress_end();
    if (bench->row_count && options->json)
        table_print_json(bench->rows, bench->row_count);
    else if (bench->row_count)
        table_print(bench->rows, bench->row_count);
    if (bench->row_count)
        fprintf(options->json ? stderr : stdout, "\nrecorded in %s, seed %llu\n",
                bench->session.record.rows, (unsigned long long)options->seed);
    if (!outcome && !ladder && bench->row_count)
        outcome = estimate_beside(bench);
    if (!outcome)
        outcome = bench->failed         ? bench->failed
                  : bench->inconclusive ? OUTCOME_INCONCLUSIVE
                                        : OUTCOME_ACCEPTED;
    session_end(&bench->session);
    free(bench->programs);
    free(bench->recorded);
    free(bench->known);
    free(bench);
    return outcome;
}
