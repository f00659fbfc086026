/* What was known before: the record of this machine, and the committed ones. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explained.h"
#include "referee/machine/machine.h"
#include "referee/estimate/occupancy.h"
#include "referee/record/record.h"

/* The committed record that stands in for a machine's own, before others do. */
static const char recorded_machine[] = "h200";

enum { MOST_THREADS = 4096 };

/* The end of an origin's text that tells of the solution. */
static const char not_yours[] = ", of the SOLUTION and not of your source";

/* Marks an origin as the solution's, of a source that is not the solution. */
static void borrow(struct explained *explained, char origin) {
    size_t length = strlen(explained->borrowed);

    if (length + 1 < sizeof explained->borrowed)
        explained->borrowed[length] = origin;
}

static int known(const struct explained *explained, enum figure figure) {
    return explained->origin[figure] != 0;
}

/* Companions are timed for a comparison only, and their errors are not known. */
static int is_companion(const struct row *row) {
    return !*row->field[COLUMN_error_l2];
}

/* How well a row tells of its program. Beside a step (`after`): best in the same run at its n,
 * which alone can be compared with it, next at its n; of equals, with most threads, since a bench
 * of a CPU's step also measures it with fewer. Else: best if it was measured for itself and beside
 * the step before. */
static int fitness(const struct row *row, const struct explained *after) {
    int threads = atoi(row->field[COLUMN_threads]), same_n;

    if (!after)
        return 2 * !is_companion(row) + (*row->field[COLUMN_speedup_previous] != 0);
    same_n = after->n && atoi(row->field[COLUMN_n]) == after->n;
    return MOST_THREADS * (same_n + (same_n && !strcmp(row->field[COLUMN_run], after->run))) +
           (threads < MOST_THREADS ? threads : MOST_THREADS - 1);
}

/* A time by the device's clock, of the problem's own inputs. */
static int is_by_device(const struct row *row, const struct explained *explained) {
    return !strcmp(row->field[COLUMN_clock], "device") &&
           !strcmp(row->field[COLUMN_distribution], explained_problem(explained)->distributions[0]);
}

/* The program's last row with a limit among those that tell most of it: host to host, but by the
 * device's clock where that has larger arrays, whose copies would hide all else. NULL if there is
 * none. */
static const struct row *find_row(const struct row *rows, int count,
                                  const struct explained *explained, const char *source,
                                  const struct explained *after) {
    const char *backend = step_is_cuda(explained->programs.step) ? "cuda" : "cpu";
    const struct row *best = NULL, *by_device = NULL;
    int i;

    for (i = 0; i < count; i++) {
        const char(*field)[FIELD_BYTES] = rows[i].field;

        if (strcmp(field[COLUMN_step], explained->programs.step->name) ||
            strcmp(field[COLUMN_variant], explained->variant) ||
            strcmp(field[COLUMN_source], source) || strcmp(field[COLUMN_backend], backend) ||
            !*field[COLUMN_limit_share])
            continue;
        if (is_by_device(&rows[i], explained) &&
            (!by_device || atoi(field[COLUMN_n]) >= atoi(by_device->field[COLUMN_n])))
            by_device = &rows[i];
        if (strcmp(field[COLUMN_clock], "device") &&
            (!best || fitness(&rows[i], after) >= fitness(best, after)))
            best = &rows[i];
    }
    return best && by_device && !after &&
                   atoi(by_device->field[COLUMN_n]) > atoi(best->field[COLUMN_n])
               ? by_device
               : best;
}

/* Says what a program reached at the size of a companion's row when it was measured for itself, if
 * that is another rate by a tenth. */
static void note_companion(const struct row *companion, const struct row *rows, int count,
                           struct origins *origins) {
    static const enum column same[] = {COLUMN_step, COLUMN_variant, COLUMN_source, COLUMN_backend,
                                       COLUMN_n};
    double rate = atof(companion->field[COLUMN_rate_gps]), own = 0;
    int i;
    size_t k;

    for (i = 0; i < count; i++) {
        for (k = 0; k < sizeof same / sizeof *same; k++)
            if (strcmp(rows[i].field[same[k]], companion->field[same[k]]))
                break;
        if (k == sizeof same / sizeof *same && !is_companion(&rows[i]))
            own = atof(rows[i].field[COLUMN_rate_gps]);
    }
    if (own > 0 && fabs(own - rate) > 0.1 * fmax(own, rate))
        origin_note(origins,
                    "%s was timed in that run only for the comparison; in a separate run it "
                    "reached %.4g at n = %s",
                    companion->field[COLUMN_step], own, companion->field[COLUMN_n]);
}

/* Takes rate and limit from a record's file, if they are not known, it is there and has such a row.
 */
static enum outcome recall_row(struct explained *explained, const char *path, const char *source,
                               int borrowed, const struct explained *after,
                               struct origins *origins) {
    struct record record = {.rows = ""};
    const struct row *row;
    struct row *rows;
    enum outcome outcome;
    int count;

    snprintf(record.rows, sizeof record.rows, "%s", path);
    if (known(explained, FIGURE_rate) || access(path, R_OK))
        return OUTCOME_ACCEPTED;
    if ((outcome = record_read(&record, &rows, &count)))
        return outcome;
    row = find_row(rows, count, explained, source, after);
    if (row) {
        const char *processor =
            row->field[step_is_cuda(explained->programs.step) ? COLUMN_gpu : COLUMN_cpu];
        char origin;

        snprintf(explained->record, sizeof explained->record, "%s", path);
        explained->n = atoi(row->field[COLUMN_n]);
        snprintf(explained->run, sizeof explained->run, "%.*s", RUN_BYTES - 1,
                 row->field[COLUMN_run]);
        origin = origin_letter(
            origins, "%s%s, last row with n = %d%s%s, on %s", path, borrowed ? not_yours : "",
            explained->n, after && is_companion(row) ? ", as a companion" : "",
            is_by_device(row, explained) ? ", by the device's clock" : "", processor);
        if (after && is_companion(row))
            note_companion(row, rows, count, origins);
        if (borrowed)
            borrow(explained, origin);
        figure_set(explained, FIGURE_rate, atof(row->field[COLUMN_rate_gps]), origin);
        if (!step_is_cuda(explained->programs.step))
            figure_set(explained, FIGURE_workers, atof(row->field[COLUMN_threads]), origin);
        figure_set(explained, FIGURE_limit, atof(row->field[COLUMN_limit_gps]), origin);
        figure_set(explained, FIGURE_share, 100 * atof(row->field[COLUMN_limit_share]), origin);
        snprintf(explained->limit_name, sizeof explained->limit_name, "%.31s",
                 row->field[COLUMN_limit_name]);
    }
    free(rows);
    return OUTCOME_ACCEPTED;
}

/* Whether that is a fact of this program for its architecture: of the recorded one those that a GPU
 * executed, ncu_slots, of others those of machine code, slots_sm_75. `name` is then what they have
 * in common. */
static int is_told(const struct explained *explained, const struct fact *fact, char name[40]) {
    const char *full = fact->field[FACT_name];
    char ending[16];
    int length;

    if (strcmp(fact->field[FACT_step], explained->programs.step->name) ||
        strcmp(fact->field[FACT_variant], explained->variant))
        return 0;
    if (!strcmp(explained->architecture, RECORDED_ARCHITECTURE))
        return sscanf(full, "ncu_%39s", name) == 1;
    snprintf(ending, sizeof ending, "_%s", explained->architecture);
    length = (int)strlen(full) - (int)strlen(ending);
    snprintf(name, 40, "%.*s", length > 0 ? length : 0, full);
    return length > 0 && !strcmp(full + length, ending);
}

/* Whether a later line has the same fact: of a fact the last one counts. */
static int is_told_again(const struct fact *facts, int count, int i) {
    for (int k = i + 1, same; k < count; k++) {
        for (same = FACT_run; same < FACT_value; same++)
            if (strcmp(facts[i].field[same], facts[k].field[same]))
                break;
        if (same == FACT_value)
            return 1;
    }
    return 0;
}

static char facts_origin(struct explained *explained, const char *path, const char *what,
                         struct origins *origins) {
    char origin = origin_letter(origins, "%s%s, for %s, %s", path,
                                explained->programs.solution ? ", of the solution" : not_yours,
                                explained->architecture, what);

    if (!explained->programs.solution)
        borrow(explained, origin);
    return origin;
}

/* Takes what the last run that tells what a unit of work executes says of the solution, if nothing
 * is known of the program itself. */
static void recall_counts(struct explained *explained, const char *path, const struct fact *facts,
                          int count, struct origins *origins) {
    int executed = !strcmp(explained->architecture, RECORDED_ARCHITECTURE), i;
    const char *run = NULL;
    char name[40], origin;

    for (i = 0; i < count; i++)
        if (is_told(explained, &facts[i], name) && !strcmp(name, "slots"))
            run = facts[i].field[FACT_run];
    if (!run || known(explained, FIGURE_slots))
        return;
    origin = facts_origin(explained, path, executed ? "executed" : "not executed", origins);
    figures_begin(explained, origin);
    for (i = 0; i < count; i++)
        if (is_told(explained, &facts[i], name) && !strcmp(facts[i].field[FACT_run], run) &&
            strncmp(name, "stall_", 6) && !is_told_again(facts, count, i) &&
            (strcmp(name, "registers") || !known(explained, FIGURE_registers)))
            figure_take(explained, name, atof(facts[i].field[FACT_value]), origin);
}

/* Takes what the solution's warps wait for at the size of the limit, stall_wait_n131072 and so on,
 * if that of the program is not known. */
static void recall_stalls(struct explained *explained, const char *path, const struct fact *facts,
                          int count, struct origins *origins) {
    char name[40], ending[16], *end, origin = 0;

    if (*explained->stall)
        return;
    snprintf(ending, sizeof ending, "_n%d", explained->n);
    for (int i = 0; i < count; i++) {
        double value = atof(facts[i].field[FACT_value]);

        if (!is_told(explained, &facts[i], name) || strncmp(name, "stall_", 6) ||
            !(end = strstr(name, ending)) || strcmp(end, ending))
            continue;
        *end = 0;
        origin = origin ? origin
                        : facts_origin(explained, path, "executed: what warps wait for", origins);
        if (!strcmp(name, "stall_not_selected"))
            figure_set(explained, FIGURE_ready, value, origin);
        else if (!*explained->stall || value > explained->value[FIGURE_stalled])
            figure_take(explained, name, value, origin);
    }
}

/* What follows from other figures. */
static void work_out(struct explained *explained, struct origins *origins) {
    const double *value = explained->value;
    const char *limit;
    double share;

    if (known(explained, FIGURE_slots))
        figure_set(explained, FIGURE_rest,
                   value[FIGURE_slots] - value[FIGURE_fma] - value[FIGURE_roots] -
                       value[FIGURE_shared_loads] - value[FIGURE_global_loads],
                   explained->origin[FIGURE_slots]);
    if (!known(explained, FIGURE_registers) || !known(explained, FIGURE_threads) ||
        !known(explained, FIGURE_shared_bytes))
        return;
    share = occupancy_of(explained->architecture, (int)value[FIGURE_threads],
                         (int)value[FIGURE_registers], (int)value[FIGURE_shared_bytes], &limit);
    if (share > 0)
        figure_set(explained, FIGURE_occupancy, 100 * share,
                   origin_letter(origins,
                                 "worked out for %s from threads, registers and shared memory",
                                 explained->architecture));
}

/* From the committed records: that of the row beside it, that of `machine`, then the others. */
static enum outcome recall_committed(struct explained *explained, const char *machine,
                                     const struct explained *after, struct origins *origins) {
    int solution = explained->programs.solution;
    char path[512];
    enum outcome outcome = OUTCOME_ACCEPTED;
    glob_t folders = {0};
    struct record record;
    struct fact *facts;
    int count;

    if (after)
        outcome = recall_row(explained, after->record, "solution", !solution, after, origins);
    snprintf(path, sizeof path, "docs/results/{%s,%s,*}", machine, recorded_machine);
    glob(path, GLOB_BRACE, NULL, &folders);
    for (size_t i = 0; i < folders.gl_pathc && !outcome; i++) {
        const char *folder = folders.gl_pathv[i], *name = strrchr(folder, '/') + 1;

        snprintf(path, sizeof path, "%s/%s.csv", folder, name);
        outcome = recall_row(explained, path, "solution", !solution, after, origins);
        if (outcome || !step_is_cuda(explained->programs.step) ||
            (known(explained, FIGURE_slots) && *explained->stall))
            continue;
        snprintf(record.facts, sizeof record.facts, "%s/%s-facts.csv", folder, name);
        if (!(outcome = record_read_facts(&record, &facts, &count))) {
            recall_counts(explained, record.facts, facts, count, origins);
            recall_stalls(explained, record.facts, facts, count, origins);
        }
        free(facts);
    }
    globfree(&folders);
    return outcome;
}

enum outcome explained_recall(struct explained *explained, const struct options *options,
                              const struct explained *after, struct origins *origins) {
    const char *source = explained->programs.solution ? "solution" : "student";
    char path[512];
    enum outcome outcome;

    snprintf(path, sizeof path, "%s/%s.csv", options->results, machine_name(options));
    if ((outcome = recall_row(explained, path, source, 0, after, origins)) ||
        (outcome = recall_committed(
             explained, options->machine ? options->machine : recorded_machine, after, origins)))
        return outcome;
    work_out(explained, origins);
    return OUTCOME_ACCEPTED;
}
