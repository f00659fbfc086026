/* The bars of a record, before and after, variants and the closing chart: every bar is as long as
 * its row says, and no other row has one. Run from the repository's root. */
#include "testing.h"
#include "drawn_record.h"
#include "problems/problem.h"
#include "svg_bars.h"

/* Variants in the order in which the bench writes them, with their rates over the default's. */
static const struct {
    const char *step, *variant, *verdict;
    double share;
} variants[] = {
    {"03_cuda_naive", "64", "accepted", 1.02},
    {"03_cuda_naive", "128", "accepted", 1.04},
    {"03_cuda_naive", "512", "accepted", 0.96},
    {"03_cuda_naive", "1024", "accepted", 0.85},
    {"03_cuda_naive", "occupancy", "accepted", 0.87},
    {"06_unroll", "1", "accepted", 0.7},
    {"06_unroll", "2", "accepted:busy", 0.8},
    {"06_unroll", "4", "accepted", 0.9},
    {"06_unroll", "8", "accepted", 0.97},
    {"06_unroll", "24", "accepted", 1.03},
    {"06_unroll", "32", "accepted", 1.06},
    {"10_fp16", "pure_half", "decimals", 1.3},
    {"10_fp16", "half2", "accepted", 1.9},
    {"12_float4", "float3", "accepted", 0.92},
    {"12_float4", "soa", "accepted", 0.98},
};

/* An old run whose rates are far off, and the whole ladder. */
static void write_record(int leave_one_out) {
    FILE *file = open_record("own.csv");
    for (int i = 0; i < 3; i++) {
        write_row(file, (struct written){"a", steps[i].step, steps[i].variant, 30000, 7777, PLAIN});
        write_row(file, (struct written){"a", steps[i].step, "other", 30000, 3333, PLAIN});
    }
    for (int size = 0; size < 3; size++)
        for (int i = 0; i < STEPS; i++) {
            const char *step = steps[i].step;
            /* Speed-ups of the row, which come from another measurement than its rate. */
            const char *previous = i == 4 ? "1.35" : "", *serial = i == 5 ? "777" : "";
            write_row(file, (struct written){"b", step, steps[i].variant, sizes[size],
                                             rate_of(i, size), steps[i].verdict, serial, previous,
                                             "solution", "referee", 1, "1e-5"});
            write_row(file, (struct written){"b", step, steps[i].variant, sizes[size], 5555,
                                             "accepted", "", "", "student", "referee", 1, "1e-5"});
            write_row(file, (struct written){"b", step, steps[i].variant, sizes[size], 5555,
                                             "accepted", "", "", "solution", "device", 1, "1e-5"});
            for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++)
                if (strcmp(variants[v].step, step) == 0)
                    write_row(file, (struct written){"b", step, variants[v].variant, sizes[size],
                                                     rate_of(i, size) * variants[v].share,
                                                     variants[v].verdict, "", "", "solution",
                                                     "referee", 1, "1e-5"});
        }
    static const struct {
        const char *variant;
        double rate;
    } ideas[] = {{"without_nothing", 2000},  {"without_unroll", 1420}, {"without_rsqrt", 820},
                 {"without_geometry", 2020}, {"without_soa", 1900},    {"without_pinned", 1900}};
    for (int i = 0; leave_one_out && i < 6; i++)
        write_row(file, (struct written){"b", "12_float4", ideas[i].variant, 30000, 900, "undrawn",
                                         "", "", "solution", "referee", 1, "1e-5"});
    for (int i = 0; leave_one_out && i < 6; i++)
        write_row(file, (struct written){"b", "12_float4", ideas[i].variant, 131072, ideas[i].rate,
                                         PLAIN});
    /* The rate over n. */
    for (int n = 1024; n <= 1 << 20; n *= 2)
        write_row(file, (struct written){"b", "12_float4", "float4", n, 600 + n / 1000, "undrawn",
                                         "", "", "solution", "referee", 1, ""});
    fclose(file);
}

/* The record, for more rows; to be closed. */
static FILE *go_on(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/own.csv", folder);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    return file;
}

static struct svg_bars picture;

static void read_bars_of(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "out/%s", name);
    char *svg = read_text(path);
    read_bars(svg, &picture);
    assert_non_null(strstr(svg, ">host:  some cpu  +  some gpu<"));
    assert_non_null(strstr(svg, "2026-01-02T03:04:05Z"));
    assert_null(strstr(svg, "<desc>Produced"));
    assert_null(strstr(svg, "undrawn"));
    free(svg);
}

/* Bar `place` from the top; the label begins so. */
static void expect_bar(int place, const char *title, const char *name, const char *label,
                       double value, int light) {
    assert_true(place < picture.bars);
    const struct svg_bar *bar = &picture.bar[place];
    assert_string_equal(bar->title, title);
    assert_string_equal(bar->name, name);
    assert_string_equal(bar->label, label);
    assert_int_equal(bar->light, light);
    if (!(fabs(bar->value - value) <= 0.01 * value + bar->value * 0.2 / (bar->right - bar->left)))
        fail_msg("%s, %s: a bar of %g, not %g", title, name, bar->value, value);
}

static const char *short_number(double x) {
    static char text[4][32];
    static int next;
    next = (next + 1) % 4;
    snprintf(text[next], 32, x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x);
    return text[next];
}

static const char *three_digits(double x) {
    static char text[4][32];
    static int next;
    next = (next + 1) % 4;
    snprintf(text[next], 32, x >= 100 ? "%.0f" : "%#.3g", x);
    return text[next];
}

TEST(test_steps) {
    write_record(1);
    draw();
    for (int i = 1; i < STEPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "step-%.2s.svg", steps[i].step);
        read_bars_of(name);
        assert_int_equal(picture.bars, 6);
        for (int k = 0; k < 6; k++) {
            int size = k / 2, before = step_named(steps[i].before), one = k % 2 ? i : before;
            double ratio = i == 4 ? 1.35 : rate_of(i, size) / rate_of(before, size);
            double seconds = (double)sizes[size] * sizes[size] / 1e9 / rate_of(one, size);
            char title[64], label[64];
            snprintf(title, sizeof title, "n = %d:  %s times as fast", sizes[size],
                     short_number(ratio));
            snprintf(label, sizeof label, "%s s,  %s iterations/s%s", three_digits(seconds),
                     three_digits(1 / seconds), strcmp(steps[one].verdict, "accepted") ? "*" : "");
            expect_bar(k, title, steps[one].step, label, seconds, k % 2 == 0);
        }
    }
    assert_int_equal(run("[ ! -e $D/out/step-01.svg ]"), 0);
    char *svg = read_text("out/step-10.svg");
    assert_non_null(strstr(svg, "* verdict: decimals"));
    free(svg);
}

/* The last run has 05 and what it builds on, which itself builds on what is not there. */
TEST(test_run_of_one_step) {
    FILE *file = open_record("own.csv");
    write_row(file, (struct written){"a", "03_cuda_naive", "256", 30000, 150, PLAIN});
    write_row(file, (struct written){"b", "01_serial", "gcc", 30000, 0.5, PLAIN});
    write_row(file, (struct written){"b", "05_tiling", "soa", 30000, 300, PLAIN});
    write_row(file, (struct written){"b", "05_tiling", "soa", 65536, 300, PLAIN});
    write_row(file, (struct written){"b", "04_soa", "256", 30000, 200, PLAIN});
    /* Not their steps' defaults. */
    write_row(file, (struct written){"b", "04_soa", "1024", 65536, 200, PLAIN});
    write_row(file, (struct written){"b", "12_float4", "float4", 65536, 900, PLAIN});
    write_row(file, (struct written){"b", "12_float4", "soa", 30000, 900, PLAIN});
    write_row(file, (struct written){"b", "01_serial", "gcc", 131072, 0.5, PLAIN});
    write_row(file, (struct written){"b", "12_float4", "soa", 131072, 900, PLAIN});
    fclose(file);
    draw();
    assert_int_equal(run("ls -A $D/out"), 0);
    char *said = read_text("said");
    assert_string_equal(said, "closing.svg\nladder.svg\nreport.html\nstep-05.svg\n");
    free(said);
    read_bars_of("step-05.svg");
    assert_int_equal(picture.bars, 2);
    assert_string_equal(picture.bar[0].title, "n = 30000:  1.50 times as fast");
    read_bars_of("closing.svg");
    assert_int_equal(picture.bars, 3);
    assert_string_equal(picture.bar[2].label, "600 x");
}

/* The rate over n is no rung of the ladder: each of three sizes has one mark per step, and one for
 * the learner's program; other sizes have none. */
TEST(test_rungs) {
    struct picture ladder;
    write_record(1);
    draw();
    char *svg = read_text("out/ladder.svg");
    read_picture(svg, &ladder);
    assert_int_equal(ladder.marks, 6 * STEPS);
    assert_null(strstr(svg, "undrawn"));
    for (int k = 0; k < ladder.marks; k++) {
        char title[32];
        snprintf(title, sizeof title, "n = %d%s", sizes[k / STEPS / 2],
                 k / STEPS % 2 ? ", yours" : "");
        assert_string_equal(ladder.mark[k].text, title);
    }
    free(svg);
}

static void expect_variants(const char *step, const char *const *order, int count) {
    char name[32], title[96], label[64];
    int one = step_named(step);
    snprintf(name, sizeof name, "variants-%.2s.svg", step);
    read_bars_of(name);
    assert_int_equal(picture.bars, 3 * count);
    for (int k = 0; k < 3 * count; k++) {
        const char *variant = order[k % count], *verdict = steps[one].verdict;
        int size = k / count, is_default = strcmp(variant, steps[one].variant) == 0;
        double share = 1;
        for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++)
            if (strcmp(variants[v].step, step) == 0 && strcmp(variants[v].variant, variant) == 0) {
                share = variants[v].share;
                verdict = variants[v].verdict;
            }
        int fine = strcmp(verdict, "accepted") == 0;
        snprintf(title, sizeof title, "n = %d:  rate, and against the default, %s", sizes[size],
                 steps[one].variant);
        snprintf(label, sizeof label, "%s%s  (%s x)%s%s", short_number(rate_of(one, size) * share),
                 fine ? "" : "*", short_number(share), fine ? "" : ",  ", fine ? "" : verdict);
        expect_bar(k, title, variant, label, rate_of(one, size) * share, !is_default);
    }
}

TEST(test_variants) {
    static const char *const blocks[] = {"64", "128", "256", "512", "1024", "occupancy"};
    static const char *const unroll[] = {"1", "2", "4", "8", "16", "24", "32"};
    static const char *const half[] = {"seed", "pure_half", "half2"};
    static const char *const layouts[] = {"float4", "float3", "soa"};
    write_record(1);
    draw();
    expect_variants("03_cuda_naive", blocks, 6);
    expect_variants("06_unroll", unroll, 7);
    expect_variants("10_fp16", half, 3);
    expect_variants("12_float4", layouts, 3);
    /* Steps whose variants an older run alone has. */
    read_bars_of("variants-02.svg");
    assert_int_equal(picture.bars, 2);
    assert_string_equal(picture.bar[1].label, "3333  (0.43 x)");
    assert_int_equal(run("[ ! -e $D/out/variants-07.svg ]"), 0);
}

static void expect_ladder_of_speedups(void) {
    for (int i = 0; i < STEPS; i++) {
        double speedup = i == 5 ? 777 : rate_of(i, 2) / rate_of(0, 2);
        char label[32];
        snprintf(label, sizeof label, "%s x%s", short_number(speedup), i == 9 ? "*" : "");
        expect_bar(i, "n = 131072:  seconds per iteration of 01_serial over those of each step",
                   steps[i].step, label, speedup, 0);
    }
}

TEST(test_closing) {
    static const char title[] = "n = 131072:  12_float4 without one of its ideas";
    write_record(1);
    draw();
    read_bars_of("closing.svg");
    assert_int_equal(picture.bars, STEPS + 5);
    expect_ladder_of_speedups();
    expect_bar(STEPS, title, "without rsqrt", "41.0%  (820 G/s)", 41, 0);
    expect_bar(STEPS + 1, title, "without unroll", "71.0%  (1420 G/s)", 71, 0);
    expect_bar(STEPS + 2, title, "without soa", "95.0%  (1900 G/s)", 95, 0);
    expect_bar(STEPS + 3, title, "without pinned", "95.0%  (1900 G/s)", 95, 0);
    expect_bar(STEPS + 4, title, "without geometry", "101.0%  (2020 G/s)", 101, 0);
    write_record(0);
    draw();
    read_bars_of("closing.svg");
    assert_int_equal(picture.bars, STEPS);
    expect_ladder_of_speedups();
}

/* A record of several runs, since a bench was resumed or one step timed again: the ladder stays
 * whole, and a step stands beside the one before it in the last run that has both. */
TEST(test_later_run_of_two_steps) {
    write_record(1);
    FILE *file = go_on();
    write_row(file, (struct written){"c", "01_serial", "gcc_O3_native", 131072, 0.25, PLAIN});
    write_row(file, (struct written){"c", "04_soa", "256", 131072, 400, PLAIN});
    write_row(file, (struct written){"c", "05_tiling", "aos", 131072, 9000, PLAIN});
    write_row(file, (struct written){"c", "05_tiling", "soa", 131072, 1200, PLAIN});
    write_row(file, (struct written){"d", "05_tiling", "soa", 131072, 7000, PLAIN});
    fclose(file);
    run("sed -i 's/^variants = plain/variants = soa/' $D/steps/05_tiling/manifest");
    draw();
    run("sed -i 's/^variants = soa/variants = plain/' $D/steps/05_tiling/manifest");
    read_bars_of("closing.svg");
    assert_int_equal(picture.bars, STEPS + 5);
    expect_ladder_of_speedups();
    read_bars_of("step-05.svg");
    assert_int_equal(picture.bars, 6);
    assert_string_equal(picture.bar[4].title, "n = 131072:  3.00 times as fast");
    assert_non_null(strstr(picture.bar[0].title, "n = 30000:  "));
}

/* Steps of reduce, which the ladder's runs have, too, and a run of their own behind them. */
static void append_reduce(void) {
    FILE *file = go_on();
    for (const char *name = "b"; *name; name = *name == 'b' ? "c" : "")
        for (int n = 1 << 12; n <= 1 << 28; n *= 4) {
            write_row(file, (struct written){name, "40_sums", "plain", n, 10, PLAIN, "reduce"});
            write_row(file, (struct written){name, "40_sums", "wide", n, 20, PLAIN, "reduce"});
            write_row(file, (struct written){name, "41_tree", "plain", n, 50000, PLAIN, "reduce"});
            write_row(file, (struct written){name, "41_tree", "without_nothing", n, 50000, PLAIN,
                                             "reduce"});
        }
    fclose(file);
    write_manifests(folder, "41_tree\tIII\treduce\treduce.cu\t40_sums\n");
}

/* Every picture of N-body stays as it is; those of the other problem's steps have its words. */
TEST(test_other_problem) {
    write_record(1);
    draw();
    assert_int_equal(run("rm -rf $D/kept && mv $D/out $D/kept && rm $D/kept/report.html"), 0);
    append_reduce();
    draw();
    if (run("cd $D/kept && for f in *; do cmp $f ../out/$f || exit 1; done"))
        fail_msg("%s", read_text("said"));
    assert_int_equal(run("cd $D/kept && ls >../list; cd ../out; ls | grep -vxFf ../list"), 0);
    char *said = read_text("said");
    assert_string_equal(said, "report.html\nstep-41.svg\nvariants-40.svg\n");
    free(said);
    read_bars_of("step-41.svg");
    assert_int_equal(picture.bars, 2 * 9);
    assert_string_equal(picture.bar[0].name, "40_sums");
    assert_string_equal(picture.bar[1].name, "41_tree");
    char *svg = read_text("out/variants-40.svg");
    assert_non_null(strstr(svg, ">billion elements per second (G/s)<"));
    assert_non_null(strstr(svg, "<desc>Rate of every variant of 40_sums in elements per second<"));
    free(svg);
}

/* The unit that draw.sh knows a problem by is the problem's. */
TEST(test_units) {
    for (const struct problem *const *problem = problems; *problem; problem++) {
        char axis[64];
        FILE *file = open_record("own.csv");
        write_row(file,
                  (struct written){"b", "40_sums", "plain", 1024, 10, PLAIN, (*problem)->name});
        write_row(file,
                  (struct written){"b", "40_sums", "wide", 1024, 20, PLAIN, (*problem)->name});
        fclose(file);
        draw();
        char *svg = read_text("out/variants-40.svg");
        snprintf(axis, sizeof axis, ">billion %s per second (G/s)<", (*problem)->unit);
        assert_non_null(strstr(svg, axis));
        free(svg);
    }
}

GROUP(make_tree, end_folder)
