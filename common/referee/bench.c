#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "progress.h"
#include "random.h"
#include "session.h"
#include "table.h"

/* The seed's sizes; and one that a slow core climbs the ladder with. */
static const int bench_sizes[] = {30000, 65536, 131072, 0};
static const int ladder_sizes[] = {4096, 0};

enum { MOST_ENTRIES = 256, MOST_SIZES = 3, MOST_ROWS = MOST_SIZES * MOST_ENTRIES };

/* Others that kept more than a tenth of a core busy have moved the numbers. */
static const double busy_cores = 0.1;

/* What is timed at one size. */
struct entry {
    const struct programs *programs;
    const struct program *program;
    int previous; /* the entry it is compared with; -1: none */
    int serial;   /* the entry at the root of its chain; itself for the root */
    int threads;  /* 0: the program's own choice */
    int wanted;   /* timed at every size, not at the first only */
    struct timing timing;
};

struct bench {
    const struct options *options;
    struct session session;
    struct programs *programs; /* as many as the catalogue has steps; step NULL: not built */
    struct entry entries[MOST_ENTRIES];
    int entry_count;
    struct row rows[MOST_ROWS];
    int row_count;
    int inconclusive, too_many;
    enum outcome failed; /* the first program that is wrong */
};

/* Times `entry`, beside the entry it builds on if there is one. `previous` gets what that took in
 * the same turns; the result is 0 if there is no such time. */
static int time_entry(struct bench *bench, struct entry *entry, int n, const char *distribution,
                      struct timing *previous) {
    const struct options *options = bench->options;
    struct entry *before =
        entry->previous >= 0 && !entry->threads ? &bench->entries[entry->previous] : NULL;
    uint64_t seed = seed_of(options->seed, 1000 + (uint64_t)(entry - bench->entries));
    struct contender *own, *other = NULL;

    own = contender_open(entry->programs, entry->program, distribution, n, options->iterations,
                         entry->threads, &entry->timing);
    if (!own)
        return 0;
    if (before && before->timing.repeats && !before->timing.outcome)
        other = contender_open(before->programs, before->program, distribution, n,
                               options->iterations, 0, previous);
    if (other)
        time_pair(other, own, &before->timing, seed, previous, &entry->timing);
    else
        time_alone(own, seed, 0, &entry->timing);
    contender_close(own);
    contender_close(other);
    return other && !previous->outcome && !entry->timing.outcome;
}

static enum outcome measure(struct bench *bench, struct entry *entry, int n) {
    const struct problem *problem = problem_find(entry->programs->step->problem);
    const char *distribution =
        bench->options->distribution ? bench->options->distribution : problem->distributions[0];
    const struct timing *serial = &bench->entries[entry->serial].timing;
    struct row *row = &bench->rows[bench->row_count];
    struct timing previous = {0};
    struct verdict verdict = {0};
    enum outcome outcome, ended;
    const char *message;
    int compared;

    memset(row, 0, sizeof *row);
    memset(&entry->timing, 0, sizeof entry->timing);
    compared = time_entry(bench, entry, n, distribution, &previous);
    session_identify(&bench->session, entry->programs, entry->program, n, distribution, row);
    ended = entry->timing.outcome;
    message = entry->timing.message;
    if (entry->timing.repeats)
        session_time(&bench->session, entry->programs, entry->program, problem->work(n),
                     &entry->timing, serial->repeats && !serial->outcome ? serial : NULL,
                     compared ? &previous : NULL, row);
    /* A run with another number of threads computes the same. */
    if ((!ended || ended == OUTCOME_INCONCLUSIVE) && !entry->threads) {
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
    row_set(row, COLUMN_verdict, "%s%s", outcome_word(ended),
            entry->timing.others > busy_cores ? ":busy" : "");
    if (ended) {
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

static int add_entry(struct bench *bench, struct programs *programs, const struct program *program,
                     int previous, int serial, int threads, int wanted) {
    struct entry *entry = &bench->entries[bench->entry_count];

    if (bench->entry_count == MOST_ENTRIES) {
        bench->too_many = 1;
        return 0;
    }
    *entry = (struct entry){.programs = programs,
                            .program = program,
                            .previous = previous,
                            .serial = serial < 0 ? bench->entry_count : serial,
                            .threads = threads,
                            .wanted = wanted};
    return bench->entry_count++;
}

/* The default variant of a step and, before it, of the steps it builds on down to the root that
 * speed-ups are over. Only the asked step is taken from where the options say. */
static enum outcome add_step(struct bench *bench, const struct catalogue *catalogue,
                             const struct step *step, int ladder, int asked, int *index) {
    struct programs *programs = &bench->programs[step - catalogue->steps];
    const struct step *before =
        *step->builds_on ? catalogue_find(catalogue, step->builds_on) : NULL;
    int previous = -1, i, threads, cores = bench->session.machine.cores;
    struct options plain = {0};
    enum outcome outcome;

    if (programs->step) { /* added already, as somebody's predecessor */
        for (i = 0; i < bench->entry_count; i++)
            if (bench->entries[i].programs == programs) {
                *index = i;
                break;
            }
        return OUTCOME_ACCEPTED;
    }
    if (before && (outcome = add_step(bench, catalogue, before, ladder, 0, &previous)))
        return outcome;
    outcome = programs_choose(programs, step, asked ? bench->options : &plain,
                              !asked || !bench->options->step);
    if (!outcome)
        outcome = programs_build(programs, "plain", NULL);
    if (outcome)
        return outcome;
    if (!programs_default(programs, "plain"))
        return programs_no_variant(programs, programs->list[0].variant);
    *index = add_entry(bench, programs, programs_default(programs, "plain"), previous,
                       previous < 0 ? -1 : bench->entries[previous].serial, 0, 1);
    if (!asked && bench->options->step)
        return OUTCOME_ACCEPTED;
    for (i = 1; i < programs->count && !ladder; i++) {
        const struct program *program = &programs->list[i];

        if (!strcmp(program->build, "missing")) {
            if (bench->options->variant)
                continue;
            progress_end();
            fprintf(bench->options->json ? stderr : stdout,
                    "%s: variant %s is left out: %s is not installed\n", step->name,
                    program->variant, program->compiler);
        } else if (!bench->options->variant || !strcmp(bench->options->variant, program->variant))
            add_entry(bench, programs, program, previous, bench->entries[*index].serial, 0, 0);
    }
    /* Thread scaling: 1, 2, 4, ... and all cores, which is the default entry. */
    if (programs->list[0].all_threads && !bench->options->variant)
        for (threads = 1; threads < cores; threads *= 2)
            add_entry(bench, programs, programs_default(programs, "plain"), -1,
                      bench->entries[*index].serial, threads, 0);
    return OUTCOME_ACCEPTED;
}

static enum outcome plan(struct bench *bench, const struct catalogue *catalogue, int ladder) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i, index;

    for (i = 0; i < catalogue->count && !outcome; i++) {
        const struct step *step = &catalogue->steps[i];
        const char *asked = bench->options->step;

        if (!asked || catalogue_find(catalogue, asked) == step) {
            progress_show(0, "building %s", step->name);
            outcome = add_step(bench, catalogue, step, ladder, 1, &index);
            if (!outcome && bench->options->variant &&
                !programs_find(&bench->programs[i], bench->options->variant, "plain"))
                outcome = programs_no_variant(&bench->programs[i], bench->options->variant);
        }
    }
    if (!outcome && bench->too_many)
        outcome =
            complain(OUTCOME_INTERNAL, "more than %d programs to time; name a STEP", MOST_ENTRIES);
    return outcome;
}

static enum outcome measure_all(struct bench *bench, int ladder) {
    const int one_size[] = {bench->options->n, 0};
    const int *sizes = bench->options->n ? one_size : ladder ? ladder_sizes : bench_sizes, *n;
    double work = 0, done = 0;
    enum outcome outcome;
    int i;

    for (n = sizes; *n; n++)
        for (i = 0; i < bench->entry_count; i++)
            work += bench->entries[i].wanted || n == sizes ? (double)*n * *n : 0;
    for (n = sizes; *n; n++)
        for (i = 0; i < bench->entry_count; i++) {
            struct entry *entry = &bench->entries[i];

            if (!entry->wanted && n != sizes)
                continue;
            progress_show(done / work, "%s, variant %s, n = %d", entry->programs->step->name,
                          entry->program->variant, *n);
            if ((outcome = measure(bench, entry, *n)))
                return outcome;
            done += (double)*n * *n;
        }
    progress_end();
    return OUTCOME_ACCEPTED;
}

enum outcome bench(const struct catalogue *catalogue, const struct options *options, int ladder) {
    struct bench *bench = calloc(1, sizeof *bench);
    enum outcome outcome;

    if (!bench || !(bench->programs = calloc(MOST_STEPS, sizeof *bench->programs)))
        return complain(OUTCOME_INTERNAL, "no memory");
    bench->options = options;
    outcome = session_begin(&bench->session, options);
    if (!outcome)
        outcome = plan(bench, catalogue, ladder);
    if (!outcome)
        outcome = measure_all(bench, ladder);
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
    free(bench->programs);
    free(bench);
    return outcome;
}

enum outcome bench_once(const struct step *step, const struct options *options) {
    static struct programs programs;
    const struct program *program;
    const struct problem *problem = problem_find(step->problem);
    const char *distribution =
        options->distribution ? options->distribution : problem->distributions[0];
    int n = options->n ? options->n : 16384;
    struct contender *contender;
    struct timing timing;
    char readable[32];
    enum outcome outcome;
    double seconds, rate;

    if ((outcome = programs_choose(&programs, step, options, 0)) ||
        (outcome = programs_build(&programs, "plain", NULL)))
        return outcome;
    program = options->variant ? programs_find(&programs, options->variant, "plain")
                               : programs_default(&programs, "plain");
    if (!program)
        return programs_no_variant(&programs,
                                   options->variant ? options->variant : programs.list[0].variant);
    contender =
        contender_open(&programs, program, distribution, n, options->iterations, 0, &timing);
    if (contender)
        time_alone(contender, options->seed, 1, &timing);
    contender_close(contender);
    if (timing.outcome)
        return complain(timing.outcome, "%s, variant %s, n = %d: %s", step->name, program->variant,
                        n, timing.message);
    seconds = timing.median / timing.iterations;
    rate = 1e-9 * problem->work(n) / seconds;
    if (options->json)
        printf("{\"step\": \"%s\", \"variant\": \"%s\", \"backend\": \"%s\", \"n\": %d, "
               "\"iterations\": %d, \"threads\": %d, \"seconds\": %.6g, \"rate_gps\": %.6g, "
               "\"outcome\": \"accepted\"}\n",
               step->name, program->variant, program->backend, n, timing.iterations, timing.threads,
               timing.median, rate);
    else
        printf("%s: %s%s, variant %s, backend %s, %d thread%s: n = %d, %s an iteration (%d in a "
               "run), %.3g G/s, output right\n",
               step->name, programs.source, programs.why, program->variant, program->backend,
               timing.threads, timing.threads > 1 ? "s" : "", n,
               readable_seconds(seconds, readable), timing.iterations, rate);
    return OUTCOME_ACCEPTED;
}
