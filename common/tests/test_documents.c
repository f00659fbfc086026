/* The texts: every measured number is marked, every marked number is the record's. Runs in a copy
 * of the repository. */
#include "testing.h"
#include "command.h"

static const char texts[] = "$(find . -name '*.md' -not -path './build/*')";

static void put_text(const char *text) {
    FILE *file = fopen("build/text.md", "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void fill(const char *text, int expected) {
    put_text(text);
    assert_int_equal(system("common/report/texts/fill.sh build/text.md 2>build/text.err") != 0,
                     expected);
}

/* What the check of a text's numbers says: a line for each, or nothing. */
static void expect_found(const char *text, const char *expected) {
    char *said;
    int failed;

    put_text(text);
    failed = system("common/report/texts/numbers.sh build/text.md 2>build/text.err") != 0;
    assert_int_equal(failed, *expected != '\0');
    assert_int_equal(system("sed -i 's/ stands outside marks.*//' build/text.err"), 0);
    said = read_file("build/text.err", NULL);
    assert_string_equal(said, expected);
    free(said);
}

static void expect_text(const char *expected) {
    char *text = read_file("build/text.md", NULL);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static int make_record(void **state) {
    if (enter_tree(state))
        return -1;
    return system("mkdir -p docs/results/toy && cd docs/results/toy && "
                  "echo step,variant,n,threads,rate_gps,seconds_median,iterations,error_p99,run,"
                  "backend,distribution,host,speedup_previous,decimals >toy.csv && "
                  "echo 01,a,10,1,4,6,3,1e-6,r,cpu,uniform >>toy.csv && "
                  "echo 01,a,10,8,30,6,2,1e-6,r,cpu,uniform >>toy.csv && "
                  "echo 01,a,10,2,9,6,2,,r,cpu,uniform >>toy.csv && "
                  "echo 02,b,10,1,2,5,5,1e-6,r,cpu,uniform >>toy.csv && "
                  "echo run,step,variant,name,value,unit,source >toy-facts.csv && "
                  "echo r,,,ceiling,64,x,measured >>toy-facts.csv && "
                  "echo r,02,b,own,0.5,x,step >>toy-facts.csv && "
                  /* A run of another step, in which 01 and 02 were there for a comparison. */
                  "echo 01,a,10,1,5,6,3,,s,cpu,uniform >>toy.csv && "
                  "echo 02,b,10,1,3,5,5,,s,cpu,uniform >>toy.csv && "
                  /* At a size at which nothing has errors. */
                  "echo 02,b,99,1,8,5,5,,r,cpu,uniform,,1.5 >>toy.csv && "
                  "echo 02,b,99,1,9,5,5,,s,cpu,uniform,, >>toy.csv && "
                  "echo 03,c,10,1,7,5,5,1e-6,s,cuda,uniform >>toy.csv && "
                  "echo 03,c,10,1,1,5,5,1e-6,s,cuda,plummer >>toy.csv && "
                  "echo s,,,ceiling,32,x,measured >>toy-facts.csv && "
                  "echo s,,,ceiling_gpu,16,x,measured >>toy-facts.csv && "
                  "echo s,,,copy_in_pinned_64,4,x,measured >>toy-facts.csv && "
                  "echo s,02,b,own,0.25,x,step >>toy-facts.csv && "
                  "echo t,02,b,standalone_rate_t1,6,x,measured >>toy-facts.csv && "
                  "echo s,03,c,own,0.125,x,step >>toy-facts.csv && "
                  "echo t,03,c,later,8,x,step >>toy-facts.csv && "
                  "echo t,02,b,ncu_slots,2,x,measured >>toy-facts.csv && "
                  /* Two machines have given a run the same name. */
                  "echo 04,d,10,1,6,5,5,1e-6,u,cuda,uniform,vm-1,,1:2:5 >>toy.csv && "
                  "echo 04,e,10,1,3,5,5,1e-6,u,cuda,uniform,vm-1 >>toy.csv && "
                  "echo 04,f,10,1,2,5,5,1e-6,u,cuda,uniform,vm-2 >>toy.csv && "
                  "echo 04,g,10,1,1,5,5,1e-6,v,cuda,uniform,vm-1 >>toy.csv && "
                  "echo u,04,d,own,2,x,step >>toy-facts.csv");
}

TEST(test_numbers_are_filled) {
    fill("a <!--= toy %.1f rate_gps(01 a 10) -->?<!--/--> b <!--= toy %s rate_gps(01 a 10 1) "
         "-->?<!--/-->\n",
         0);
    expect_text(
        "a <!--= toy %.1f rate_gps(01 a 10) -->30.0<!--/--> b <!--= toy %s rate_gps(01 a 10 "
        "1) -->4<!--/-->\n");
    fill("<!--= toy %.2f fact(ceiling) / 32 / rate_gps(02 b 10) * fact(own 02 b) -->?<!--/-->.\n",
         0);
    expect_text("<!--= toy %.2f fact(ceiling) / 32 / rate_gps(02 b 10) * fact(own 02 b) "
                "-->0.50<!--/-->.\n");
    fill("<!--= toy across %.3f fact(own 03 c) / fact(ceiling_gpu) * 16 * fact(later 03 c) "
         "-->?<!--/-->\n",
         0);
    expect_text("<!--= toy across %.3f fact(own 03 c) / fact(ceiling_gpu) * 16 * fact(later 03 c) "
                "-->1.000<!--/-->\n");
    fill("<!--= toy %.1f fact(copy_in_pinned_64) -->?<!--/-->\n", 0);
    expect_text("<!--= toy %.1f fact(copy_in_pinned_64) -->4.0<!--/-->\n");
    fill("<!--= toy %.1f speedup_previous(02 b 99) * rate_gps(02 b 99) -->?<!--/-->\n", 0);
    expect_text("<!--= toy %.1f speedup_previous(02 b 99) * rate_gps(02 b 99) -->12.0<!--/-->\n");
    fill("<!--= toy %.1f seconds(01 a 10 1) -->?<!--/-->\n", 0);
    expect_text("<!--= toy %.1f seconds(01 a 10 1) -->2.0<!--/-->\n");
    fill("<!--= toy %.1f decimal_2(04 d 10) -->?<!--/-->\n", 0);
    expect_text("<!--= toy %.1f decimal_2(04 d 10) -->25.0<!--/-->\n");
    fill("<!--= toy %.1f 100 - rate_gps(01 a 10) * 2 + fact(own 02 b) / 5 - 3 -->?<!--/-->\n", 0);
    expect_text(
        "<!--= toy %.1f 100 - rate_gps(01 a 10) * 2 + fact(own 02 b) / 5 - 3 -->37.1<!--/-->\n");
    fill("<!--= toy across %s rate_gps(03 c 10) + fact(standalone_rate_t1 02 b) -->?<!--/-->\n", 0);
    expect_text(
        "<!--= toy across %s rate_gps(03 c 10) + fact(standalone_rate_t1 02 b) -->13<!--/-->\n");
}

TEST(test_what_no_record_has_is_refused) {
    static const char *const bad[] = {
        "<!--= toy %.1f rate_gps(03 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f rate(01 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f fact(nothing) -->1<!--/-->\n",
        "<!--= toy %.1f decimal_2(04 e 10) -->1<!--/-->\n", /* the row before has it */
        "<!--= moon %.1f rate_gps(01 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f rate_gps(01 a 10) -->1\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *said;

        fill(bad[i], 1);
        expect_text(bad[i]);
        said = read_file("build/text.err", NULL);
        assert_non_null(strstr(said, "build/text.md:1: "));
        free(said);
    }
}

/* A ratio of rows of two runs, or of two hosts, looks like a speed-up. */
TEST(test_terms_of_several_runs_are_refused) {
#define RIGHT ": measure them in one run, or say `across` before the format\n"
    static const char *const cases[][2] = {
        {"rate_gps(01 a 10) / rate_gps(03 c 10)",
         "rate_gps(01 a 10) of run r, rate_gps(03 c 10) of run s" RIGHT},
        {"seconds(03 c 10) - seconds(01 a 10)",
         "seconds(03 c 10) of run s, seconds(01 a 10) of run r" RIGHT},
        {"rate_gps(01 a 10) + rate_gps(03 c 10)",
         "rate_gps(01 a 10) of run r, rate_gps(03 c 10) of run s" RIGHT},
        {"rate_gps(01 a 10) * seconds(03 c 10)",
         "rate_gps(01 a 10) of run r, seconds(03 c 10) of run s" RIGHT},
        {"100 * rate_gps(01 a 10) / rate_gps(02 b 10) / rate_gps(03 c 10)",
         "rate_gps(01 a 10) of run r, rate_gps(02 b 10) of run r, "
         "rate_gps(03 c 10) of run s" RIGHT},
        {"rate_gps(03 c 10) / fact(own 02 b)",
         "rate_gps(03 c 10) of run s, fact(own 02 b) of run r" RIGHT},
        {"fact(own 02 b) / fact(own 03 c)",
         "fact(own 02 b) of run r, fact(own 03 c) of run s" RIGHT},
        {"rate_gps(04 d 10) / rate_gps(04 f 10)",
         "rate_gps(04 d 10) of run u on vm-1, rate_gps(04 f 10) of run u on vm-2" RIGHT},
        {"rate_gps(04 d 10) / rate_gps(04 g 10)",
         "rate_gps(04 d 10) of run u, rate_gps(04 g 10) of run v" RIGHT},
        {"fact(own 04 d) * rate_gps(04 d 10) / rate_gps(04 e 10) / rate_gps(04 f 10)",
         "fact(own 04 d) of run u, rate_gps(04 d 10) of run u on vm-1, "
         "rate_gps(04 e 10) of run u on vm-1, rate_gps(04 f 10) of run u on vm-2" RIGHT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], expected[512], *said;

        snprintf(text, sizeof text, "\n<!--= toy %%.3f %s -->?<!--/-->\n", cases[i][0]);
        snprintf(expected, sizeof expected, "build/text.md:2: %s", cases[i][1]);
        fill(text, 1);
        expect_text(text);
        said = read_file("build/text.err", NULL);
        assert_string_equal(said, expected);
        free(said);
        snprintf(text, sizeof text, "<!--= toy across %%.3f %s -->?<!--/-->\n", cases[i][0]);
        fill(text, 0);
    }
#undef RIGHT
    fill("<!--= toy across %.1f rate_gps(01 a 10) / rate_gps(03 c 10) * 14 -->?<!--/-->\n", 0);
    expect_text("<!--= toy across %.1f rate_gps(01 a 10) / rate_gps(03 c 10) * 14 "
                "-->60.0<!--/-->\n");
}

/* Nor does the word stay when all has been measured in one run. */
TEST(test_terms_of_one_run_need_no_word) {
    static const char *const one_run[] = {
        "rate_gps(01 a 10)",
        "2 * 3",
        "100 - rate_gps(01 a 10) * 2",
        "rate_gps(01 a 10) / rate_gps(02 b 10)",
        "rate_gps(02 b 10) * fact(own 02 b)",
        "fact(own 04 d) * rate_gps(04 d 10) / rate_gps(04 e 10)",
        /* A ceiling is the machine's, a count the program's. */
        "rate_gps(03 c 10) / fact(ceiling)",
        "rate_gps(02 b 10) / fact(ncu_slots 02 b)",
        "fact(ceiling_gpu) / fact(ceiling)",
    };
    for (size_t i = 0; i < sizeof one_run / sizeof *one_run; i++) {
        char text[256], *said;

        snprintf(text, sizeof text, "<!--= toy %%.3f %s -->?<!--/-->\n", one_run[i]);
        fill(text, 0);
        snprintf(text, sizeof text, "<!--= toy across %%.3f %s -->?<!--/-->\n", one_run[i]);
        fill(text, 1);
        said = read_file("build/text.err", NULL);
        assert_non_null(strstr(said, "build/text.md:1: `across` is wrong where all is of one run"));
        free(said);
    }
    /* Two marks are no comparison. */
    fill("<!--= toy %s rate_gps(01 a 10) -->?<!--/-->, <!--= toy %s rate_gps(03 c 10) "
         "-->?<!--/-->\n",
         0);
}

TEST(test_a_changed_number_is_found) {
    fill("x <!--= toy %.1f rate_gps(01 a 10) -->30.0<!--/-->\n", 0);
    assert_int_equal(system("common/report/texts/fill.sh --check build/text.md"), 0);
    assert_int_equal(system("sed -i 's/30[.]0/30.1/' build/text.md"), 0);
    assert_int_not_equal(system("common/report/texts/fill.sh --check build/text.md 2>/dev/null"),
                         0);
}

/* README.md's table has each step that there is, and is derived. */
TEST(test_the_table_of_steps) {
    assert_int_equal(system("grep -c '^| .[0-9][0-9]_[a-z0-9_]*](steps/' README.md >build/rows && "
                            "ls -d steps/[0-9]* | wc -l | diff - build/rows"),
                     0);
    assert_int_equal(
        system("cp README.md build/text.md && sed -i '/05_tiling/d' build/text.md && "
               "! common/report/texts/fill.sh --check build/text.md 2>/dev/null && "
               "common/report/texts/fill.sh build/text.md && cmp README.md build/text.md"),
        0);
    fill("<!-- steps -->\nNo end.\n", 1);
    expect_text("<!-- steps -->\nNo end.\n");
    assert_int_not_equal(system("awk -v folder=docs/results -v steps=true -f "
                                "common/report/texts/fill.awk README.md >/dev/null 2>&1"),
                         0);
    /* It stays a page that one reads; the table grows with the course. */
    assert_int_equal(system("[ $(sed '/^<!-- steps -->/,/^<!-- .steps -->/d' README.md | wc -l) "
                            "-le 76 ]"),
                     0);
}

TEST(test_the_texts_hold_the_records_numbers) {
    char command[256];

    snprintf(command, sizeof command, "common/report/texts/fill.sh --check %s", texts);
    assert_int_equal(system(command), 0);
}

TEST(test_a_number_with_a_unit_needs_marks) {
    static const char *const units[] = {
        "%",       "per cent",     "times",        "cycle",       "cycles", "G/s",
        "GB/s",    "TB/s",         "MB/s",         "kB/s",        "B/s",    "FLOP/s",
        "GFLOP/s", "TFLOP/s",      "Hz",           "kHz",         "MHz",    "GHz",
        "W",       "mW",           "watts",        "J",           "mJ",     "joules",
        "s",       "ms",           "us",           "µs",          "ns",     "second",
        "seconds", "milliseconds", "microseconds", "nanoseconds", "min",    "minute",
        "minutes", "hours",
    };
    char text[128], expected[128];

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        snprintf(text, sizeof text, "One line.\n\nAnother, and it is 12.5 %s.\n", units[i]);
        snprintf(expected, sizeof expected, "build/text.md:3: 12.5 %s\n", units[i]);
        expect_found(text, expected);
    }
    expect_found("# It took 3 s\n\n- 50%, or 1.5x\n  after 1e-3\n  s; a 7-ms run\n",
                 "build/text.md:1: 3 s\nbuild/text.md:3: 50%\nbuild/text.md:3: 1.5x\n"
                 "build/text.md:4: 1e-3 s\nbuild/text.md:5: 7-ms\n");
    expect_found("<!--= toy %.1f rate_gps(01 a 10) -->30.0<!--/--> G/s, 2 * "
                 "<!--= toy %.1e error_l2(01 a 10) / 2 -->1.0<!--/-->%\n",
                 "");
    expect_found("<!--= toy across %.1f rate_gps(01 a 10) / rate_gps(03 c 10) -->4.3<!--/--> s\n",
                 "");
    expect_found(
        "<!--= toy %.1f 25 / 2 -->12.5<!--/--> GB/s\n",
        "build/text.md:1: <!--= toy %.1f 25 / 2 -->12.5<!--/--> names nothing of the record\n");
}

TEST(test_what_may_stand_outside_marks) {
    static const char *const allowed[] = {
        "n = 131072, 64 MiB, 720 kB, 32 bytes, sm_90, 36.5 instructions, 8 warps a scheduler\n",
        "The H200's 4 schedulers; step 04 soon; 2 milestones, 3 sectors, 5 winners\n",
        "A block:\n\n    12.5 GB/s\n\n    1 s\n",
        "```\n12.5 GB/s\n\n1 s\n```\n",
        "The line `12.5 GB/s` or `2\nms`.\n",
        "It was 12.5 GB/s in the seed report.\n",
        "The report's 12.5 GB/s.\n",
        "12.5 GB/s (figure 3)\n",
        "12.5 GB/s (figs. 3 and 4),\nthen 3 ms\n",
        "section 5.5.2 has 12.5 GB/s\n",
        "the seed's 2.12 times\n",
        "## Prediction: copies\n\nOne: 12.5 GB/s.\n\nTwo: 12.5 GB/s.\n",
        "## Predict\n\n12.5 GB/s\n",
        "### Instructions\n\n12 cycles\n",
        "The H200 times the run in x86 cycles.\n",
        "| body's n | GB/s, seed report | ms predicted |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n",
        "| ms | n |\n| --- | --- |\n| <!--= toy %.1f rate_gps(01 a 10) -->1<!--/--> | 2 |\n",
        "| ms |\n\n| n |\n| 1 |\n",
        "**Goal.** Know.\n**Before you start.** C; 30 minutes.\n",
    };
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        expect_found(allowed[i], "");
}

/* An exemption ends where its reason does. */
TEST(test_what_excuses_one_number_excuses_no_other) {
    static const char *const cases[][2] = {
        {"The seed report: 1 s.\n\nHere 2 s.\n", "3: 2 s"},
        {"- the seed report: 1 s\n- here 2 s\n", "2: 2 s"},
        {"1. the seed report: 1 s\n2. here 2 s\n", "2: 2 s"},
        {"| the seed report | 1 s |\n| here | 2 s |\n", "2: 2 s"},
        {"# As figure 3 has it\nHere 2 s.\n", "2: 2 s"},
        {"The step reported 2 s, with one seed.\n", "1: 2 s"},
        {"It figures: 2 s, see `figure 3`\n", "1: 2 s"},
        {"## Prediction\n\n1 s\n\n## Measurement\n\n2 s\n", "7: 2 s"},
        {"## What was predicted\n\n2 s\n", "3: 2 s"},
        {"Predict: 2 s\n", "1: 2 s"},
        {"    1 s\n\n2 s\n", "3: 2 s"},
        {"Two lines,\n    2 s\n", "2: 2 s"},
        {"```\n1 s\n```\n2 s\n", "4: 2 s"},
        {"`1 s` and 2 s and `3 s`\n", "1: 2 s"},
        {"<!--= toy %.1f rate_gps(01 a 10) -->1<!--/--> s or 2 s\n", "1: 2 s"},
        {"**Goal.** 1 minute.\n\n2 s\n", "3: 2 s"},
        {"The **Goal.** is 2 s\n", "1: 2 s"},
        {"<!--= toy %.1f rate_gps(01 a 10) -->1<!--/-->, 2 s, <!--= toy %.1f rate_gps(01 a 10) "
         "-->1<!--/-->\n",
         "1: 2 s"},
        {"| the seed's ms | ms |\n| --- | --- |\n| 1 | 2 |\n", "3: 2 ms"},
        {"| predicted, ms | G/s |\n| --- | --- |\n| 1 | 2 |\n", "3: 2 G/s"},
        {"| rate (G/s), mean |\n| --- |\n| 2 |\n", "3: 2 G/s"},
        {"| ms |\n| - |\n| a |\n\n| a | s each |\n| - | - |\n| 1 | 2 |\n", "7: 2 s"},
    };
    char expected[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(expected, sizeof expected, "build/text.md:%s\n", cases[i][1]);
        expect_found(cases[i][0], expected);
    }
    /* Nor does what one file ends with excuse the next. */
    put_text("Here 2 s.\n");
    assert_int_equal(system("printf '## Predict\\n\\n```\\n' >build/other.md"), 0);
    assert_int_not_equal(
        system("common/report/texts/numbers.sh build/other.md build/text.md 2>build/text.err"), 0);
}

TEST(test_every_measured_number_of_the_texts_stands_between_marks) {
    assert_int_equal(system("common/report/texts/numbers.sh"), 0);
    assert_int_equal(system("for text in README.md steps/01_serial/README.md docs/soak.md "
                            "solutions/07_device_integration/NOTES.md docs/cpucuda.md "
                            "docs/results/h200/README.md; do cp $text build/kept && "
                            "printf '\\n12.5 GB/s\\n' >>$text && "
                            "if common/report/texts/numbers.sh 2>build/text.err; then exit 1; fi; "
                            "grep -q \"^$text:\" build/text.err && cp build/kept $text || "
                            "{ echo $text; exit 1; }; done"),
                     0);
}

/* Each sets the locale or sources facts.sh, which does. In one with decimal commas awk prints 1,50,
 * which gnuplot and a record do not read. */
TEST(test_scripts_keep_decimal_points) {
    assert_int_equal(system("for script in $(find common grading -name '*.sh'); do "
                            "! grep -qE '\\b(awk|gnuplot|sort)\\b' $script || "
                            "grep -qE '^export LC_ALL=C$|^\\. .*/facts\\.sh' $script || "
                            "{ echo $script: export LC_ALL=C is missing; exit 1; }; done"),
                     0);
}

static void figure_12(const char *decimals, int expected) {
    FILE *file = fopen("build/half.csv", "w");

    assert_non_null(file);
    fprintf(file,
            "step,variant,n,decimals\n10_fp16,half2,65536,1:1:1:1\n"
            "10_fp16,seed,30000,1:1:1:1\n%s%s\n",
            *decimals ? "10_fp16,seed,65536," : "", decimals);
    fclose(file);
    assert_int_equal(
        system("awk -f common/tests/figure_12.awk build/half.csv >build/half.txt") != 0, expected);
}

/* The seed's half precision, on the GPU, has the errors of the report's figure 12. */
TEST(test_figure_12) {
    figure_12("3:20:60:15:2", 0);
    figure_12("3:21:59:14:3", 0);
    figure_12("1:23:60:15:1", 1);
    figure_12("3:20:57:18:2", 1);
    figure_12("6:20:60:12:2", 1);
    figure_12("", 1);
    assert_int_equal(system("for f in docs/results/*/*.csv; do "
                            "grep -q ',10_fp16,seed,' $f || continue; case $f in *-facts.csv) ;; "
                            "*) awk -f common/tests/figure_12.awk $f || exit 1 ;; esac; done"),
                     0);
}

GROUP(make_record, leave_tree)
