/* The verb timeline: names, sums, facts, picture; on cpucuda, and on a GPU that is played. */
#define OWN_MAIN
#include "testing.h"

#include <limits.h>

#include "command.h"
#include "fake_gpu.h"
#include "json.h"
#include "referee/build/source_line.h"
#include "svg_picture.h"
#include "referee/inspect/timeline_print.h"

static char built[PATH_MAX];

/* Step 06 has the programs of a machine with a GPU: a player that tells times. */
static int begin(void **state) {
    char makefile[PATH_MAX + 256];

    if (!realpath("build", built) || enter_tree(state))
        return -1;
    snprintf(makefile, sizeof makefile,
             "players:\n\t@mkdir -p $(OUT); printf '16\\ttimeline\\tcuda\\tone\\tnvcc 1\\t-"
             "\\t%s/tests/players/tells_intervals\\n' >$(OUT)/players.tsv\n",
             built);
    write_file("steps/06_unroll/Makefile", makefile);
    return 0;
}

/* The line of a launch names its kernel: a program whose code is said to stand in that line. */
TEST(test_names_of_launches) {
    static const struct {
        const char *line, *name;
    } cases[] = {
        {"        update_velocities<<<blocks, threads>>>(a);\n", "update_velocities"},
        {"    if (x < 3) scan<float, 64><<<1, b >> 2>>>(a); /* <<< */\n", "scan"},
        {"LAUNCH(forces, blocks);\n", "kernel"},
        {"<<<1, 1>>>(a);\n", "kernel"},
    };
    struct interval interval = {.kind = KERNEL};
    char name[TIMELINE_NAME];
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        struct result result;

        write_file("build/launch.cu", cases[i].line);
        result =
            run("printf '\\n#line 1 \"%%s/build/launch.cu\"\\nint main(void) { return 0; }\\n' "
                "$PWD >build/launch.c && gcc -gdwarf-4 -o build/launch%zu build/launch.c && "
                "nm build/launch%zu | sed -n 's/ T main$//p'",
                i, i);
        assert_code(result, 0);
        interval.offset = strtoul(result.out, NULL, 16);
        snprintf(path, sizeof path, "build/launch%zu", i);
        timeline_name(path, &interval, name);
        assert_string_equal(name, cases[i].name);
    }
    strcpy(interval.kernel, "told");
    timeline_name("build/launch0", &interval, name);
    assert_string_equal(name, "told");
}

/* Two streams: a copy within a kernel, and one that begins before the kernel ends. */
TEST(test_sums) {
    static struct counters counters = {.interval_count = 4};
    const struct interval intervals[] = {{.kind = COPY_IN, .bytes = 5, .begin = 0, .end = 1},
                                         {.kind = KERNEL, .begin = 2, .end = 6},
                                         {.kind = COPY_IN, .bytes = 7, .begin = 3, .end = 4},
                                         {.kind = COPY_OUT, .bytes = 1, .begin = 5.5, .end = 8}};
    struct timeline_sums sums;

    memcpy(counters.intervals, intervals, sizeof intervals);
    sums = timeline_sum(&counters);
    assert_int_equal(sums.copies, 3);
    assert_int_equal(sums.kernels, 1);
    assert_int_equal(sums.bytes, 13);
    assert_true(sums.copying == 4.5 && sums.computing == 4 && sums.neither == 1 && sums.whole == 8);
    counters.interval_count = 200; /* the others were not kept */
    assert_int_equal(timeline_sum(&counters).copies, 127);
}

/* 03 copies both ways in each iteration, 07 once; there are no times, no facts and no picture. */
TEST(test_on_cpucuda) {
    static const struct {
        const char *step, *what;
        int copies;
    } cases[] = {{"03", "6 copies, 36864 bytes in all, 3 kernels", 3},
                 {"07", "2 copies, 12288 bytes in all, 6 kernels", 1}};
    size_t i;

    for (i = 0; i < 2; i++) {
        struct result result = run("make -s timeline STEP=%s N=256 BACKEND=cpucuda", cases[i].step);

        assert_code(result, 0);
        assert_says(result.out, "backend cpucuda: n = 256, 3 iterations");
        assert_says(result.out, cases[i].what);
        assert_says(result.out, "no times");
        assert_null(strstr(result.out, "ms"));
        assert_int_equal(occurrences(result.out, "  copy in "), cases[i].copies);
        assert_int_equal(occurrences(result.out, "  copy out "), cases[i].copies);
        assert_int_equal(occurrences(result.out, "  update_velocities "), 3);
        result = run("make -s timeline STEP=%s N=256 BACKEND=cpucuda JSON=1", cases[i].step);
        assert_code(result, 0);
        assert_true(is_json(result.out));
        assert_int_equal(occurrences(result.out, "\"copy in\""), cases[i].copies);
        assert_null(strstr(result.out, "begin"));
    }
    assert_int_equal(access("results", F_OK), -1);
}

/* The variant that is looked at, and no other, which may be many and take nvcc long. */
TEST(test_one_variant_is_built) {
    static const struct {
        const char *variant, *built;
    } cases[] = {{"", "soa\n"}, {" --variant aos", "aos\n"}};
    struct result result;
    size_t i;

    for (i = 0; i < 2; i++) {
        result =
            run("rm -rf build/solutions/05_tiling build/beside/05_tiling; build/referee "
                "timeline --step 05 --of solutions --n 256 --backend cpucuda%s >build/said && "
                "find build/solutions/05_tiling build/beside/05_tiling -name plain 2>/dev/null | "
                "sed 's,/plain$,,; s,.*/,,'",
                cases[i].variant);
        assert_code(result, 0);
        assert_string_equal(result.out, cases[i].built);
    }
}

TEST(test_more_than_are_kept) {
    struct result result =
        run("build/referee timeline --step 03 --n 2 --iterations 50 --backend cpucuda");

    assert_code(result, 0);
    assert_says(result.out, "the first 128 of 150;");
    assert_int_equal(occurrences(result.out, "  copy in "), 43);
}

TEST(test_refused) {
    static const struct {
        const char *arguments;
        int code;
        const char *why;
    } cases[] = {
        {"--step 02", 3, "02_openmp is C"},
        {"", 3, "timeline needs a step"},
        {"--step 03 --backend cuda", 8, "nvcc"},
        {"--step 06 --variant 99", 5, "it has 16"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_one_line(run("NVCC= build/referee timeline %s", cases[i].arguments), cases[i].code,
                        cases[i].why, "");
}

#define ON_GPU "build/referee timeline --step 06 --results build/r --machine toy"

TEST(test_on_a_gpu) {
    static const char *const facts[] = {
        "00_copy_in_begin,0,s",      "00_copy_in_end,0.001,s",  "01_forces_begin,0.00125,s",
        "01_forces_end,0.005,s",     "02_moves_begin,0.005,s",  "02_moves_end,0.00525,s",
        "03_copy_out_begin,0.006,s", "03_copy_out_end,0.007,s", "copies,0.002,s",
        "kernels,0.004,s",           "neither,0.001,s",         "copy_share,0.285714,1"};
    struct result result = run("rm -rf build/r; " ON_GPU " --n 256");
    char *written;
    size_t i;

    assert_code(result, 0);
    assert_says(result.out, "backend cuda: n = 256, 3 iterations");
    assert_says(result.out, "  copy in                          6144       0.0000       1.0000\n");
    assert_says(result.out, "  forces                              -       1.2500       3.7500\n");
    assert_says(result.out,
                "  2 copies, 12288 bytes in all, 2 kernels; copies 2.0000 ms (28.6%), kernels "
                "4.0000 ms (57.1%), neither 1.0000 ms (14.3%)\n");
    written = read_file("build/r/toy-facts.csv", NULL);
    assert_non_null(written);
    assert_int_equal(count_lines(written), 1 + (int)(sizeof facts / sizeof *facts));
    for (i = 0; i < sizeof facts / sizeof *facts; i++) {
        char fact[128];

        snprintf(fact, sizeof fact, ",06_unroll,16,timeline_n256_%s,step\n", facts[i]);
        assert_says(written, fact);
    }
    free(written);
    result = run(ON_GPU " --n 256 --json 1");
    assert_code(result, 0);
    assert_true(is_json(result.out));
    assert_says(result.out, "\"begin\": 0.00125, \"end\": 0.005}");
    assert_int_equal(access("build/r/toy.csv", F_OK), -1);
}

TEST(test_nonsense_is_not_believed) {
    struct result result = run(ON_GPU " --n 13");
    const char *name;

    assert_code(result, 0);
    assert_says(result.out, "  copy in                          6144       0.0000       0.0000\n");
    assert_says(result.out, "  forces                              -       0.0000       0.0000\n");
    assert_non_null(name = strstr(result.out, " xxx"));
    assert_int_equal(strspn(name + 1, "x"), 38);
}

struct bar {
    const char *colour;
    int copy;
    double begin, end; /* ms */
};

/* The bars of the picture, but not those of its key. */
static void expect_bars(const char *path, const struct bar *bars, int count) {
    struct picture picture;
    char *svg = read_file(path, NULL);
    const char *at;
    int found = 0, drawn = 0;

    assert_non_null(svg);
    read_picture(svg, &picture);
    for (at = svg; (at = strstr(at, "<polygon fill = '")); at++) {
        double left, bottom, right, top, scale;
        char colour[32];
        int i;

        assert_int_equal(sscanf(at, "<polygon fill = '%31[^']' points = '%lf,%lf %lf,%*f %*f,%lf",
                                colour, &left, &bottom, &right, &top),
                         5);
        if (!inside(&picture, left, top))
            continue;
        drawn++;
        scale = (picture.x[1].value - picture.x[0].value) / (picture.x[1].at - picture.x[0].at);
        for (i = 0; i < count; i++)
            found +=
                !strcmp(colour, bars[i].colour) &&
                bars[i].copy == (top < (picture.top + picture.bottom) / 2) &&
                fabs(picture.x[0].value + (left - picture.x[0].at) * scale - bars[i].begin) <
                    0.01 &&
                fabs(picture.x[0].value + (right - picture.x[0].at) * scale - bars[i].end) < 0.01;
    }
    free(svg);
    assert_int_equal(found, count);
    assert_int_equal(drawn, count);
}

#define IN     "rgb(  0, 114, 178)"
#define OUT    "rgb(140, 203, 238)"
#define FORCES "rgb(240, 160,  48)"
#define MOVES  "rgb(  0,   0,   0)"

static const struct bar bars[] = {
    {IN, 1, 0, 1}, {FORCES, 0, 1.25, 5}, {MOVES, 0, 5, 5.25}, {OUT, 1, 6, 7}};

/* The verb draws the run it made, though the facts hold an older one with more in it. */
TEST(test_picture) {
    struct result result;
    char *svg;

    need_gnuplot();
    result = run("rm -rf build/r; mkdir build/r; { echo run,step,variant,name,value,unit,source; "
                 "for i in 00 01 02 03 04; do for e in begin,0 end,0.5; do "
                 "echo a,06_unroll,16,timeline_n256_${i}_old_$e,s,step; done; done; "
                 "echo a,07_device_integration,16,timeline_n256_00_copy_in_begin,0,s,step; "
                 "echo a,07_device_integration,16,timeline_n256_00_copy_in_end,0.002,s,step; "
                 "} >build/r/toy-facts.csv; " ON_GPU " --n 256");
    assert_code(result, 0);
    assert_says(result.out, "build/r/toy-timeline-06.svg\n");
    expect_bars("build/r/toy-timeline-06.svg", bars, 4);
    svg = read_file("build/r/toy-timeline-06.svg", NULL);
    assert_says(svg, ">06_unroll,  variant 16,  n = 256<");
    assert_says(svg, ">toy,  run 2");
    assert_says(svg, "copies 2.00 ms (28.6%),  kernels 4.00 ms (57.1%),  neither 1.00 ms (14.3%)");
    assert_says(svg, "<desc>When the copies and kernels of 06_unroll ran</desc>");
    assert_null(strstr(svg, "old"));
    free(svg);
    expect_bars("build/r/toy-timeline-07.svg", &(struct bar){IN, 1, 0, 2}, 1);
}

/* `make report` draws it anew from the facts, beside the pictures of the record. */
TEST(test_report) {
    struct result result;

    need_gnuplot();
    result = run("rm -rf build/r; " ON_GPU " --n 256 && rm build/r/toy-timeline-06.svg && "
                 "build/referee bench --step 01 --variant gcc_O2 --n 256 --iterations 2 "
                 "--results build/r --machine toy && "
                 "build/referee report --results build/r --machine toy");
    assert_code(result, 0);
    expect_bars("build/r/toy-timeline-06.svg", bars, 4);
    assert_int_equal(access("build/r/ladder.svg", F_OK), 0);
}

int main(int argc, char **argv) {
    (void)argc;
    play_gpus(argv, "1");
    return run_listed(begin, leave_tree);
}
