/* The rates over n of a step that has peers: a line each, of the newest rows, and the limit. Run
 * from the repository's root. */
#include "testing.h"
#include "curves_record.h"

static const char catalogue[] = "40_sums\tIII\treduce\treduce.cu\t-\taccepted\t1\tt\n";

#define ROW(run, variant, n, rate, limit, verdict, ...)                                            \
    { run, "40_sums", variant, "solution", n, rate, limit, 0, verdict, "", "reduce", __VA_ARGS__ }
#define ON_GPU "integers", "cuda", "device"
#define ON_CPU "integers", "cpu", "referee"

/* Rows of one line are of several runs, as are those of one size. */
static const struct line drawn[] = {
    ROW("a", "chosen", 1024, 0.3, 1000, "accepted", ON_GPU),
    ROW("b", "chosen", 1 << 28, 700, 1040, "accepted", ON_GPU),
    ROW("b", "chosen", 1 << 20, 150, 1020, "accepted:busy", ON_GPU),
    ROW("b", "atomics", 1024, 0.2, 1000, "accepted", ON_GPU),
    ROW("b", "atomics", 1 << 20, 90, 1020, "accepted", ON_GPU),
    ROW("a", "peer_cub", 1 << 20, 120, 1020, "accepted", ON_GPU),
    ROW("b", "peer_cub", 1 << 28, 1100, 1040, "accepted", ON_GPU),
    ROW("a", "peer_serial", 1024, 1.5, 5, "accepted", ON_CPU),
    ROW("b", "peer_serial", 1 << 28, 4, 5, "accepted", ON_CPU),
};

/* Written before those that are drawn: older rows, and what is of no line. */
static const struct line not_drawn[] = {
    ROW("a", "chosen", 1 << 28, 500, 900, "accepted", ON_GPU),
    ROW("a", "peer_cub", 1 << 28, 550, 900, "accepted", ON_GPU),
    ROW("a", "alone", 1 << 28, 50, 1040, "accepted", ON_GPU),
    ROW("b", "chosen", 4096, 0.7, 1020, "accepted", "integers", "cuda", "referee"),
    ROW("b", "chosen", 4096, 0, 0, "accepted", "integers", "cpucuda", ""),
    ROW("b", "chosen", 4096, 0.8, 1020, "accepted", "floats", "cuda", "device"),
    ROW("b", "peer_cub", 1024, 0.6, 1000, "accepted", "floats", "cuda", "device"),
    ROW("b", "peer_cub", 4096, 0.6, 1000, "accepted", "floats", "cuda", "device"),
    {"b", "40_sums", "chosen", "student", 4096, 0.9, 1000, 0, "accepted", "", "reduce", ON_GPU},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void look_at(const char *name) {
    draw();
    look(name);
    /* These tics are powers of two, whose exponents are raised. */
    picture.x[0].value = 1024;
    picture.x[1].value = 1 << 28;
}

TEST(test_lines) {
    begin(not_drawn, COUNT(not_drawn));
    for (int i = 0; i < COUNT(drawn); i++)
        say_line(&drawn[i]);
    look_at("curves-40-integers");
    assert_named("Rate of 40_sums and its peers in elements per second");
    assert_int_equal(occurrences(svg, ">rate, billion elements per second (G/s)<"), 1);
    assert_int_equal(occurrences(svg, ">* verdict: accepted:busy<"), 1);
    for (int i = 0; i < COUNT(drawn); i++) {
        const struct line *line = &drawn[i];
        int found = 0;

        assert_int_equal(points_on(line->variant, line->n, line->rate), 1);
        for (int k = 0; k < picture.marks; k++)
            found += near(value_at(picture.x, picture.mark[k].x), line->n) &&
                     near(value_at(picture.y, picture.mark[k].y), line->rate) &&
                     !strncmp(picture.mark[k].text, line->variant, strlen(line->variant));
        assert_int_equal(found, 1);
        if (!strcmp(line->backend, "cuda"))
            assert_int_equal(points_on("measured limit", line->n, line->limit), 1);
    }
    assert_int_equal(picture.marks, COUNT(drawn));
    /* Of the GPU's limits and the star alone. */
    assert_int_equal(picture.labels, 1);
    assert_string_equal(picture.label[0].text, "*");
    /* On floats, no line of the step's own: a size alone is none. */
    assert_false(is_drawn("curves-40-floats"));
}

/* The key says, from the highest down, what each line comes to at its largest n. */
TEST(test_key) {
    static const char *const lines[] = {">peer_cub,  1100<", ">measured limit,  1040<",
                                        ">chosen,  700<", ">atomics,  90.0<",
                                        ">peer_serial,  4.00<"};
    const char *p;

    begin(drawn, COUNT(drawn));
    look_at("curves-40-integers");
    p = svg;
    for (int i = 0; i < COUNT(lines); i++) {
        p = strstr(p, lines[i]);
        assert_non_null(p);
    }
}

static int set_up(void **state) {
    (void)state;
    return make_drawing(catalogue);
}

GROUP(set_up, end_folder)
