/* The pictures of a record: every mark stands where its row says, and no other row has one. Run
 * from the repository's root. */
#include "testing.h"
#include "record_files.h"
#include "scratch.h"
#include "svg_picture.h"

struct shown {
    const char *run, *backend, *step, *variant, *source;
    int n, iterations, threads;
    double rate, limit; /* G/s; a rate of 0 leaves all figures of speed empty */
    const char *verdict, *clock;
    int place;           /* of its step in the ladder, from 1; 0: not drawn there */
    const char *label;   /* its text in the ladder */
    const char *speedup; /* its text in the scaling picture; 0: not drawn there */
};

#define FINE "accepted", "referee"

/* No two drawn rates of a step are within 2% of each other. */
static struct shown rows[] = {
    {"a", "cpu", "01_serial", "gcc", "solution", 30000, 1, 1, 777, 900, FINE, 0, 0, 0},
    {"b", "cpucuda", "01_serial", "gcc", "solution", 30000, 1, 4, 0, 0, "accepted", "", 0, 0, 0},
    {"b", "cpu", "01_serial", "gcc", "solution", 30000, 1, 1, 0.523, 0.95, FINE, 1, "0.52", 0},
    {"b", "cpu", "01_serial", "gcc", "solution", 65536, 1, 1, 0.57, 0.95, FINE, 1, "0.57", 0},
    {"b", "cpu", "01_serial", "clang", "solution", 30000, 1, 1, 1.83, 3, FINE, 0, 0, 0},
    {"b", "cpu", "01_serial", "gcc", "student", 30000, 1, 1, 333, 0.95, FINE, 1, "333", 0},
    {"b", "cpu", "02_openmp", "static", "solution", 30000, 10, 8, 3.91, 7, FINE, 2, "3.91", "7.52"},
    {"b", "cpu", "02_openmp", "guided", "solution", 30000, 10, 8, 3.5, 7, FINE, 0, 0, 0},
    {"b", "cpu", "02_openmp", "static", "solution", 30000, 1, 1, 0.52, 0.95, FINE, 0, 0, "1.00"},
    {"b", "cpu", "02_openmp", "static", "solution", 30000, 10, 2, 1.02, 1.9, FINE, 0, 0, "1.96"},
    {"b", "cpu", "02_openmp", "static", "solution", 30000, 10, 4, 2.04, 3.8, FINE, 0, 0, "3.92"},
    {"b", "cpu", "02_openmp", "static", "student", 30000, 10, 4, 1.2, 3.8, FINE, 2, "1.20", 0},
    {"b", "cuda", "03_cuda_naive", "1024", "solution", 30000, 10, 1, 124, 900, FINE, 3, "124", 0},
    {"b", "cuda", "03_cuda_naive", "1024", "solution", 30000, 10, 1, 160, 900, "accepted", "device",
     0, 0, 0},
    {"b", "cuda", "03_cuda_naive", "1024", "solution", 65536, 10, 1, 315, 0, FINE, 3, "315", 0},
    {"b", "cuda", "04_soa", "soa", "solution", 30000, 10, 1, 0, 900, "crashed", "referee", 0, 0, 0},
    {"b", "cuda", "04_soa", "aos", "solution", 30000, 10, 1, 444, 900, FINE, 0, 0, 0},
    {"b", "cuda", "12_float4", "float4", "solution", 30000, 10, 1, 1371, 2480, "decimals",
     "referee", 4, "1371*", 0},
    {"b", "cuda", "12_float4", "float4", "solution", 65536, 10, 1, 2116, 2480, FINE, 4, "2116", 0},
};
#define ROWS (sizeof rows / sizeof rows[0])
enum { STEPS = 4 };

static FILE *open_file(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

static void print_row(FILE *file, const struct shown *row) {
    double seconds =
        row->rate > 0 ? (double)row->n * row->n * row->iterations / row->rate / 1e9 : 0;
    fprintf(file, "2025-01-02T03:04:05Z,c,host,cpu & <co>,gpu's,,gcc,-O3,%s,I,%s,%s,%s,%d,%d,10,",
            row->backend, row->step, row->variant, row->source, row->n, row->iterations);
    if (row->rate > 0)
        fprintf(file, "%.9g,%.9g,%.9g,%.9g,0.5,20,2,", seconds, seconds / 2, seconds * 2,
                row->rate);
    else
        fprintf(file, ",,,,,,,");
    fprintf(file, "4,1e-6,1e-5,1e-4,%s,%s,nbody,uniform,1,%d,%s,1980,issue,", row->verdict,
            row->run, row->threads, row->clock);
    if (row->limit > 0)
        fprintf(file, "%g", row->limit);
    fprintf(file, ",,\n");
}

static void write_record(size_t count, const struct shown *last) {
    FILE *file = open_file("record.csv");
    fputs(ROWS_HEADER "\n", file);
    for (size_t i = 0; i < count; i++)
        print_row(file, &rows[i]);
    if (last)
        print_row(file, last);
    fclose(file);
}

static int draw(void) {
    return run("common/report/pictures/draw.sh $D/record.csv $D/out");
}

static void draw_rows(void) {
    need_gnuplot();
    write_record(ROWS, NULL);
    assert_int_equal(draw(), 0);
}

/* How many marks of a row's size stand at a value, with its text beside: mark k has label k. */
static int marks_of(const struct picture *picture, const struct shown *row, double value,
                    double from_x, double to_x, const char *text) {
    char size[32];
    snprintf(size, sizeof size, "n = %d", row->n);
    int found = 0;
    for (int k = 0; k < picture->marks; k++) {
        const struct place *mark = &picture->mark[k], *label = &picture->label[k];
        found += mark->x > from_x && mark->x < to_x && near(value_at(picture->y, mark->y), value) &&
                 strstr(mark->text, size) && strcmp(label->text, text) == 0 &&
                 fabs(label->x - mark->x) < 30 && fabs(label->y - mark->y) < 25;
    }
    return found;
}

/* The line of a row in the ladder: by steps, sizes and programs, half a line between steps. */
static double line_of(const struct shown *row) {
    double line = 0.5 * (row->place - 1);
    for (size_t i = 0; i < ROWS; i++) {
        const struct shown *other = &rows[i];
        if (other->place && (other->place < row->place ||
                             (other->place == row->place &&
                              (other->n < row->n ||
                               (other->n == row->n && other != row && other->source[1] == 'o')))))
            line++;
    }
    return line;
}

/* Every row of the ladder has a mark on its line, at its rate, with its value on the left, and a
 * limit; and there is nothing else. */
static void check_ladder(void) {
    struct picture picture;
    read_picture(read_text("out/ladder.svg"), &picture);
    assert_true(picture.x_tics >= 2);
    int marks = 0, limits = 0;
    for (size_t i = 0; i < ROWS; i++)
        marks += rows[i].place > 0;
    for (size_t i = 0; i < ROWS; i++) {
        char title[32];
        if (!rows[i].place)
            continue;
        snprintf(title, sizeof title, "n = %d%s", rows[i].n,
                 rows[i].source[1] == 't' ? ", yours" : "");
        double y = picture.top + (line_of(&rows[i]) + 0.75) / (marks + 0.5 * STEPS + 0.5) *
                                     (picture.bottom - picture.top);
        int found = 0, lines = 0;
        for (int k = 0; k < picture.marks; k++) {
            const struct place *mark = &picture.mark[k], *label = &picture.label[k];
            found += fabs(mark->y - y) < 2 && near(value_at(picture.x, mark->x), rows[i].rate) &&
                     !strcmp(mark->text, title) && !strcmp(label->text, rows[i].label) &&
                     fabs(label->y - mark->y) < 6 && label->x < mark->x && label->x > mark->x - 12;
        }
        if (found != 1)
            fail_msg("%s at %d: %d marks", rows[i].step, rows[i].n, found);
        for (int k = 0; k < picture.limits; k++)
            lines += fabs(picture.limit[k].y - y) < 9 &&
                     near(value_at(picture.x, picture.limit[k].x), rows[i].limit);
        assert_int_equal(lines, rows[i].limit > 0);
        limits += lines;
    }
    assert_int_equal(picture.marks, marks);
    assert_int_equal(picture.labels, marks);
    assert_int_equal(picture.limits, limits);
}

TEST(test_ladder) {
    draw_rows();
    check_ladder();
    char *svg = read_text("out/ladder.svg");
    assert_non_null(strstr(svg, "cpu &amp; &lt;co>  +  gpu's"));
    assert_non_null(strstr(svg, "2025-01-02T03:04:05Z"));
    assert_non_null(strstr(svg, "* verdict: decimals"));
    assert_non_null(strstr(svg, "<desc>Rate of every step"));
}

static void check_scaling(void) {
    struct picture picture;
    read_picture(read_text("out/scaling.svg"), &picture);
    assert_true(picture.y_tics >= 2 && picture.x_tics >= 2);
    int marks = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (!rows[i].speedup)
            continue;
        marks++;
        double speedup = atof(rows[i].speedup);
        assert_int_equal(marks_of(&picture, &rows[i], speedup, 0, 1e9, rows[i].speedup), 1);
        int found = 0;
        for (int k = 0; k < picture.marks; k++)
            found += near(value_at(picture.x, picture.mark[k].x), rows[i].threads) &&
                     near(value_at(picture.y, picture.mark[k].y), speedup);
        assert_int_equal(found, 1);
    }
    assert_int_equal(picture.marks, marks);
    assert_int_equal(picture.labels, marks);
}

TEST(test_scaling) {
    draw_rows();
    check_scaling();
}

/* A run of one step at one size: the ladder has its new row in the place of the old one, and the
 * rows of the run before; the other pictures stay those of the run before. */
TEST(test_last_run) {
    need_gnuplot();
    struct shown kept = rows[3], last = rows[3];
    last.run = "c";
    last.rate = 0.61;
    write_record(ROWS, &last);
    run("rm -rf $D/out");
    assert_int_equal(draw(), 0);
    assert_int_equal(run("ls -A $D/out"), 0);
    assert_string_equal(read_text("said"),
                        "closing.svg\nladder.svg\nreport.html\nscaling.svg\nstep-02.svg\n"
                        "step-03.svg\nvariants-01.svg\nvariants-02.svg\n");
    rows[3].rate = 0.61;
    rows[3].label = "0.61";
    check_ladder();
    rows[3] = kept;
    check_scaling();
    char *svg = read_text("out/variants-01.svg");
    assert_int_equal(occurrences(svg, " x)</text>"), 2);
    assert_int_equal(occurrences(svg, ">0.52  (1.00 x)<"), 1);
    assert_int_equal(occurrences(svg, ">1.83  (3.50 x)<"), 1);
    svg = read_text("out/variants-02.svg");
    assert_int_equal(occurrences(svg, " x)</text>"), 2);
    assert_int_equal(occurrences(svg, ">3.91  (1.00 x)<"), 1);
    assert_int_equal(occurrences(svg, ">3.50  (0.90 x)<"), 1);
}

TEST(test_loop_times) {
    need_gnuplot();
    write_record(ROWS, NULL);
    write_text("record-facts.csv", "run,step,variant,name,value,unit,source\n"
                                   "a,02_openmp,static,force_seconds_n4096_t2,9,s,step\n"
                                   "b,,,ceiling_fma_1,0.95,G/s,referee\n"
                                   "b,02_openmp,static,force_seconds_n4096_t2,0.3,s,step\n"
                                   "b,02_openmp,static,position_seconds_n4096_t2,0.1,s,step\n"
                                   "b,02_openmp,static,force_seconds_n4096_t1,0.7,s,step\n");
    assert_int_equal(draw(), 0);
    check_scaling();
    assert_int_equal(occurrences(read_text("out/scaling.svg"), ">25% = 100 ms<"), 1);
    write_text("record-facts.csv", "run,step\n");
    assert_int_equal(draw(), 11);
    assert_int_equal(run("rm $D/record-facts.csv"), 0);
}

static void put_old_pictures(void) {
    run("rm -rf $D/out; mkdir $D/out");
    write_text("out/ladder.svg", "old");
    write_text("out/scaling.svg", "old");
    write_text("out/variants-01.svg", "old");
}

static void expect_old_pictures(void) {
    assert_string_equal(read_text("out/ladder.svg"), "old");
    assert_string_equal(read_text("out/scaling.svg"), "old");
    assert_string_equal(read_text("out/variants-01.svg"), "old");
    assert_int_equal(run("[ $(ls -A $D/out | grep -c svg) -eq 3 ]"), 0);
}

/* Times of the paper's kernels, beside the record, are drawn with it. */
TEST(test_times_beside) {
    need_gnuplot();
    write_record(ROWS, NULL);
    run("rm -rf $D/out; cp docs/results/h200/h200-times.tsv $D/record-times.tsv");
    assert_int_equal(draw(), 0);
    run("rm $D/record-times.tsv");
    assert_int_equal(run("test -s $D/out/model.svg && test -s $D/out/ratios.svg"), 0);
}

/* What is wrong with a record is test_report_page.c's. */
TEST(test_words) {
    write_record(ROWS, NULL);
    assert_int_equal(run("common/report/pictures/draw.sh $D/record.csv"), 3);
    assert_int_equal(run("common/report/pictures/draw.sh $D/record.csv $D/out ladder"), 3);
}

/* A PATH that holds all that the scripts use, but no gnuplot. */
TEST(test_without_gnuplot) {
    write_record(ROWS, NULL);
    put_old_pictures();
    assert_int_equal(
        run("mkdir -p $D/bin; for c in sh awk sed dirname basename head tail wc mktemp mkdir rm "
            "mv cp cat od; do ln -sf $(command -v $c) $D/bin; done"),
        0);
    assert_int_equal(
        run("PATH=$D/bin common/report/pictures/draw.sh $D/record.csv $D/out >$D/all && grep "
            "-v html $D/all"),
        0);
    assert_string_equal(read_text("said"), "gnuplot is not installed: no pictures\n");
    assert_int_equal(run("rm $D/out/report.html"), 0); /* needs none */
    expect_old_pictures();
    assert_int_equal(run("PATH=$D/bin common/report/pictures/draw.sh $D/no.csv $D/out timeline"),
                     0);
    assert_string_equal(read_text("said"), "gnuplot is not installed: no pictures\n");
    assert_int_equal(run("head -c 120 /dev/zero >$D/frames; echo 0 >$D/times; PATH=$D/bin "
                         "common/report/film/draw_film.sh $D/frames $D/times 10 $D/out"),
                     0);
    assert_string_equal(read_text("said"),
                        "gnuplot is not installed: film.png and film.gif are left out\n");
}

/* A gnuplot that fails half-way must not cost the picture that was there. */
TEST(test_gnuplot_fails) {
    write_record(ROWS, NULL);
    run("rm -rf $D/out $D/fail; mkdir -p $D/fail; printf '#!/bin/sh\\nexit 1\\n' >$D/fail/gnuplot; "
        "chmod +x $D/fail/gnuplot");
    put_old_pictures();
    assert_int_equal(run("PATH=$D/fail:$PATH common/report/pictures/draw.sh $D/record.csv $D/out"),
                     1);
    expect_old_pictures();
}

TEST(test_film) {
    enum { BODIES = 50, FRAMES = 13 };
    need_gnuplot();
    FILE *frames = open_file("frames"), *times = open_file("times");
    for (int k = 0; k < FRAMES; k++) {
        fprintf(times, "%g\n", 0.25 * k);
        for (int i = 0; i < 3 * BODIES; i++) {
            float x = (float)sin(i + 0.1 * k);
            fwrite(&x, sizeof x, 1, frames);
        }
    }
    fclose(frames);
    fclose(times);
    run("rm -rf $D/out");
    assert_int_equal(run("common/report/film/draw_film.sh $D/frames $D/times 50 $D/out"), 0);
    size_t size = 0;
    char path[128], *picture;
    snprintf(path, sizeof path, "%s/out/film.gif", folder);
    picture = read_file(path, &size);
    assert_memory_equal(picture, "GIF89a", 6);
    int shown = 0;
    for (size_t i = 0; i + 3 < size; i++)
        shown += memcmp(picture + i, "\x21\xf9\x04", 3) == 0;
    assert_int_equal(shown, FRAMES);
    assert_int_equal(run("[ $(wc -c <$D/out/film.png) -gt 8 ]"), 0);
    picture = read_text("out/film.png");
    assert_memory_equal(picture, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(run("common/report/film/draw_film.sh $D/frames $D/times 51 $D/out"), 13);
    assert_int_equal(
        run(": >$D/times; common/report/film/draw_film.sh $D/frames $D/times 50 $D/out"), 13);
    assert_int_equal(run("[ $(ls -A $D/out | wc -l) -eq 2 ]"), 0);
}

GROUP(make_scratch, end_folder)
