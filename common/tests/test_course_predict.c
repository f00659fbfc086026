/* `make predict`: what is taken, what is refused, what is late, and where it is shown beside the
 * measurement. Run from the repository's root. */
#define OWN_MAIN
#include "testing.h"
#include "course.h"
#include "fake_gpu.h"

static void assert_written(int lines, const char *last) {
    char *text = read_file("results/predictions.tsv", NULL);

    assert_non_null(text);
    assert_int_equal(count_lines(text), lines);
    assert_int_equal(strncmp(text, "time_utc\tstep\tspeedup\tlimit\twhen\n", 33), 0);
    assert_says(strrchr(text, 'Z'), last);
    free(text);
}

/* Of a command that fails: a line that says `wrong` and `right`, and below it what the words of a
 * limit mean, each `words` a line. */
static void assert_explained(struct result result, const char *wrong, const char *right,
                             const char *const *words) {
    char begin[32], *line = result.err;

    assert_code(result, 3);
    line[strcspn(line, "\n")] = 0;
    assert_says(line, wrong);
    assert_says(line, right);
    for (line += strlen(line) + 1; *words; words++) {
        snprintf(begin, sizeof begin, "  %-8s ", *words);
        if (strncmp(line, begin, strlen(begin)) || strcspn(line, "\n") < strlen(begin) + 10)
            fail_msg("%s is not explained in: %s", *words, line);
        line += strcspn(line, "\n") + 1;
    }
    assert_string_equal(line, "");
}

TEST_IN(begin_anew, NULL, test_explained) {
    static const char *const of_cuda[] = {"issue", "fma", "mufu", "lds", "memory", NULL};
    static const char *const of_c[] = {"fma", "rsqrt", NULL};
    static const struct {
        const char *arguments, *wrong, *right;
    } bad[] = {
        {"--step 06", "PREDICT_SPEEDUP=", "issue, fma, mufu, lds, memory"},
        {"--step 06 --predict_limit issue", "PREDICT_SPEEDUP=", "1.5"},
        {"--step 06 --predict_speedup 1.2", "PREDICT_LIMIT=", "issue, fma, mufu"},
        {"--step 06 --predict_speedup 2 --predict_limit rsqrt", "=rsqrt", "issue, fma, mufu"},
        {"--step 06 --predict_limit ''", "PREDICT_LIMIT=: what may limit", "issue, fma, mufu"},
    };
    struct result result;
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_explained(run("build/referee predict %s </dev/null", bad[i].arguments), bad[i].wrong,
                         bad[i].right, of_cuda);
    assert_explained(run("build/referee predict --step 02 --predict_speedup 2 --predict_limit "
                         "issue"),
                     "=issue", "fma, rsqrt", of_c);
    for (i = 0; of_cuda[i]; i++) /* the glossary has them */
        shell("awk '/^- /{on = /^- [*][*]Limit[*]/} on' docs/glossary.md | grep -q '`%s`[,;]'",
              of_cuda[i]);
    for (i = 0; of_c[i]; i++)
        shell("awk '/^- /{on = /^- [*][*]Limit[*]/} on' docs/glossary.md | grep -q '`%s`[,;]'",
              of_c[i]);
    /* Only a terminal is asked. */
    assert_explained(run("printf '1.5\\nlds\\n' | build/referee predict --step 06"),
                     "PREDICT_SPEEDUP=", "PREDICT_LIMIT=", of_cuda);
    assert_int_not_equal(access("results/predictions.tsv", F_OK), 0);
    /* There the words stand before the question for them. */
    result = run("printf 'rsqrt\\n' | script -qec 'build/referee predict --step 01' /dev/null");
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "  rsqrt    roots and divisions"));
    assert_true(strstr(result.out, "  rsqrt    ") < strstr(result.out, "What limits it?"));
}

TEST_IN(begin_anew, NULL, test_refused) {
    static const struct {
        const char *arguments;
        int code;
        const char *wrong, *right;
    } bad[] = {
        {"--step 06 --predict_speedup 0 --predict_limit issue", 3, "=0",
         "above 0 and at most 1000"},
        {"--step 06 --predict_speedup -2 --predict_limit issue", 3, "=-2", "above 0"},
        {"--step 06 --predict_speedup 1001 --predict_limit issue", 3, "=1001", "at most 1000"},
        {"--step 06 --predict_speedup nan --predict_limit issue", 3, "=nan", "above 0"},
        {"--step 06 --predict_speedup inf --predict_limit issue", 3, "=inf", "above 0"},
        {"--step 06 --predict_speedup 2x --predict_limit issue", 3, "=2x", "above 0"},
        {"--step 06 --predict_speedup '' --predict_limit issue", 3, "SPEEDUP=", "above 0"},
        {"--step 01 --predict_speedup 2 --predict_limit fma", 3, "builds on no other",
         "only its limit"},
        {"--predict_speedup 2 --predict_limit issue", 3, "needs a step", "make predict STEP="},
        {"--step 77 --predict_speedup 2 --predict_limit issue", 4, "STEP=77", "steps/ lists"},
    };
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_one_line(run("build/referee predict %s </dev/null", bad[i].arguments), bad[i].code,
                        bad[i].wrong, bad[i].right);
    assert_int_not_equal(access("results/predictions.tsv", F_OK), 0);
}

TEST_IN(begin_anew, NULL, test_taken) {
    TELLS("make -s predict STEP=06 PREDICT_SPEEDUP=1.25 PREDICT_LIMIT=issue",
          "06_unroll: written down, 1.25 times 05_tiling, limit issue\n");
    assert_written(2, "\t06_unroll\t1.25\tissue\tbefore\n");
    TELLS("make -s -C steps/01_serial predict PREDICT_LIMIT=rsqrt", "01_serial: written down");
    assert_written(3, "\t01_serial\t-\trsqrt\tbefore\n");
    TELLS("build/referee predict --step 12 --predict_speedup 1000 --predict_limit lds",
          "1000 times 11_pinned");
}

TEST_IN(begin_anew, NULL, test_asked) {
    TELLS("printf '0\\n1.5\\nspeed\\nlds\\n' | script -qec 'build/referee predict --step 05' "
          "/dev/null",
          "How many times as fast as 04_soa", "above 0 and at most 1000", "PREDICT_LIMIT=speed",
          "05_tiling: written down, 1.5 times");
    assert_written(2, "\t05_tiling\t1.5\tlds\tbefore\n");
    /* What is given is not asked for, nor what 01 has not. */
    TELLS("printf 'fma\\n' | script -qec 'build/referee predict --step 01' /dev/null",
          "01_serial: written down");
    TELLS("printf 'mufu\\n' | script -qec 'build/referee predict --step 05 --predict_speedup 3' "
          "/dev/null",
          "05_tiling: written down, 3 times");
    assert_written(4, "\t05_tiling\t3\tmufu\tbefore\n");
    assert_code(run("script -qec 'build/referee predict --step 05' /dev/null </dev/null"), 3);
}

/* Late is what comes after a timed row of the learner's own; others' rows are none. */
TEST_IN(begin_anew, NULL, test_late) {
    static const char command[] =
        "build/referee predict --step 06 --predict_speedup 2 --predict_limit lds";

    add_row("a", "06_unroll", "solution", 30000, "99", "1.1", "gpu_issue", "accepted", "r");
    add_row("a", "06_unroll", "student", 4096, "", "", "", "accepted", "r"); /* no speed */
    add_row("a", "05_tiling", "student", 30000, "99", "1.1", "gpu_issue", "accepted", "r");
    shell("echo 'name,value' >results/other.csv");
    TELLS(command, "limit lds\n");
    assert_written(2, "before\n");
    add_row("b", "06_unroll", "student", 30000, "99", "1.1", "gpu_issue", "accepted", "r");
    TELLS(command, "marked late");
    assert_written(3, "late\n");
}

TEST_IN(begin_anew, NULL, test_shown) {
    shell("build/referee predict --step 06 --predict_speedup 2 --predict_limit lds >/dev/null");
    shell("build/referee predict --step 06 --predict_speedup 3 --predict_limit issue >/dev/null");
    shell("build/referee predict --step 01 --predict_limit fma >/dev/null");
    add_row("a", "06_unroll", "student", 30000, "90", "1.05", "gpu_lds", "accepted", "r");
    add_row("a", "06_unroll", "student", 131072, "91", "1.0625", "gpu_issue", "accepted", "r");
    add_row("a", "06_unroll", "student", 4096, "92", "1.5", "gpu_lds", "accepted", "r");
    shell(
        "build/referee predict --step 06 --predict_speedup 1.06 --predict_limit issue >/dev/null");
    shell("build/referee predict --step 08 --predict_speedup 2 --predict_limit mufu >/dev/null");
    TELLS("build/referee report --machine a",
          "01_serial, predicted: limit fma; not measured yet: make bench STEP=01\n"
          "06_unroll, predicted: 3.00 times 05_tiling, limit issue; measured 1.06 times, limit "
          "issue, at n = 131072\n"
          "08_rsqrt, predicted: 2.00 times 07_device_integration, limit mufu; not measured yet");
    add_row("a", "08_rsqrt", "student", 30000, "90", "", "", "accepted", "s");
    shell("sed -i '/08_rsqrt/d' results/predictions.tsv");
    shell("build/referee predict --step 08 --predict_speedup 2 --predict_limit mufu >/dev/null");
    TELLS("build/referee report --machine a",
          "08_rsqrt, predicted late: 2.00 times 07_device_integration, limit mufu; measured "
          "without 07_device_integration beside it, at n = 30000\n");
}

/* Without a GPU a bench of CUDA C records no speed, and is not asked for; what one measured
 * elsewhere is shown all the same. */
TEST_IN(begin_anew, NULL, test_without_gpu) {
    struct result result;
    char said[256];

    shell("build/referee predict --step 02 --predict_speedup 2 --predict_limit fma >/dev/null");
    shell("build/referee predict --step 04 --predict_speedup 1 --predict_limit lds >/dev/null");
    add_row("a", "04_soa", "student", 4096, "", "", "", "accepted", "r");
    result = run("FAKE_GPUS=0 build/referee report --machine a");
    assert_code(result, 0);
    assert_says(result.out, "02_openmp, predicted: 2.00 times 01_serial, limit fma; not measured "
                            "yet: make bench STEP=02\n");
    snprintf(said, sizeof said,
             "04_soa, predicted: 1.00 times 03_cuda_naive, limit lds; the solution, on an NVIDIA "
             "H200 (docs/results): %.2f times, limit issue, at n = 131072; a GPU is needed to "
             "measure yours\n",
             recorded(COLUMN_speedup_previous, "04_soa", "256", 131072));
    assert_says(result.out, said);
    TELLS("build/referee report --machine a", "lds; not measured yet: make bench STEP=04\n");
    add_row("a", "04_soa", "student", 30000, "90", "1.25", "gpu_issue", "accepted", "s");
    TELLS("FAKE_GPUS=0 build/referee report --machine a",
          "limit lds; measured 1.25 times, limit issue, at n = 30000\n");
}

/* A check of the learner's own shows it, if the program is right. One that fails ends with its
 * verdict, which hints and the guide call its last line. */
TEST_IN(begin_anew, NULL, test_shown_by_check) {
    static const char command[] = "build/referee check --step 01 --n 257 --variant gcc_O0 2>&1";
    struct result result;

    shell("build/referee predict --step 01 --predict_limit fma >/dev/null");
    shell("cp solutions/01_serial/nbody.c steps/01_serial/nbody.c");
    result = run("%s", command);
    assert_code(result, 0);
    assert_says(result.out, "01_serial, predicted: limit fma; not measured yet");
    shell("sed -i 's/fx += /fx -= /' steps/01_serial/nbody.c");
    result = run("%s", command);
    assert_code(result, 32);
    assert_null(strstr(result.out, "predicted"));
}

TEST_IN(begin_anew, NULL, test_shown_by_estimate) {
    static const char command[] = "build/referee estimate --step 05 --of solutions --n 257 ";
    struct result result;

    if (system("command -v nvcc >/dev/null"))
        skip();
    shell("build/referee predict --step 05 --predict_speedup 1.25 --predict_limit lds >/dev/null");
    result = run("%s", command);
    assert_code(result, 0);
    assert_says(result.out, "05_tiling, predicted: 1.25 times 04_soa, limit lds; ");
    result = run("%s --json 1", command);
    assert_code(result, 0);
    assert_null(strstr(result.out, "predicted"));
}

TEST_IN(begin_anew, NULL, test_damaged) {
    static const char command[] =
        "build/referee predict --step 06 --predict_speedup 2 --predict_limit lds";
    struct result result;

    TELLS(command, "written down");
    shell("echo 'half a line' >>results/predictions.tsv");
    assert_one_line(run("build/referee progress"), 13, "predictions.tsv:3 is cut off or",
                    "mend or remove that line");
    shell("echo step >results/predictions.tsv");
    assert_one_line(run("build/referee progress"), 11, "another header", "move it away");
    shell("rm results/predictions.tsv");
    add_row("a", "06_unroll", "student", 30000, "90", "1", "gpu_lds", "accepted", "r");
    shell("printf 'cut,off' >>results/a.csv");
    result = run(command); /* said, and gone on without */
    assert_code(result, 0);
    assert_says(result.err, "results/a.csv:3 is cut off or damaged");
    shell("rm -rf results && touch results");
    assert_one_line(run(command), 10, "results cannot be opened", "nothing is written down");
    shell("rm results");
}

int main(int argc, char **argv) {
    (void)argc;
    play_gpus(argv, "1");
    return run_listed(enter_course, leave_tree);
}
