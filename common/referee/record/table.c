#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"
#include "referee/base/json.h"
#include "problems/text.h"
#include "referee/base/print.h"
#include "table.h"

enum { CELL_BYTES = 96, MOST_COLUMNS = 12 };

static const char *value(const struct row *row, enum column column) {
    return row->field[column];
}

static double number(const struct row *row, enum column column) {
    return atof(row->field[column]);
}

/* A field with a format of its own, or "-" where the row has none. */
static void cell(char *text, const struct row *row, enum column column, const char *format) {
    if (!*row->field[column])
        strcpy(text, "-");
    else
        snprintf(text, 32, format, number(row, column));
}

/* Three digits, but not as a power of ten. */
static void rate_text(const struct row *row, char *text) {
    cell(text, row, COLUMN_rate_gps, number(row, COLUMN_rate_gps) < 1000 ? "%.3g" : "%.0f");
}

static void limit_text(const struct row *row, char *text) {
    strcpy(text, "-");
    if (*value(row, COLUMN_limit_share))
        snprintf(text, CELL_BYTES, "%.1f%% of %.20s", 100 * number(row, COLUMN_limit_share),
                 value(row, COLUMN_limit_name));
}

static int is_timed(const struct row *row) {
    return *value(row, COLUMN_seconds_median) != 0;
}

static void iteration_text(const struct row *row, char *text) {
    readable_seconds(number(row, COLUMN_seconds_median) / number(row, COLUMN_iterations), text);
}

/* How far the fastest and the slowest repeat are from the median at most. All r repeats are on one
 * side of the true median with the probability 2^(1 - r); else it is between these two. */
static void within_text(const struct row *row, char *text) {
    double median = number(row, COLUMN_seconds_median);
    double below = 1 - number(row, COLUMN_seconds_min) / median;
    double above = number(row, COLUMN_seconds_max) / median - 1;

    strcpy(text, "-");
    if (number(row, COLUMN_repeats) > 1)
        snprintf(text, CELL_BYTES, "%.1f%%", 100 * (below > above ? below : above));
}

static void serial_text(const struct row *row, char *text) {
    cell(text, row, COLUMN_speedup_serial, "%.2fx");
}

static void previous_text(const struct row *row, char *text) {
    cell(text, row, COLUMN_speedup_previous, "%.2fx");
}

/* Whether that part of a verdict, behind a colon, is about the measurement and not the results. */
static int is_mark(const char *part, int length) {
    static const char *const marks[] = {"busy", "gpu-busy", "clock"};
    size_t i;

    for (i = 0; i < sizeof marks / sizeof *marks; i++)
        if ((int)strlen(marks[i]) == length && !strncmp(part, marks[i], (size_t)length))
            return 1;
    return 0;
}

/* The parts of the verdict that are marks, or those that are not, with colons between them. */
static void verdict_parts(const struct row *row, int marks, char *text) {
    const char *part = value(row, COLUMN_verdict);
    int length = 0, size;

    strcpy(text, "-");
    for (; *part; part += size + (part[size] == ':')) {
        size = (int)strcspn(part, ":");
        if (is_mark(part, size) == marks && length + size < CELL_BYTES - 1)
            length += snprintf(text + length, CELL_BYTES - (size_t)length, "%s%.*s",
                               length ? ":" : "", size, part);
    }
}

static void spoilt_text(const struct row *row, char *text) {
    verdict_parts(row, 1, text);
}

static void error_text(const struct row *row, char *text) {
    const char *decimal = value(row, COLUMN_first_wrong_decimal);
    int none = atoi(decimal) == DECIMALS;

    strcpy(text, "-");
    if (*value(row, COLUMN_error_l2))
        snprintf(text, CELL_BYTES, *decimal ? "%.1e, %s%.8s" : "%.1e", number(row, COLUMN_error_l2),
                 none ? "none" : "decimal ", none ? "" : decimal);
}

static void verdict_text(const struct row *row, char *text) {
    verdict_parts(row, 0, text);
}

/* A column of a table: a field of the record, or what a function makes of the row. */
struct table_column {
    const char *title;
    enum column field;
    void (*text)(const struct row *row, char text[CELL_BYTES]);
    int is_word; /* begins at the left; numbers end at the right */
    int is_dull; /* where all rows have the same */
};

static void cell_text(const struct table_column *column, const struct row *row,
                      char text[CELL_BYTES]) {
    if (column->text)
        column->text(row, text);
    else
        snprintf(text, CELL_BYTES, "%.60s", value(row, column->field));
}

/* How wide a column is; 0: no row has anything there, or nothing that is worth a column. */
static int column_width(const struct table_column *column, const struct row *const *rows,
                        int count) {
    int width = (int)strlen(column->title), filled = 0, i;
    char text[CELL_BYTES], first[CELL_BYTES] = "";

    for (i = 0; i < count; i++) {
        cell_text(column, rows[i], text);
        if (!i)
            strcpy(first, text);
        filled |= column->is_dull ? strcmp(text, first) != 0 : *text && strcmp(text, "-");
        if ((int)strlen(text) > width)
            width = (int)strlen(text);
    }
    return filled ? width : 0;
}

static void print_columns(const struct table_column *columns, const struct row *const *rows,
                          int count) {
    int widths[MOST_COLUMNS] = {0}, i, line, length;

    for (i = 0; columns[i].title; i++)
        widths[i] = column_width(&columns[i], rows, count);
    if (count)
        puts("");
    for (line = -1; line < count && count; line++) {
        char text[CELL_BYTES], whole[MOST_COLUMNS * CELL_BYTES] = "";

        for (i = length = 0; columns[i].title; i++) {
            if (!widths[i])
                continue;
            if (line < 0)
                strcpy(text, columns[i].title);
            else
                cell_text(&columns[i], rows[line], text);
            length +=
                snprintf(whole + length, sizeof whole - (size_t)length, "%s%*s", length ? " " : "",
                         columns[i].is_word ? -widths[i] : widths[i], text);
        }
        while (length && whole[length - 1] == ' ')
            whole[--length] = 0;
        puts(whole);
    }
}

/* How fast: of the rows that were timed, host to host. */
static const struct table_column speed[] = {
    {"step", COLUMN_step, NULL, 1, 0},
    {"variant", COLUMN_variant, NULL, 1, 0},
    {"backend", COLUMN_backend, NULL, 1, 1},
    {"n", COLUMN_n, NULL, 0, 0},
    {"threads", COLUMN_threads, NULL, 0, 0},
    {"iteration", COLUMN_seconds_median, iteration_text, 0, 0},
    {"within", COLUMN_seconds_max, within_text, 0, 0},
    {"G/s", COLUMN_rate_gps, rate_text, 0, 0},
    {"share of limit", COLUMN_limit_share, limit_text, 1, 0},
    {"x serial", COLUMN_speedup_serial, serial_text, 0, 0},
    {"x before", COLUMN_speedup_previous, previous_text, 0, 0},
    {"spoilt by", COLUMN_verdict, spoilt_text, 1, 0},
    {0}};

/* How right: of the rows whose results were looked at. */
static const struct table_column results[] = {
    {"step", COLUMN_step, NULL, 1, 0},
    {"variant", COLUMN_variant, NULL, 1, 0},
    {"backend", COLUMN_backend, NULL, 1, 0},
    {"n", COLUMN_n, NULL, 0, 0},
    {"error, first wrong", COLUMN_error_l2, error_text, 1, 0},
    {"verdict", COLUMN_verdict, verdict_text, 1, 0},
    {0}};

/* Of the columns that depend on the rows. */
struct widths {
    int variant, n;
};

/* Whether both are of one run. */
static int belongs(const struct row *row, const struct row *other) {
    return !strcmp(value(row, COLUMN_run), value(other, COLUMN_run));
}

static int is_by_device(const struct row *row) {
    return !strcmp(value(row, COLUMN_clock), "device");
}

/* Papers count an interaction as so many operations. */
static const double operations[] = {20, 26, 30, 38};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void print_by_device(const struct row *row, struct widths width, int with_operations) {
    char seconds[32] = "-", rate[CELL_BYTES], limit[CELL_BYTES], error[32], variant[96];
    size_t i;

    if (*value(row, COLUMN_seconds_median))
        readable_seconds(number(row, COLUMN_seconds_median), seconds);
    rate_text(row, rate);
    limit_text(row, limit);
    cell(error, row, COLUMN_error_l2, "%.1e");
    snprintf(variant, sizeof variant, "%.60s", value(row, COLUMN_variant));
    printf("%-21s %-*s %-16s %*s %9s %7s %-18s", value(row, COLUMN_step), width.variant, variant,
           value(row, COLUMN_distribution), width.n, value(row, COLUMN_n), seconds, rate, limit);
    for (i = 0; with_operations && i < OPERATIONS; i++)
        printf(" %5.1f", 1e-3 * operations[i] * number(row, COLUMN_rate_gps));
    printf("  %-7s %s\n", error, value(row, COLUMN_verdict));
}

/* A string of the row's problem, by where it is in struct problem; empty if there is none. */
static const char *of_problem(const struct row *row, size_t member) {
    const struct problem *problem = problem_find(value(row, COLUMN_problem));
    const char *text = NULL;

    if (problem)
        memcpy(&text, (const char *)problem + member, sizeof text);
    return text ? text : "";
}

/* The same of all rows of the run, each once: "elements or nonzeros". */
static const char *of_problems(const struct row *const *rows, int count, size_t member,
                               const char *between, char text[512]) {
    int i;

    *text = 0;
    for (i = 0; i < count; i++) {
        const char *word = of_problem(rows[i], member);

        if (!strstr(text, word))
            text_add(text, 512, "%s%s", *text ? between : "", word);
    }
    return text;
}

/* The rows by the device's clock of the problems whose kernel-only times have that name. */
static void print_kernel_only(const struct row *const *rows, int count, struct widths width,
                              const char *name) {
    int forces = !strcmp(name, "forces"), printed = 0, i;
    char title[64];

    snprintf(title, sizeof title, "kernel-only %.40s", name);
    for (i = 0; i < count; i++) {
        if (!is_by_device(rows[i]) ||
            strcmp(of_problem(rows[i], offsetof(struct problem, kernel_only)), name))
            continue;
        if (!printed++)
            printf("\n%-21s %-*s %-16s %*s %9s %7s %-18s%s  %-7s %s\n", title, width.variant,
                   "variant", of_problem(rows[i], offsetof(struct problem, element)), width.n, "n",
                   "time", "G/s", "share of limit", forces ? " at 20    26    30    38" : "",
                   "error", "verdict");
        print_by_device(rows[i], width, forces);
    }
    if (!printed)
        return;
    printf("\n%s: by the device's own clock, in the program's own word, without copies%s.\n", title,
           forces
               ? " and without\nmoving the bodies; at 20, 26, 30, 38: 10^12 operations per second "
                 "if an interaction counts as so many"
               : "");
}

static void widen(int *width, const char *text) {
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

/* Whether the row says of its results more than that they were right when it was timed. */
static int tells_results(const struct row *row) {
    return !is_timed(row) || *value(row, COLUMN_error_l2) ||
           strncmp(value(row, COLUMN_verdict), "accepted", strlen("accepted"));
}

/* The rows of the run in the order of their steps; those of a step stay as they are. */
static int rows_of_run(const struct row *rows, int count, const struct row **sorted) {
    int kept = 0, i, k;

    for (i = 0; i < count; i++) {
        if (!belongs(&rows[i], &rows[count - 1]))
            continue;
        for (k = kept++;
             k && strcmp(value(sorted[k - 1], COLUMN_step), value(&rows[i], COLUMN_step)) > 0; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = &rows[i];
    }
    return kept;
}

static int choose(const struct row *const *rows, int count, int (*is_wanted)(const struct row *),
                  const struct row **chosen) {
    int kept = 0, i;

    for (i = 0; i < count; i++)
        if (!is_by_device(rows[i]) && is_wanted(rows[i]))
            chosen[kept++] = rows[i];
    return kept;
}

static void print_tables(const struct row *const *rows, int count, const struct row **chosen) {
    char units[512], errors[512], names[512], *word;
    struct widths width = {15, 7};
    int kept, i;

    for (i = 0; i < count; i++) {
        widen(&width.variant, value(rows[i], COLUMN_variant));
        widen(&width.n, value(rows[i], COLUMN_n));
    }
    kept = choose(rows, count, is_timed, chosen);
    print_columns(speed, chosen, kept);
    if (kept)
        printf(
            "\niteration: median time of one; within: how far from it the repeats are, at most;\n"
            "G/s: 10^9 %s per second; share of limit: of what the named resource of this\n"
            "machine allows at most; x serial, x before: speed-up over the serial step and over "
            "the\n"
            "step it builds on; spoilt by: what moved the time; measure again.\n",
            of_problems(rows, count, offsetof(struct problem, unit), " or ", units));
    kept = choose(rows, count, tells_results, chosen);
    print_columns(results, chosen, kept);
    printf("\nerror: %s%s\n",
           of_problems(rows, count, offsetof(struct problem, error), " or ", errors),
           kept ? ";\nfirst wrong: the first decimal at which more than 1% of the coordinates are "
                  "wrong."
                : ".");
    of_problems(rows, count, offsetof(struct problem, kernel_only), " ", names);
    for (word = strtok(names, " "); word; word = strtok(NULL, " "))
        print_kernel_only(rows, count, width, word);
}

void table_print(const struct row *rows, int count) {
    const struct row **sorted = malloc(2 * (size_t)count * sizeof *sorted);

    if (!count || !sorted) {
        free(sorted);
        return;
    }
    printf("\n%s, %s%s%s, run %s\n", value(&rows[count - 1], COLUMN_host),
           value(&rows[count - 1], COLUMN_cpu), *value(&rows[count - 1], COLUMN_gpu) ? ", " : "",
           value(&rows[count - 1], COLUMN_gpu), value(&rows[count - 1], COLUMN_run));
    print_tables(sorted, rows_of_run(rows, count, sorted), sorted + count);
    free(sorted);
}

void table_print_json(const struct row *rows, int count) {
    static const char *const names[] = {
#define COLUMN_STRING(name) #name,
        COLUMNS(COLUMN_STRING, COLUMN_STRING)
#undef COLUMN_STRING
    };
    int i, column;

    print_json("[");
    for (i = 0; i < count; i++) {
        if (!belongs(&rows[i], &rows[count - 1]))
            continue;
        print_json("{");
        for (column = 0; column < COLUMN_COUNT; column++)
            print_json("%s=%s", names[column], rows[i].field[column]);
        print_json("}");
    }
    print_json("]");
}
