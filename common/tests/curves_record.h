/* Writes a record of made-up rows, draws its pictures and reads one back. Runs are a, b, c; titles
 * are those of run b. For tests that start in the repository's root. */
#ifndef CURVES_RECORD_H
#define CURVES_RECORD_H

#include "referee/record/record.h"
#include "scratch.h"
#include "svg_picture.h"

/* What the pictures depend on of a row; a limit or a speed-up of 0 is left empty. Without a
 * problem: N-body on the GPU, by the referee's clock. */
struct line {
    const char *run, *step, *variant, *source;
    int n;
    double rate, limit, speedup;
    const char *verdict, *decimals;
    const char *problem, *distribution, *backend, *clock;
};

static char results[96];
static struct record record;
static struct picture picture;
static char *svg;

static inline void say_line(const struct line *line) {
    static struct row row;

    memset(&row, 0, sizeof row);
    row_set(&row, COLUMN_time_utc, "2025-01-0%dT00:00:00Z", line->run[0] - 'a' + 1);
    row_set(&row, COLUMN_host, "host");
    row_set(&row, COLUMN_cpu, "cpu");
    row_set(&row, COLUMN_gpu, "gpu of run %s", line->run);
    row_set(&row, COLUMN_backend, "%s", line->problem ? line->backend : "cuda");
    row_set(&row, COLUMN_step, "%s", line->step);
    row_set(&row, COLUMN_variant, "%s", line->variant);
    row_set(&row, COLUMN_source, "%s", line->source);
    row_set(&row, COLUMN_n, "%d", line->n);
    row_set(&row, COLUMN_iterations, "1");
    row_set(&row, COLUMN_seconds_median, "0.5");
    row_set(&row, COLUMN_rate_gps, "%g", line->rate);
    if (line->limit > 0)
        row_set(&row, COLUMN_limit_gps, "%g", line->limit);
    if (line->speedup > 0)
        row_set(&row, COLUMN_speedup_previous, "%g", line->speedup);
    row_set(&row, COLUMN_verdict, "%s", line->verdict);
    row_set(&row, COLUMN_run, "%s", line->run);
    row_set(&row, COLUMN_problem, "%s", line->problem ? line->problem : "nbody");
    row_set(&row, COLUMN_distribution, "%s", line->problem ? line->distribution : "uniform");
    row_set(&row, COLUMN_threads, "1");
    row_set(&row, COLUMN_clock, "%s", line->problem ? line->clock : "referee");
    row_set(&row, COLUMN_decimals, "%s", line->decimals);
    assert_int_equal(record_append(&record, &row, 1), OUTCOME_ACCEPTED);
}

static inline void say_fact(const char *run, const char *step, const char *variant,
                            const char *name, double value) {
    static struct fact fact;

    fact_set(&fact, run, step, variant, name, value, "unit", "source");
    assert_int_equal(record_append_facts(&record, &fact, 1), OUTCOME_ACCEPTED);
}

/* A new record of these lines. */
static inline void begin(const struct line *lines, int count) {
    need_gnuplot();
    assert_int_equal(run("rm -rf %s", results), 0);
    assert_int_equal(record_open(&record, results, "pc"), OUTCOME_ACCEPTED);
    for (int i = 0; i < count; i++)
        say_line(&lines[i]);
}

/* Draws with the copy of common/report that stands beside the test's own catalogue. */
static inline void draw(void) {
    if (run("$D/common/report/pictures/draw.sh %s %s", record.rows, results))
        fail_msg("%s", read_text("said"));
}

static inline int is_drawn(const char *name) {
    return !run("[ -e %s/%s.svg ]", results, name);
}

static inline void look(const char *name) {
    char path[64];

    snprintf(path, sizeof path, "results/%s.svg", name);
    free(svg);
    svg = read_text(path);
    read_picture(svg, &picture);
}

/* How many points of the line whose title begins so stand at (x, y). */
static inline int points_on(const char *title, double n, double value) {
    char start[64];
    const char *from, *end;
    double x, y;
    int found = 0;

    snprintf(start, sizeof start, "<title>%s", title);
    from = strstr(svg, start);
    assert_non_null(from);
    end = strstr(from + 1, "<title>");
    for (const char *p = from; p < end; p++)
        found += (*p == 'M' || *p == 'L') && sscanf(p + 1, "%lf,%lf", &x, &y) == 2 &&
                 near(value_at(picture.x, x), n) && near(value_at(picture.y, y), value);
    return found;
}

/* What says where a picture is from; the text alternative holds `words`. */
static inline void assert_named(const char *words) {
    char title[128];

    assert_int_equal(occurrences(svg, "host:  cpu  +  gpu of run b<"), 1);
    assert_int_equal(occurrences(svg, "2025-01-02T00:00:00Z"), 1);
    snprintf(title, sizeof title, "<title>%s", words);
    assert_int_equal(occurrences(svg, title), 1);
    snprintf(title, sizeof title, "<desc>%s", words);
    assert_int_equal(occurrences(svg, title), 1);
}

/* `catalogue` is the text of the one that the pictures are drawn by. Returns 0, as a CMocka fixture
 * does. */
static inline int make_drawing(const char *catalogue) {
    if (make_scratch(NULL))
        return -1;
    snprintf(results, sizeof results, "%s/results", folder);
    write_manifests(folder, catalogue);
    return 0;
}

#endif
