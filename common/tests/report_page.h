/* The report page as its tests read it: its tables and sentences beside the record's rows. For
 * tests that include testing.h. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "page_dom.h"
#include "record_files.h"

static struct page_table table;

/* The fields of a line, cut apart in place; their number. */
static inline int split(char *line, char separator, char *fields[], int most) {
    int count = 0;
    for (char *p = line; p && count < most; count++) {
        fields[count] = p;
        if ((p = strchr(p, separator)))
            *p++ = 0;
    }
    return count;
}

/* The last row of a step's default variant at size n that has errors, from a record's own text. */
static inline int find_row(const char *record, const char *step, const char *variant, const char *n,
                           char row[LINE_BYTES], char *fields[COLUMN_COUNT]) {
    int found = 0;
    char line[LINE_BYTES];
    for (const char *p = record; *p; p += strcspn(p, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        char *cut[COLUMN_COUNT];
        if (split(line, ',', cut, COLUMN_COUNT) == COLUMN_COUNT &&
            !strcmp(cut[COLUMN_step], step) && !strcmp(cut[COLUMN_variant], variant) &&
            !strcmp(cut[COLUMN_n], n) && *cut[COLUMN_error_p99]) {
            snprintf(row, LINE_BYTES, "%.*s", (int)strcspn(p, "\n"), p);
            found = 1;
        }
    }
    return found && split(row, ',', fields, COLUMN_COUNT) == COLUMN_COUNT;
}

static inline void assert_cell(const char *name, const char *other, const char *value,
                               const char *column, const char *expected) {
    const char *cell = cell_of(&table, name, other, value, column);
    if (!cell || strcmp(cell, expected))
        fail_msg("%s, %s %s: \"%s\" is \"%s\", not \"%s\"", name, other ? other : "",
                 value ? value : "", column, cell ? cell : "not there", expected);
}

static inline void assert_shows(const char *page, const char *part) {
    if (!strstr(page, part))
        fail_msg("\"%s\" is not in the page", part);
}

/* A share as the page rounds it. */
static inline const char *percent(const char *share) {
    static char text[16];
    double value = 100 * atof(share);
    snprintf(text, sizeof text, value >= 10 ? "%.0f%%" : "%.2g%%", value);
    return *share ? text : "";
}

static const struct {
    const char *step, *variant;
} ladder[] = {
    {"01_serial", "gcc_O3_native"},
    {"02_openmp", "static"},
    {"03_cuda_naive", "256"},
    {"04_soa", "256"},
    {"05_tiling", "soa"},
    {"06_unroll", "16"},
    {"07_device_integration", "16"},
    {"08_rsqrt", "16"},
    {"09_ftz", "16"},
    {"10_fp16", "seed"},
    {"11_pinned", "16"},
    {"12_float4", "float4"},
};
enum { STEPS = sizeof ladder / sizeof *ladder };

/* The rows of the ladder's steps, in both tables that have them, are the record's. */
static inline void assert_rates(const char *record, int steps, const char *const *sizes) {
    char row[LINE_BYTES], *fields[COLUMN_COUNT];
    for (int s = 0; s < steps; s++)
        for (int i = 0; sizes[i]; i++) {
            const char *step = ladder[s].step;
            assert_true(find_row(record, step, ladder[s].variant, sizes[i], row, fields));
            assert_cell(step, "n", sizes[i], "program", "solution");
            assert_cell(step, "n", sizes[i], "G/s", fields[COLUMN_rate_gps]);
            assert_cell(step, "n", sizes[i], "share of limit", percent(fields[COLUMN_limit_share]));
            assert_cell(step, "n", sizes[i], "× step before", fields[COLUMN_speedup_previous]);
            assert_cell(step, "n", sizes[i], "verdict", fields[COLUMN_verdict]);
        }
}

/* Steps stand in their order, the learner's program directly below the solution's, and what was
 * recorded elsewhere behind both. */
static inline void assert_order(void) {
    for (int r = 2; r < table.rows; r++) {
        int order = strcmp(table.text[r - 1][0], table.text[r][0]);
        assert_true(order <= 0);
        if (!strcmp(table.text[r][1], "yours"))
            assert_true(order == 0 && !strcmp(table.text[r - 1][1], "solution") &&
                        !strcmp(table.text[r - 1][2], table.text[r][2]));
        if (order == 0 && !strncmp(table.text[r - 1][1], "on ", 3))
            assert_true(strcmp(table.text[r][1], "solution") && strcmp(table.text[r][1], "yours"));
    }
}
static inline void assert_step_says(const char *page, const char *step, const char *part) {
    char start[64];
    snprintf(start, sizeof start, "<article id=\"step-%s\">", step);
    const char *item = strstr(page, start), *said;
    assert_non_null(item);
    if (!(said = strstr(item, part)) || said > strstr(item, "</article>"))
        fail_msg("%s does not say \"%s\"", step, part);
}

/* Every id names one element, and what a picture refers to is there. */
static inline void assert_ids(const char *page) {
    char id[160];
    for (const char *p = page; (p = strstr(p, " id=")); p++) {
        snprintf(id, sizeof id, "%.*s%c", (int)strcspn(p + 5, p[4] == '\'' ? "'" : "\"") + 5, p,
                 p[4]);
        if (strstr(p + 1, id))
            fail_msg("twice:%s", id);
    }
    for (const char *p = page; (p = strstr(p, "href=")); p++) {
        assert_true(p[6] == '#');
        int length = (int)strcspn(p + 7, "'\"");
        snprintf(id, sizeof id, " id=%c%.*s%c", p[5], length, p + 7, p[5]);
        if (!strstr(page, id))
            fail_msg("not there:%s", id);
    }
}

#endif
