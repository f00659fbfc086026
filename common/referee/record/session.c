#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/lines.h"
#include "referee/base/progress.h"
#include "referee/machine/gpu.h"
#include "session.h"

static void read_commit(char *commit, size_t size) {
    FILE *pipe = popen("git describe --always --dirty --abbrev=12 2>/dev/null", "r");

    if (!pipe || !fgets(commit, (int)size, pipe))
        *commit = 0;
    commit[strcspn(commit, "\n")] = 0;
    if (pipe)
        pclose(pipe);
}

/* Takes them from the facts of the last run that measured them. Returns 0 if no run did. */
static int recall_ceilings(struct session *session) {
    int wanted = CPU_CEILINGS + (gpu_of_programs() >= 0 ? GPU_CEILINGS : 0);
    const char *run = NULL;
    struct fact *facts;
    int count, i;

    if (record_read_facts(&session->record, &facts, &count))
        return 0;
    for (i = count - 1; i >= 0 && session->ceiling_count < wanted; i--)
        if ((!run || !strcmp(facts[i].field[FACT_run], run)) &&
            ceiling_of(facts[i].field[FACT_name], facts[i].field[FACT_value],
                       &session->ceilings[session->ceiling_count])) {
            run = facts[i].field[FACT_run];
            session->ceiling_count++;
        }
    free(facts);
    return session->ceiling_count == wanted;
}

/* Measures them, and writes them down as facts. */
static enum outcome measure_ceilings(struct session *session) {
    struct fact facts[CPU_CEILINGS + GPU_CEILINGS];
    enum outcome outcome;
    char name[CEILING_NAME];
    int i;

    progress_show(0, "measuring what this machine can do at most");
    if ((outcome = ceilings_cpu(session->ceilings)) ||
        (outcome = ceilings_gpu(session->ceilings + CPU_CEILINGS, &i)))
        return outcome;
    session->ceiling_count = CPU_CEILINGS + i;
    for (i = 0; i < session->ceiling_count; i++) {
        const struct ceiling *at = &session->ceilings[i];

        ceiling_name(at, name);
        fact_set(&facts[i], session->run, "", "", name, at->value, at->unit, "measured");
    }
    return record_append_facts(&session->record, facts, session->ceiling_count);
}

enum outcome session_begin(struct session *session, const struct options *options) {
    enum outcome outcome;

    session->options = options;
    machine_describe(&session->machine);
    if ((outcome = record_open(&session->record, options->results, machine_name(options))))
        return outcome;
    record_name_run(session->run);
    read_commit(session->commit, sizeof session->commit);
    return options->resume && recall_ceilings(session) ? OUTCOME_ACCEPTED
                                                       : measure_ceilings(session);
}

void session_end(struct session *session) {
    trusted_close(&session->trusted);
}

/* The ceiling of a resource for so many threads: one core's, or the share of all cores'. */
static double ceiling(const struct session *session, const char *resource, int threads) {
    double value = 0;
    int i;

    for (i = 0; i < session->ceiling_count; i++) {
        const struct ceiling *at = &session->ceilings[i];

        if (strcmp(at->resource, resource) || (threads == 1) != (at->threads == 1))
            continue;
        value = at->value;
        if (threads < at->threads)
            value *= (double)threads / at->threads;
    }
    if (!(value > 0)) /* a GPU, or a machine with one core, has one ceiling whatever the threads */
        for (i = 0; i < session->ceiling_count; i++)
            if (!strcmp(session->ceilings[i].resource, resource))
                value = session->ceilings[i].value;
    return value;
}

/* The least of ceiling / cost over the resources that the step takes. */
static void fill_limit(const struct session *session, const struct step *step,
                       const struct program *program, int threads, double rate, struct row *row) {
    struct cost costs[MOST_COSTS];
    int count = step_costs(step, program->variant, program->backend,
                           row->field[COLUMN_distribution], costs),
        i;
    const char *name = NULL;
    double limit = INFINITY;

    for (i = 0; i < count; i++) {
        double most = ceiling(session, costs[i].resource, threads) / costs[i].amount;

        if (most < limit) {
            limit = most;
            name = costs[i].resource;
        }
    }
    if (!name)
        return;
    row_set(row, COLUMN_limit_name, "%s", name);
    row_set(row, COLUMN_limit_gps, "%.6g", 1e-9 * limit);
    row_set(row, COLUMN_limit_share, "%.4g", rate / limit);
}

void session_accuracy(const struct verdict *verdict, struct row *row) {
    int i;

    if (verdict->outcome == OUTCOME_NOT_FINITE)
        return;
    row_set(row, COLUMN_error_l2, "%.4g", verdict->error_l2);
    if (verdict->error_max < 0)
        return; /* by the device's clock there is the one figure */
    row_set(row, COLUMN_error_p99, "%.4g", verdict->error_p99);
    row_set(row, COLUMN_error_max, "%.4g", verdict->error_max);
    if (!verdict->first_wrong_decimal)
        return;
    row_set(row, COLUMN_first_wrong_decimal, "%d", verdict->first_wrong_decimal);
    for (i = 0; i < DECIMALS; i++)
        sprintf(row->field[COLUMN_decimals] + strlen(row->field[COLUMN_decimals]), "%s%ld",
                i ? ":" : "", verdict->decimals[i]);
}

void session_identify(const struct session *session, const struct programs *programs,
                      const struct program *program, int n, const char *distribution,
                      struct row *row) {
    char when[24];

    lines_time(when);
    row_set(row, COLUMN_time_utc, "%s", when);
    row_set(row, COLUMN_commit, "%s", session->commit);
    row_set(row, COLUMN_host, "%s", session->machine.recorded);
    row_set(row, COLUMN_cpu, "%s", session->machine.cpu);
    row_set(row, COLUMN_gpu, "%s", session->machine.gpu);
    row_set(row, COLUMN_driver, "%s", session->machine.driver);
    row_set(row, COLUMN_compiler, "%s", program->compiler);
    row_set(row, COLUMN_flags, "%s", program->flags);
    row_set(row, COLUMN_backend, "%s", program->backend);
    row_set(row, COLUMN_part, "%s", programs->step->part);
    row_set(row, COLUMN_step, "%s", programs->step->name);
    row_set(row, COLUMN_variant, "%s", program->variant);
    row_set(row, COLUMN_source, "%s",
            programs->solution || *program->source ? "solution" : "student");
    row_set(row, COLUMN_n, "%d", n);
    row_set(row, COLUMN_run, "%s", session->run);
    row_set(row, COLUMN_problem, "%s", programs->step->problem);
    row_set(row, COLUMN_distribution, "%s", distribution);
    row_set(row, COLUMN_seed, "%llu", (unsigned long long)session->options->seed);
}

static double per_iteration(const struct timing *timing) {
    return timing->median / timing->iterations;
}

void session_time(const struct session *session, const struct programs *programs,
                  const struct program *program, double work, const struct timing *timing,
                  const struct timing *serial, const struct timing *previous, struct row *row) {
    double rate = work / per_iteration(timing);

    row_set(row, COLUMN_iterations, "%d", timing->iterations);
    row_set(row, COLUMN_repeats, "%d", timing->repeats);
    row_set(row, COLUMN_threads, "%d", timing->threads);
    row_set(row, COLUMN_seconds_median, "%.6g", timing->median);
    row_set(row, COLUMN_seconds_min, "%.6g", timing->minimum);
    row_set(row, COLUMN_seconds_max, "%.6g", timing->maximum);
    row_set(row, COLUMN_rate_gps, "%.6g", 1e-9 * rate);
    row_set(row, COLUMN_clock, timing->device_clock ? "device" : "referee");
    if (timing->sm_mhz > 0)
        row_set(row, COLUMN_sm_mhz, "%.0f", timing->sm_mhz);
    /* The counters move in steps of up to 100 ms: of a shorter run they say little. */
    if (timing->energy >= 0 && timing->median >= 0.3)
        row_set(row, COLUMN_energy_j, "%.4g", timing->energy);
    fill_limit(session, programs->step, program, timing->threads, rate, row);
    if (serial)
        row_set(row, COLUMN_speedup_serial, "%.4g", per_iteration(serial) / per_iteration(timing));
    if (previous)
        row_set(row, COLUMN_speedup_previous, "%.4g",
                per_iteration(previous) / per_iteration(timing));
}

void session_say_figures(const struct session *session, const struct step *step,
                         const struct program *program, int n, const struct timing *timing) {
    const struct figures *said = &timing->figures;
    const struct {
        const char *name;
        double seconds;
    } loops[] = {{"force_seconds", said->force_seconds},
                 {"position_seconds", said->position_seconds}};
    struct fact facts[2];
    char name[64];
    int i;

    if (!(said->force_seconds > 0))
        return;
    for (i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s_n%d_t%d", loops[i].name, n, timing->threads);
        fact_set(&facts[i], session->run, step->name, program->variant, name,
                 loops[i].seconds / timing->iterations, "s an iteration", "step");
    }
    record_append_facts(&session->record, facts, 2);
}
