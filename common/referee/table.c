#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "table.h"

const char *readable_seconds(double seconds, char buffer[32]) {
    if (seconds < 1e-3)
        snprintf(buffer, 32, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(buffer, 32, "%.3g ms", 1e3 * seconds);
    else
        snprintf(buffer, 32, "%.3g s", seconds);
    return buffer;
}

/* Bytes of the character that begins at `text`; 0 if it is no UTF-8. */
static int utf8_length(const char *text) {
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)*text;
    int length = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0, i;
    unsigned long code = c & (0x7fu >> (length > 1 ? length : 0));

    for (i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
                                                                                        : length;
}

void print_json_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        int length;

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else if (!(length = utf8_length(text)))
            putchar('?'); /* from a compiler or a step, which may print anything */
        else {
            printf("%.*s", length, text);
            text += length - 1;
        }
    }
    putchar('"');
}

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

/* Of the columns that depend on the rows. */
struct widths {
    int variant, n;
};

static void print_row(const struct row *row, struct widths width) {
    char seconds[32] = "-", rate[32], limit[64] = "-", serial[32], previous[32], accuracy[96] = "-";
    char variant[96];

    if (*value(row, COLUMN_seconds_median))
        readable_seconds(number(row, COLUMN_seconds_median) / number(row, COLUMN_iterations),
                         seconds);
    /* Three digits, but not as a power of ten. */
    cell(rate, row, COLUMN_rate_gps, number(row, COLUMN_rate_gps) < 1000 ? "%.3g" : "%.0f");
    cell(serial, row, COLUMN_speedup_serial, "%.2fx");
    cell(previous, row, COLUMN_speedup_previous, "%.2fx");
    if (*value(row, COLUMN_limit_share))
        snprintf(limit, sizeof limit, "%.1f%% of %.20s", 100 * number(row, COLUMN_limit_share),
                 value(row, COLUMN_limit_name));
    if (*value(row, COLUMN_error_l2)) {
        const char *decimal = value(row, COLUMN_first_wrong_decimal);
        int none = atoi(decimal) == DECIMALS;

        snprintf(accuracy, sizeof accuracy, *decimal ? "%.1e, %s%.8s" : "%.1e",
                 number(row, COLUMN_error_l2), none ? "none" : "decimal ", none ? "" : decimal);
    }
    snprintf(variant, sizeof variant, "%.60s", value(row, COLUMN_variant));
    printf("%-21s %-*s %-7s %*s %7s %9s %7s %-16s %8s %9s  %-19s %s\n", value(row, COLUMN_step),
           width.variant, variant, value(row, COLUMN_backend), width.n, value(row, COLUMN_n),
           value(row, COLUMN_threads), seconds, rate, limit, serial, previous, accuracy,
           value(row, COLUMN_verdict));
}

static int belongs(const struct row *row, const char *run) {
    return !strcmp(value(row, COLUMN_run), run);
}

static int is_by_device(const struct row *row) {
    return !strcmp(value(row, COLUMN_clock), "device");
}

/* Papers count an interaction as so many operations. */
static const double operations[] = {20, 26, 30, 38};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void print_by_device(const struct row *row, struct widths width, int with_operations) {
    char seconds[32] = "-", rate[32], limit[64] = "-", error[32], variant[96];
    size_t i;

    if (*value(row, COLUMN_seconds_median))
        readable_seconds(number(row, COLUMN_seconds_median), seconds);
    cell(rate, row, COLUMN_rate_gps, number(row, COLUMN_rate_gps) < 1000 ? "%.3g" : "%.0f");
    cell(error, row, COLUMN_error_l2, "%.1e");
    if (*value(row, COLUMN_limit_share))
        snprintf(limit, sizeof limit, "%.1f%% of %.20s", 100 * number(row, COLUMN_limit_share),
                 value(row, COLUMN_limit_name));
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
static const char *of_problems(const struct row *rows, int count, const char *run, size_t member,
                               const char *between, char text[512]) {
    int i;

    *text = 0;
    for (i = 0; i < count; i++) {
        const char *word = of_problem(&rows[i], member);
        size_t length = strlen(text);

        if (belongs(&rows[i], run) && !strstr(text, word))
            snprintf(text + length, 512 - length, "%s%s", length ? between : "", word);
    }
    return text;
}

/* The rows by the device's clock of the problems whose computation alone has that name. */
static void print_alone(const struct row *rows, int count, const char *run, struct widths width,
                        const char *alone) {
    int forces = !strcmp(alone, "forces"), printed = 0, i;
    char title[64];

    snprintf(title, sizeof title, "%.40s alone", alone);
    for (i = 0; i < count; i++) {
        if (!belongs(&rows[i], run) || !is_by_device(&rows[i]) ||
            strcmp(of_problem(&rows[i], offsetof(struct problem, alone)), alone))
            continue;
        if (!printed++)
            printf("\n%-21s %-*s %-16s %*s %9s %7s %-18s%s  %-7s %s\n", title, width.variant,
                   "variant", of_problem(&rows[i], offsetof(struct problem, element)), width.n, "n",
                   "time", "G/s", "share of limit", forces ? " at 20    26    30    38" : "",
                   "error", "verdict");
        print_by_device(&rows[i], width, forces);
    }
    if (!printed)
        return;
    printf("\n%s: by the device's own clock, in the program's own word, without copies%s.\n", title,
           forces ? " and without\nmoving the bodies; at 20, 26, 30, 38: 10^12 operations a second "
                    "if an interaction counts as so many"
                  : "");
}

static void widen(int *width, const char *text) {
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

void table_print(const struct row *rows, int count, const char *run) {
    char units[512], errors[512], alone[512], *word;
    struct widths width = {15, 7};
    int i;

    if (!count)
        return;
    if (!run)
        run = value(&rows[count - 1], COLUMN_run);
    printf("\n%s, %s%s%s, run %s\n\n", value(&rows[count - 1], COLUMN_host),
           value(&rows[count - 1], COLUMN_cpu), *value(&rows[count - 1], COLUMN_gpu) ? ", " : "",
           value(&rows[count - 1], COLUMN_gpu), run);
    for (i = 0; i < count; i++)
        if (belongs(&rows[i], run)) {
            widen(&width.variant, value(&rows[i], COLUMN_variant));
            widen(&width.n, value(&rows[i], COLUMN_n));
        }
    printf("%-21s %-*s %-7s %*s %7s %9s %7s %-16s %8s %9s  %-19s %s\n", "step", width.variant,
           "variant", "backend", width.n, "n", "threads", "iteration", "G/s", "share of limit",
           "x serial", "x before", "error, first wrong", "verdict");
    for (i = 0; i < count; i++)
        if (belongs(&rows[i], run) && !is_by_device(&rows[i]))
            print_row(&rows[i], width);
    printf("\niteration: median time of one; G/s: 10^9 %s a second; share of limit: of what\nthe "
           "named resource of this machine allows at most; x serial, x before: speed-up over "
           "the\nserial step and over the step it builds on; error: %s;\nfirst wrong: the first "
           "decimal at which more than 1%% of the coordinates are wrong.\n",
           of_problems(rows, count, run, offsetof(struct problem, unit), " or ", units),
           of_problems(rows, count, run, offsetof(struct problem, error), " or ", errors));
    of_problems(rows, count, run, offsetof(struct problem, alone), " ", alone);
    for (word = strtok(alone, " "); word; word = strtok(NULL, " "))
        print_alone(rows, count, run, width, word);
}

void table_print_json(const struct row *rows, int count, const char *run) {
    static const char *const names[] = {
#define COLUMN_NAME(name) #name,
        COLUMNS(COLUMN_NAME)
#undef COLUMN_NAME
    };
    int i, column, first = 1;

    if (count && !run)
        run = value(&rows[count - 1], COLUMN_run);
    printf("[");
    for (i = 0; i < count; i++) {
        if (!belongs(&rows[i], run))
            continue;
        printf("%s\n{", first ? "" : ",");
        first = 0;
        for (column = 0; column < COLUMN_COUNT; column++) {
            printf("%s\"%s\": ", column ? ", " : "", names[column]);
            print_json_string(rows[i].field[column]);
        }
        printf("}");
    }
    printf("\n]\n");
}
