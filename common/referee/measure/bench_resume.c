/* What of a bench stands in its record already. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_entries.h"
#include "referee/machine/machine.h"

enum outcome resume_read(struct bench *bench) {
    const struct record *record = &bench->session.record;
    enum outcome outcome;

    if (!bench->options->resume || access(record->rows, F_OK))
        return OUTCOME_ACCEPTED;
    if ((outcome = record_read(record, &bench->recorded, &bench->recorded_count)))
        return outcome;
    return record_read_facts(record, &bench->known, &bench->known_count);
}

int resume_knows(const struct bench *bench, const struct entry *entry, const char *source) {
    int i;

    for (i = 0; i < bench->known_count; i++)
        if (!strcmp(bench->known[i].field[FACT_step], entry->programs->step->name) &&
            !strcmp(bench->known[i].field[FACT_variant], entry->program->variant) &&
            !strcmp(bench->known[i].field[FACT_source], source))
            return 1;
    return 0;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);

    return length >= wanted && !strcmp(text + length - wanted, end);
}

/* Whether the row has the speed-up over an entry, if that has a time at size n. */
static int is_compared(const struct bench *bench, int with, int n, const char *speedup) {
    const struct entry *other = with >= 0 ? &bench->entries[with] : NULL;

    return *speedup || !other || !occasion_at(other, n) || !plan_is_timed(other->program->backend);
}

/* Whether the row is what the entry gives at size n, whole and with nothing that would be measured
 * again: a busy machine, a clock that moved, a failure. A row that was there for a comparison lacks
 * errors or a speed-up. */
static int is_row_of(const struct bench *bench, const struct row *row, const struct entry *entry,
                     int n) {
    const char *distribution = entry_distribution(bench, entry);
    const struct program *program = entry->program;
    int timed = plan_is_timed(program->backend);
    int threads = entry->threads ? entry->threads : program->all_threads ? usable_cpus() : 1;
    int wants_errors = !entry->threads && !entry->companion && occasion_at(entry, n)->errors;

    return !strcmp(row->field[COLUMN_step], entry->programs->step->name) &&
           !strcmp(row->field[COLUMN_variant], program->variant) &&
           !strcmp(row->field[COLUMN_source], "solution") &&
           !strcmp(row->field[COLUMN_backend], program->backend) &&
           !strcmp(row->field[COLUMN_distribution], distribution) &&
           atoi(row->field[COLUMN_n]) == n &&
           (!timed ||
            (atoi(row->field[COLUMN_threads]) == threads &&
             !strcmp(row->field[COLUMN_clock], entry->distribution ? "device" : "referee") &&
             is_compared(bench, entry->previous, n, row->field[COLUMN_speedup_previous]) &&
             is_compared(bench, entry->serial, n, row->field[COLUMN_speedup_serial]))) &&
           (!wants_errors || *row->field[COLUMN_error_l2] ||
            ends_with(row->field[COLUMN_verdict], ":expected")) &&
           (!strcmp(row->field[COLUMN_verdict], "accepted") ||
            ends_with(row->field[COLUMN_verdict], ":expected"));
}

static int is_recorded(const struct bench *bench, const struct entry *entry, int n) {
    int i;

    for (i = 0; i < bench->recorded_count; i++)
        if (is_row_of(bench, &bench->recorded[i], entry, n))
            return 1;
    return 0;
}

/* Whether something that was asked for is compared with the entry at size n. */
static int is_needed(const struct bench *bench, int entry, int n) {
    int i;

    for (i = 0; i < bench->entry_count; i++)
        if ((bench->entries[i].previous == entry || bench->entries[i].serial == entry) &&
            !bench->entries[i].companion && occasion_at(&bench->entries[i], n))
            return 1;
    return 0;
}

void resume_roles(struct bench *bench, int n) {
    int i;

    for (i = 0; i < bench->entry_count; i++) {
        struct entry *entry = &bench->entries[i];

        entry->role = occasion_at(entry, n) && (!entry->companion || is_needed(bench, i, n)) &&
                              !is_recorded(bench, entry, n)
                          ? MEASURED
                          : LEFT_OUT;
    }
    for (i = 0; i < bench->entry_count; i++) {
        const int others[] = {bench->entries[i].previous, bench->entries[i].serial};
        int k;

        for (k = 0; k < 2 && bench->entries[i].role == MEASURED; k++)
            if (others[k] >= 0 && bench->entries[others[k]].role == LEFT_OUT &&
                occasion_at(&bench->entries[others[k]], n))
                bench->entries[others[k]].role = BESIDE;
    }
}
