/* The band of other machines behind the ladder: the rows that it is made of, and no others; and
 * estimates in their place. Run from the repository's root. */
#include "testing.h"
#include "drawn_record.h"

/* What other machines' records hold of 04_soa. The drawn bands are 45 to 950 at 30000, and 610 at
 * 65536; every other row would move one of them, or add one. */
static const struct {
    const char *machine;
    struct written row;
} others[] = {
    {"slow", {"s", "04_soa", "256", 30000, 45, PLAIN}},
    /* There for a comparison only. */
    {"slow", {"t", "04_soa", "256", 30000, 12, "accepted", "", "", "solution", "referee", 1, ""}},
    {"fast", {"f", "04_soa", "256", 30000, 800, PLAIN}},
    {"fast", {"g", "04_soa", "256", 30000, 950, PLAIN}},
    {"fast",
     {"g", "04_soa", "256", 30000, 4000, "accepted", "", "", "student", "referee", 1, "1e-5"}},
    {"fast",
     {"g", "04_soa", "256", 30000, 4000, "accepted", "", "", "solution", "device", 1, "1e-5"}},
    {"fast",
     {"g", "04_soa", "256", 30000, 4000, "accepted", "", "", "solution", "referee", 2, "1e-5"}},
    {"fast", {"g", "04_soa", "1024", 30000, 4000, PLAIN}},
    {"fast", {"g", "04_soa", "256", 4096, 4000, PLAIN}},
    {"fast", {"g", "04_soa", "256", 65536, 610, PLAIN}},
    /* Another variant, a step that the own record has not, a size that it has not. */
    {"idle", {"i", "04_soa", "128", 30000, 4000, PLAIN}},
    {"idle", {"j", "04_soa", "256", 4096, 4000, PLAIN}},
    {"idle", {"i", "03_cuda_naive", "256", 30000, 4000, PLAIN}},
    /* The record that is drawn. */
    {"own", {"o", "04_soa", "256", 30000, 4000, PLAIN}},
};

static void write_others(void) {
    static const char *const machines[] = {"slow", "fast", "idle", "own"};
    for (int m = 0; m < 4; m++) {
        char name[64];
        run("mkdir -p $D/docs/results/empty $D/docs/results/%s", machines[m]);
        snprintf(name, sizeof name, "docs/results/%s/%s.csv", machines[m], machines[m]);
        FILE *file = open_record(name);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (strcmp(others[i].machine, machines[m]) == 0)
                write_row(file, others[i].row);
        fclose(file);
    }
}

static void write_own(void) {
    FILE *file = open_record("own.csv");
    for (int size = 0; size < 2; size++) {
        write_row(file, (struct written){"b", "01_serial", "gcc", sizes[size], 0.5, PLAIN});
        write_row(file, (struct written){"b", "04_soa", "256", sizes[size], 223, PLAIN});
        write_row(file, (struct written){"b", "04_soa", "1024", sizes[size], 180, PLAIN});
    }
    fclose(file);
}

/* The rates that bands reach from and to, by the ladder's axis, from the top down. */
static int read_bands(const char *svg, double low[], double high[]) {
    struct picture ladder;
    int count = 0;
    read_picture(svg, &ladder);
    assert_true(ladder.x_tics >= 2);
    for (const char *p = svg; (p = strstr(p, "<polygon fill = 'rgb(243, 223, 162)'")); p++) {
        double from, to;
        assert_true(count < MOST);
        p = strstr(p, "points");
        assert_int_equal(sscanf(p, "points = '%lf,%*f %lf,%*f", &from, &to), 2);
        low[count] = value_at(ladder.x, from);
        high[count++] = value_at(ladder.x, to);
    }
    return count;
}

TEST(test_band) {
    double low[MOST], high[MOST];
    write_own();
    write_others();
    draw();
    char *svg = read_text("out/ladder.svg");
    assert_int_equal(read_bands(svg, low, high), 2);
    assert_true(near(low[0], 45) && near(high[0], 950));
    assert_true(near(low[1], 610) && near(high[1], 610));
    assert_non_null(strstr(svg, ">other machines: fast, slow<"));
    free(svg);
}

TEST(test_no_band) {
    double low[MOST], high[MOST];
    write_own();
    write_others();
    run("rm -r $D/docs/results/fast $D/docs/results/slow");
    draw();
    char *svg = read_text("out/ladder.svg");
    assert_int_equal(read_bands(svg, low, high), 0);
    assert_null(strstr(svg, "other machines"));
    free(svg);
}

/* A step that was not timed has the last estimate of its default variant as a mark of its own, with
 * what other machines measured behind it; one that was timed has none. */
TEST(test_estimates) {
    struct picture picture;
    double low[MOST], high[MOST];
    int found = 0;
    write_own();
    run("rm -r $D/docs; mkdir -p $D/docs/results/fast");
    FILE *file = open_record("docs/results/fast/fast.csv");
    write_row(file, (struct written){"g", "05_tiling", "plain", 8192, 900, PLAIN});
    fclose(file);
    write_text("own-facts.csv", FACTS_HEADER "\n"
                                             "a,05_tiling,plain,estimated_gps_4096,100,G/s,h200\n"
                                             "b,05_tiling,plain,estimated_gps_8192,512,G/s,h200\n"
                                             "b,05_tiling,other,estimated_gps_8192,2048,G/s,h200\n"
                                             "b,04_soa,plain,estimated_gps_8192,222,G/s,h200\n");
    draw();
    char *svg = read_text("out/ladder.svg");
    read_picture(svg, &picture);
    assert_int_equal(picture.marks, 2 * 2 + 1);
    for (int k = 0; k < picture.marks; k++)
        found += !strcmp(picture.mark[k].text, "estimated, H200") &&
                 near(value_at(picture.x, picture.mark[k].x), 512) &&
                 !strcmp(picture.label[k].text, "512, n = 8192");
    assert_int_equal(found, 1);
    assert_int_equal(read_bands(svg, low, high), 1);
    assert_true(near(low[0], 900) && near(high[0], 900));
    free(svg);
    run("sed -i '/,01_serial,/d; s/,cuda,/,cpucuda,/' $D/own.csv");
    draw(); /* nothing was timed */
    svg = read_text("out/ladder.svg");
    read_picture(svg, &picture);
    assert_int_equal(picture.marks, 2);
    assert_null(strstr(svg, ">measured limit<"));
    free(svg);
    write_own();
    run("rm $D/own-facts.csv");
    draw();
    svg = read_text("out/ladder.svg");
    assert_null(strstr(svg, "estimated"));
    free(svg);
}

static void write_sizes(const char *name, double rate, int leave_out) {
    FILE *file = open_record(name);
    for (int n = 4096; n <= 65536; n *= 2)
        if (n != leave_out)
            write_row(file, (struct written){"s", "12_float4", "float4", n, rate * n, PLAIN});
    fclose(file);
}

/* Behind the rate over n: from half of the own rate to twice it, but for one size that the fast
 * machine has not. */
TEST(test_sizes) {
    struct picture picture;
    int lines = 0;
    run("rm -r $D/docs; mkdir -p $D/docs/results/slow $D/docs/results/fast");
    write_sizes("own.csv", 0.01, 0);
    write_sizes("docs/results/slow/slow.csv", 0.005, 0);
    write_sizes("docs/results/fast/fast.csv", 0.02, 16384);
    draw();
    char *svg = read_text("out/sizes.svg");
    assert_non_null(strstr(svg, ">other machines: fast, slow<"));
    read_picture(svg, &picture);
    for (char *p = svg; (p = strstr(p, "<path stroke='rgb(243, 223, 162)'  d='M")); p++) {
        char *point = strchr(p, 'M'), *end = strchr(point, '/');
        double y, points[5];
        int count = 0;
        for (; count < 5 && point && point < end; point = strchr(point + 1, 'L'))
            if (sscanf(point + 1, "%*f,%lf", &y) == 1)
                points[count++] = value_at(picture.y, y);
        if (count < 5) /* the key */
            continue;
        lines++;
        for (int k = 0; k < 5; k++)
            assert_true(near(points[k], (4096 << k) * (lines == 1 || k == 2 ? 0.005 : 0.02)));
    }
    assert_int_equal(lines, 2);
    free(svg);
}

TEST(test_damaged) {
    write_own();
    write_others();
    run("echo damaged >$D/docs/results/idle/idle.csv");
    need_gnuplot();
    assert_int_not_equal(run("$D/common/report/pictures/draw.sh $D/own.csv $D/out"), 0);
    char *said = read_text("said");
    assert_non_null(strstr(said, "idle.csv has another header than this version's\n"));
    free(said);
}

GROUP(make_tree, end_folder)
