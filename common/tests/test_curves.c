/* The pictures of decimals, of rate over n, of copy bandwidth and of predicted ratios: each shows
 * the numbers of the record's right rows, and no others. Run from the repository's root. */
#include "testing.h"
#include "curves_record.h"

#define RSQRT     "0:16:0:200:1900:21500:122300:11000:218:39474"
#define BEFORE    "0:0:9:180:1800:22500:129000:12000:240:30879"
#define HALF      "30:41000:117600:29500:7000:1200:200:20:0:58"
#define HALF2     "2:8:90:1900:24500:122300:30000:4000:300:13508"
#define OF_30000  "1:2:3:4:5:6:7:8:9:89955"
#define OF_131072 "0:0:0:0:2:17:93000:1000:2000:297197"

/* Run b is the one to draw; the last run has too little for any of these pictures. 09 gives what 08
 * does, 10 builds on 09 and is expected to be rejected, 11 has nothing to be put beside. */
static const struct line decimal_lines[] = {
    {"b", "07_device", "16", "solution", 30000, 9.5, 0, 0, "accepted", OF_30000},
    {"b", "07_device", "16", "solution", 65536, 9.5, 0, 0, "accepted", BEFORE},
    {"b", "07_device", "8", "solution", 65536, 9.5, 0, 0, "accepted", HALF2},
    {"b", "11_alone", "16", "solution", 65536, 9.5, 0, 0, "accepted", HALF2},
    {"a", "08_rsqrt", "16", "solution", 65536, 9.5, 0, 0, "accepted", HALF},
    {"b", "08_rsqrt", "16", "solution", 30000, 9.5, 0, 0, "accepted", OF_30000},
    {"b", "08_rsqrt", "16", "solution", 65536, 9.5, 0, 0, "accepted", RSQRT},
    {"b", "08_rsqrt", "8", "solution", 65536, 9.5, 0, 0, "accepted", HALF2},
    {"b", "08_rsqrt", "16", "solution", 131072, 9.5, 0, 0, "accepted", OF_131072},
    {"b", "09_ftz", "16", "solution", 65536, 9.5, 0, 0, "accepted", RSQRT},
    {"b", "09_ftz", "16", "solution", 30000, 9.5, 0, 0, "accepted", OF_30000},
    {"b", "10_fp16", "seed", "solution", 65536, 9.5, 0, 0, "decimals:busy", HALF},
    {"b", "10_fp16", "pure_half", "solution", 65536, 9.5, 0, 0, "not-finite", ""},
    {"b", "10_fp16", "half2", "solution", 65536, 9.5, 0, 0, "accepted", HALF2},
    {"c", "08_rsqrt", "16", "solution", 65536, 9.5, 0, 0, "accepted", ""},
    {"c", "08_rsqrt", "16", "student", 65536, 9.5, 0, 0, "accepted", HALF2},
};

static const struct line size_lines[] = {
    {"a", "12_float4", "float4", "solution", 30000, 7.5, 9.5, 0, "accepted", ""},
    {"a", "12_float4", "float4", "solution", 65536, 7.5, 9.5, 0, "accepted", ""},
    {"a", "12_float4", "float4", "solution", 131072, 7.5, 9.5, 0, "accepted", ""},
    {"a", "11_before", "x", "solution", 1024, 7.5, 9.5, 0, "accepted", ""},
    {"a", "11_before", "x", "solution", 2048, 7.5, 9.5, 0, "accepted", ""},
    {"a", "11_before", "x", "solution", 4096, 7.5, 9.5, 0, "accepted", ""},
    {"a", "11_before", "x", "solution", 8192, 7.5, 9.5, 0, "accepted", ""},
    {"b", "12_float4", "float4", "solution", 30000, 1290, 2300, 0, "accepted", ""},
    {"b", "12_float4", "float4", "solution", 131072, 1777, 2450, 0, "accepted", ""},
    {"b", "12_float4", "soa", "solution", 30000, 1234, 2300, 0, "accepted", ""},
    {"b", "12_float4", "float4", "solution", 65536, 1800, 2400, 0, "accepted", ""},
    {"b", "12_float4", "float4", "student", 131072, 2222, 2400, 0, "accepted", ""},
    {"b", "12_float4", "float4", "solution", 1024, 90.7, 2000, 0, "accepted:busy", ""},
    {"b", "12_float4", "float4", "solution", 32768, 1350, 2350, 0, "accepted", ""},
    {"b", "12_float4", "float4", "solution", 1048576, 2100, 0, 0, "accepted", ""},
    {"b", "09_ftz", "16", "solution", 1024, 7.5, 9.5, 0, "accepted", ""},
    {"b", "09_ftz", "16", "solution", 2048, 7.5, 9.5, 0, "accepted", ""},
    {"b", "09_ftz", "16", "solution", 4096, 7.5, 9.5, 0, "accepted", ""},
    {"b", "09_ftz", "16", "solution", 8192, 7.5, 9.5, 0, "accepted", ""},
};

/* The catalogue of this test: third and fourth build on second. */
static const char catalogue[] = "01_first\tI\tnbody\tnbody.cu\t-\taccepted\t1\tt\n"
                                "02_second\tI\tnbody\tnbody.cu\t01_first\taccepted\t1\tt\n"
                                "03_third\tI\tnbody\tnbody.cu\t02_second\taccepted\t1\tt\n"
                                "04_fourth\tI\tnbody\tnbody.cu\t02_second\taccepted\t1\tt\n"
                                "05_uncounted\tI\tnbody\tnbody.cu\t04_fourth\taccepted\t1\tt\n"
                                "08_rsqrt\tI\tnbody\tnbody.cu\t07_device\taccepted\t1\tt\n"
                                "09_ftz\tI\tnbody\tnbody.cu\t08_rsqrt\taccepted\t1\tt\n"
                                "10_fp16\tI\tnbody\tnbody.cu\t09_ftz\tdecimals\t1\tt\n"
                                "11_alone\tI\tnbody\tnbody.cu\t05_uncounted\taccepted\t1\tt\n";

static const struct line ratio_lines[] = {
    {"a", "03_third", "16", "solution", 30000, 9.5, 0, 6, "accepted", ""},
    {"a", "04_fourth", "16", "solution", 30000, 9.5, 0, 6, "accepted", ""},
    {"b", "01_first", "16", "solution", 30000, 9.5, 0, 45, "accepted", ""},
    {"b", "02_second", "16", "solution", 30000, 9.5, 0, 2.71, "accepted", ""},
    {"b", "02_second", "8", "solution", 30000, 9.5, 0, 5.4, "accepted", ""},
    {"b", "02_second", "16", "solution", 65536, 9.5, 0, 2.43, "accepted", ""},
    {"b", "03_third", "16", "solution", 30000, 9.5, 0, 1.22, "accepted", ""},
    {"b", "03_third", "16", "solution", 65536, 9.5, 0, 1.53, "decimals", ""},
    {"b", "04_fourth", "16", "solution", 65536, 9.5, 0, 0.83, "accepted", ""},
    {"b", "05_uncounted", "16", "solution", 65536, 9.5, 0, 7, "idea", ""},
    {"c", "03_third", "16", "solution", 30000, 9.5, 0, 6, "accepted", ""},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static double linear(const struct tic *tic, double at) {
    return tic[0].value +
           (at - tic[0].at) * (tic[1].value - tic[0].value) / (tic[1].at - tic[0].at);
}

/* The top of the bar around x, in percent; 0 if there is none. */
static double bar_at(double x) {
    double left, y, right, y2, top;

    for (const char *p = svg; (p = strstr(p, "points = '")); p++)
        if (sscanf(p, "points = '%lf,%lf %lf,%lf %*f,%lf", &left, &y, &right, &y2, &top) == 5 &&
            left < x && right > x && inside(&picture, x, top)) {
            assert_true(fabs((left + right) / 2 - x) < 2);
            return linear(picture.y, top);
        }
    return 0;
}

/* Bars and numbers of one of `series` histograms stand where the counts want them. */
static void expect_bars(const char *counts, int n, int which, int series) {
    const char *p = counts;

    for (int k = 1; k <= 10; k++, p = strchr(p, ':') ? strchr(p, ':') + 1 : "") {
        double percent = 100 * atof(p) / (3.0 * n);
        double at = k + (which - (series + 1) / 2.0) * 0.84 / series;
        double x = picture.left + (picture.right - picture.left) * (at - 0.5) / 10;
        int found = 0;

        assert_true(fabs(bar_at(x) - percent) < 0.2);
        for (int i = 0; i < picture.labels; i++) {
            const struct place *label = &picture.label[i];

            if (fabs(label->x - x) < 12 && fabs(linear(picture.y, label->y) - percent) < 6) {
                found++;
                assert_true(fabs(atof(label->text) - percent) <= 0.05 * percent);
                assert_int_equal(strcmp(label->text, "0") == 0, percent == 0);
            }
        }
        assert_int_equal(found, 1);
    }
}

TEST(test_decimals) {
    begin(decimal_lines, COUNT(decimal_lines));
    draw();
    look("decimals-08");
    assert_named("Share of the coordinates of 08_rsqrt");
    assert_int_equal(occurrences(svg, "08_rsqrt,  n = 65536,  cuda"), 1);
    expect_bars(BEFORE, 65536, 1, 2);
    expect_bars(RSQRT, 65536, 2, 2);
    assert_int_equal(occurrences(svg, ">07_device<"), 2); /* in the key, and as the series' title */
    assert_int_equal(occurrences(svg, ">08_rsqrt<"), 2);
    assert_int_equal(occurrences(svg, "No counts"), 0);
    assert_false(is_drawn("decimals-07"));
    assert_false(is_drawn("decimals-09"));
    assert_false(is_drawn("decimals-11"));
    look("decimals-10");
    expect_bars(RSQRT, 65536, 1, 3);
    expect_bars(HALF, 65536, 2, 3);
    expect_bars(HALF2, 65536, 3, 3);
    assert_int_equal(occurrences(svg, ">09_ftz<"), 2);
    assert_int_equal(occurrences(svg, ">seed (verdict: decimals)<"), 2);
    assert_int_equal(occurrences(svg, ">half2<"), 2);
    assert_int_equal(occurrences(svg, ">No counts: pure_half (verdict: not-finite)<"), 1);
}

TEST(test_sizes) {
    begin(size_lines, COUNT(size_lines));
    draw();
    look("sizes");
    assert_named("Rate of the last step");
    assert_int_equal(occurrences(svg, "12_float4,  variant float4"), 1);
    assert_int_equal(occurrences(svg, ">* verdict: accepted:busy<"), 1);
    assert_true(picture.x_tics >= 2 && picture.y_tics >= 2);
    int marks = 0;
    for (int i = 0; i < COUNT(size_lines); i++) {
        const struct line *line = &size_lines[i];
        int is_main = line->n == 30000 || line->n == 65536 || line->n == 131072, found = 0;
        char text[16];

        if (line->run[0] != 'b' || strcmp(line->variant, "float4") || line->source[1] != 'o')
            continue;
        marks++;
        snprintf(text, sizeof text, line->rate < 100 ? "%.1f*" : "%.0f", line->rate);
        for (int k = 0; k < picture.marks; k++)
            found += near(value_at(picture.x, picture.mark[k].x), line->n) &&
                     near(value_at(picture.y, picture.mark[k].y), line->rate) &&
                     (picture.mark[k].text[0] == 'n') == is_main;
        assert_int_equal(found, 1);
        found = 0;
        for (int k = 0; k < picture.labels; k++)
            found += near(value_at(picture.x, picture.label[k].x), line->n) &&
                     strcmp(picture.label[k].text, text) == 0;
        assert_int_equal(found, 1);
        if (line->limit > 0)
            assert_int_equal(points_on("measured limit", line->n, line->limit), 1);
    }
    assert_int_equal(picture.marks, marks);
    assert_int_equal(picture.labels, marks);
}

/* Whether a line from top to bottom stands where 24 n bytes are, with its name beside. */
static int is_marked(int n) {
    char text[32];
    double x, y, x2, y2;
    int found = 0;

    snprintf(text, sizeof text, "24 n, n = %d", n);
    for (int k = 0; k < picture.labels; k++)
        if (strcmp(picture.label[k].text, text) == 0)
            for (const char *p = svg; (p = strchr(p, 'M')); p++)
                found += sscanf(p, "M%lf,%lf L%lf,%lf ", &x, &y, &x2, &y2) == 4 && x == x2 &&
                         fabs(fabs(y - y2) - (picture.bottom - picture.top)) < 1 &&
                         fabs(x - picture.label[k].x) < 20 &&
                         near(value_at(picture.x, x), 24.0 * n);
    return found == 1;
}

TEST(test_copies) {
    static const char *const names[] = {"in_pinned", "out_pinned", "in_pageable", "out_pageable"};
    static const char *const titles[] = {"in, pinned", "out, pinned", "in, pageable",
                                         "out, pageable"};
    static const double sizes[] = {65536, 1048576, 1500000};
    static const double rates[4][3] = {
        {8e9, 42e9, 55.5e9}, {11e9, 36e9, 52.5e9}, {4e9, 14e9, 15.5e9}, {0, 12e9, 17.5e9}};
    char name[64];

    begin(size_lines, COUNT(size_lines));
    say_fact("a", "", "", "copy_in_pinned_4096", 3e9);
    say_fact("b", "", "", "copy_in_pinned", 3e9);
    say_fact("b", "", "", "ceiling_gpu_copy_in_pinned", 3e9);
    for (int k = 0; k < 4; k++)
        for (int s = 2; s >= 0; s--) {
            if (rates[k][s] == 0)
                continue;
            snprintf(name, sizeof name, "copy_%s_%.0f", names[k], sizes[s]);
            say_fact("b", "", "", name, rates[k][s]);
        }
    draw();
    look("copies");
    assert_named("Bandwidth of copies");
    assert_true(picture.y_tics >= 2);
    /* The first and the last tic say 64 KiB and 1 MiB or more. */
    picture.x[0].value *= 1024;
    picture.x[1].value *= picture.x[1].value < 64 ? 1048576 : 1024;
    for (int k = 0; k < 4; k++)
        for (int s = 0; s < 3; s++) {
            int found = 0;

            for (int m = 0; m < picture.marks; m++)
                found += strcmp(picture.mark[m].text, titles[k]) == 0 &&
                         near(value_at(picture.x, picture.mark[m].x), sizes[s]) &&
                         near(value_at(picture.y, picture.mark[m].y), rates[k][s] / 1e9);
            assert_int_equal(found, rates[k][s] > 0);
        }
    assert_int_equal(picture.marks, 11);
    assert_int_equal(occurrences(svg, ">55.5<"), 1);
    assert_int_equal(occurrences(svg, ">52.5<"), 1);
    assert_int_equal(occurrences(svg, ">15.5<"), 1);
    assert_int_equal(occurrences(svg, ">17.5<"), 1);
    assert_true(is_marked(30000) && is_marked(65536));
    assert_false(is_marked(131072));
}

/* How many points, or predicted lines, stand at a ratio in a step's row. */
static int points_at(int row, int rows, const char *title, double ratio) {
    double height = (picture.bottom - picture.top) / rows, top = picture.top + (row - 1) * height;
    int found = 0;

    for (int k = 0; k < picture.marks; k++)
        found += strcmp(picture.mark[k].text, title) == 0 && picture.mark[k].y > top &&
                 picture.mark[k].y < top + height &&
                 near(value_at(picture.x, picture.mark[k].x), ratio);
    return found;
}

static int lines_at(int row, int rows, double ratio) {
    double height = (picture.bottom - picture.top) / rows, top = picture.top + (row - 1) * height;
    const char *from = strstr(svg, "<title>predicted</title>"), *end;
    double x, y, x2, y2;
    int found = 0;

    assert_non_null(from);
    end = strstr(from + 1, "<title>");
    for (const char *p = from; p < end; p++)
        found += sscanf(p, "M%lf,%lf L%lf,%lf", &x, &y, &x2, &y2) == 4 && x == x2 && y > top &&
                 y2 < top + height && near(value_at(picture.x, x), ratio);
    return found;
}

TEST(test_predicted) {
    begin(ratio_lines, COUNT(ratio_lines));
    say_fact("a", "02_second", "16", "ncu_slots", 99);
    say_fact("a", "01_first", "16", "ncu_slots", 40);
    say_fact("b", "02_second", "16", "ncu_slots", 16);
    say_fact("b", "02_second", "8", "ncu_slots", 38);
    say_fact("b", "02_second", "16", "slots_sm_90", 17);
    say_fact("b", "03_third", "16", "ncu_slots", 12.8);
    say_fact("b", "04_fourth", "16", "ncu_slots", 21.4);
    draw();
    look("predicted");
    assert_named("Ratio of each CUDA step");
    assert_true(picture.x_tics >= 2);
    assert_int_equal(lines_at(1, 3, 40.0 / 16), 1);
    assert_int_equal(lines_at(2, 3, 16 / 12.8), 1);
    assert_int_equal(lines_at(3, 3, 16 / 21.4), 1);
    assert_int_equal(points_at(1, 3, "n = 30000", 2.71), 1);
    assert_int_equal(points_at(1, 3, "n = 65536", 2.43), 1);
    assert_int_equal(points_at(2, 3, "n = 30000", 1.22), 1);
    assert_int_equal(points_at(2, 3, "n = 65536", 1.53), 1);
    assert_int_equal(points_at(3, 3, "n = 65536", 0.83), 1);
    assert_int_equal(picture.marks, 5);
    static const char *const texts[] = {">2.50<", ">1.25<",  ">0.75<", ">2.71<",
                                        ">2.43<", ">1.53*<", ">1.22<", ">0.83<"};
    for (int i = 0; i < COUNT(texts); i++)
        assert_int_equal(occurrences(svg, texts[i]), 1);
    assert_int_equal(occurrences(svg, "01_first"), 0);
    assert_int_equal(occurrences(svg, "05_uncounted"), 0);
    assert_int_equal(occurrences(svg, ">* verdict: decimals<"), 1);
}

/* A record without rows for them has none of these pictures, and the others stay as they are. */
TEST(test_no_rows) {
    static const struct line lines[] = {
        {"b", "03_third", "16", "solution", 30000, 9.5, 20.5, 1.2, "accepted", ""},
        {"b", "04_fourth", "16", "solution", 30000, 9.5, 20.5, 1.3, "accepted", ""},
    };
    static const char *const names[] = {"decimals-03", "decimals-04", "sizes",     "copies",
                                        "predicted",   "roofline",    "intensity", "crossing"};

    begin(lines, COUNT(lines));
    draw();
    for (int i = 0; i < COUNT(names); i++)
        assert_false(is_drawn(names[i]));
    say_fact("b", "03_third", "16", "ncu_slots", 12);
    draw();
    for (int i = 0; i < COUNT(names); i++)
        assert_false(is_drawn(names[i]));
    assert_true(is_drawn("ladder"));
}

static int set_up(void **state) {
    (void)state;
    return make_drawing(catalogue);
}

GROUP(set_up, end_folder)
