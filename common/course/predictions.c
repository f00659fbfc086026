#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/machine/gpu.h"
#include "referee/base/lines.h"
#include "predictions.h"

static const char header[] = "time_utc\tstep\tspeedup\tlimit\twhen";

static const char *path_of(const char *results) {
    static char path[544];

    snprintf(path, sizeof path, "%s/predictions.tsv", results);
    return path;
}

static int take(void *to, const char *line) {
    struct predictions *predictions = to;
    struct prediction prediction;
    char speedup[32], when[8];

    if (sscanf(line, "%23[^\t]\t%39[^\t]\t%31[^\t]\t%15[^\t]\t%7[^\n]", prediction.time_utc,
               prediction.step, speedup, prediction.limit, when) != 5 ||
        (strcmp(when, "before") && strcmp(when, "late")))
        return -1;
    prediction.speedup = atof(speedup);
    prediction.late = !strcmp(when, "late");
    predictions->list =
        realloc(predictions->list, (size_t)(predictions->count + 1) * sizeof *predictions->list);
    if (!predictions->list)
        abort();
    predictions->list[predictions->count++] = prediction;
    return 0;
}

enum outcome predictions_read(const char *results, struct predictions *predictions) {
    enum outcome outcome;

    memset(predictions, 0, sizeof *predictions);
    outcome = lines_read(path_of(results), header, take, predictions);
    if (outcome)
        predictions_free(predictions);
    return outcome;
}

void predictions_free(struct predictions *predictions) {
    free(predictions->list);
    memset(predictions, 0, sizeof *predictions);
}

enum outcome predictions_add(const char *results, struct prediction *prediction) {
    char line[200], speedup[32] = "-";

    lines_time(prediction->time_utc);
    if (prediction->speedup > 0)
        snprintf(speedup, sizeof speedup, "%g", prediction->speedup);
    snprintf(line, sizeof line, "%s\t%s\t%s\t%s\t%s\n", prediction->time_utc, prediction->step,
             speedup, prediction->limit, prediction->late ? "late" : "before");
    return lines_append(results, path_of(results), header, line);
}

const struct prediction *predictions_last(const struct predictions *predictions, const char *step) {
    const struct prediction *last = NULL;
    int i;

    for (i = 0; i < predictions->count; i++) {
        const struct prediction *prediction = &predictions->list[i];

        if (!strcmp(prediction->step, step) && (!last || !prediction->late || last->late))
            last = prediction;
    }
    return last;
}

const struct limit *predictions_limits(const struct step *step) {
    static const struct limit cpu[] = {{"fma", "sums and products: the rate of the pipes for them"},
                                       {"rsqrt", "roots and divisions"},
                                       {NULL, NULL}};
    static const struct limit gpu[] = {
        {"issue", "instructions of all kinds: a scheduler starts one per clock"},
        {"fma", "additions, products and multiply-adds, where a scheduler has 16 lanes for them"},
        {"mufu", "roots and reciprocals, which the special function units estimate"},
        {"lds", "loads of shared memory"},
        {"memory", "data that come from the device's memory, not from a cache"},
        {NULL, NULL}};

    return step_is_cuda(step) ? gpu : cpu;
}

/* A limit as a learner calls it: gpu_issue of a record is issue. */
static const char *word_of(const char *limit_name) {
    return strncmp(limit_name, "gpu_", 4) ? limit_name : limit_name + 4;
}

static void print_row(const struct row *row, const struct step *step) {
    if (*row->field[COLUMN_speedup_previous])
        printf(" %.2f times,", atof(row->field[COLUMN_speedup_previous]));
    else if (*step->builds_on)
        printf(" without %s beside it,", step->builds_on);
    if (*row->field[COLUMN_limit_name])
        printf(" limit %s,", word_of(row->field[COLUMN_limit_name]));
    printf(" at n = %s", row->field[COLUMN_n]);
}

/* Without a GPU: what the solution reached on the one of the committed record, if that has it. */
static void print_recorded(const struct step *step) {
    struct student_rows rows;
    const struct row *row;

    solution_rows_read(&rows);
    if ((row = student_rows_last(&rows, step->name))) {
        printf("; the solution, on an %s (docs/results):", row->field[COLUMN_gpu]);
        print_row(row, step);
        printf("; a GPU is needed to measure yours\n");
    } else {
        printf("; a GPU is needed to measure it\n");
    }
    student_rows_free(&rows);
}

static void print_measured(const struct row *row, const struct step *step) {
    if (!row && step_is_cuda(step) && gpu_of_programs() < 0) {
        print_recorded(step);
        return;
    }
    if (!row) {
        printf("; not measured yet: make bench STEP=%.2s\n", step->name);
        return;
    }
    printf("; measured");
    print_row(row, step);
    printf("\n");
}

enum outcome predictions_print(const struct catalogue *catalogue, const char *step,
                               const char *results) {
    struct predictions predictions;
    struct student_rows rows = {0};
    enum outcome outcome = predictions_read(results, &predictions);
    int i;

    if (outcome)
        return outcome;
    if (predictions.count)
        student_rows_read(results, NULL, &rows);
    for (i = 0; i < catalogue->count; i++) {
        const struct step *of = &catalogue->steps[i];
        const struct prediction *prediction = predictions_last(&predictions, of->name);

        if (!prediction || (step && strcmp(step, of->name)))
            continue;
        printf("%s, predicted%s:", of->name, prediction->late ? " late" : "");
        if (prediction->speedup > 0)
            printf(" %.2f times %s,", prediction->speedup, of->builds_on);
        printf(" limit %s", prediction->limit);
        print_measured(student_rows_last(&rows, of->name), of);
    }
    fflush(stdout);
    predictions_free(&predictions);
    student_rows_free(&rows);
    return OUTCOME_ACCEPTED;
}
