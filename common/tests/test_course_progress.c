/* `make progress` and `make next`: every state of a step, the best rate, the prediction, and what
 * to do. Run from the repository's root. */
#include "testing.h"
#include "course.h"

/* The step's line of `make progress`. */
static void shows(const char *step, const char *text) {
    struct result result = run("build/referee progress --machine m | grep '^%s '", step);

    assert_code(result, 0);
    assert_int_equal(count_lines(result.out), 1);
    assert_says(result.out, text);
}

TEST_IN(begin_anew, NULL, test_states) {
    shows("05_tiling", " not begun  ");
    add_check("05_tiling", "wrong", "n = 2", "n = 2; part 1 is not written yet: Room");
    shows("05_tiling", " not begun  ");
    shell("sed -i '/part 1, /,/end of part 1/c /* part 1, 1 line: Room. */\\nint a;\\n/* end of "
          "part 1 */' steps/05_tiling/nbody.cu");
    shows("05_tiling", " part 2 of 6  ");
    shell("rm steps/05_tiling/nbody.cu");
    shows("05_tiling", " no source  ");

    solve("06_unroll");
    shows("06_unroll", " not checked yet  ");
    add_check("06_unroll", "race", "line 7", "line 7");
    shows("06_unroll", " failing: race  ");
    add_event("2020", "check", "06_unroll", "wrong", "line 7", "line 7");
    shows("06_unroll", " failing: wrong; changed since  ");
    accept("06_unroll");
    shows("06_unroll", " accepted  ");
    shell("echo >>steps/06_unroll/nbody.cu");
    shows("06_unroll", " accepted; changed since  ");
    add_check("06_unroll", "hung", "-", "no answer");
    shows("06_unroll", " failing: hung (accepted before)");
    shell("cp build/skeletons/steps/06_unroll/nbody.cu steps/06_unroll");
    shows("06_unroll", " part 1 of 1 (accepted before)");
    /* The same bytes, but the last check failed. */
    accept("04_soa");
    add_check("04_soa", "hung", "-", "no answer");
    solve("04_soa");
    accept("04_soa");
    add_check("04_soa", "hung", "-", "no answer");
    shows("04_soa", " failing: hung (accepted before)");
}

/* 09's part is in its flags. */
TEST_IN(begin_anew, NULL, test_flags) {
    shows("09_ftz", " not begun  ");
    shell("echo >>steps/09_ftz/nbody.cu");
    shows("09_ftz", " part 1 of 1  ");
    solve("09_ftz");
    shows("09_ftz", " not checked yet  ");
    accept("09_ftz");
    shows("09_ftz", " accepted  ");
    shell("echo -lineinfo >>steps/09_ftz/flags");
    shows("09_ftz", " accepted; changed since  ");
}

TEST_IN(begin_anew, NULL, test_rates) {
    shows("06_unroll", "not begun                            -                      -\n");
    add_row("m", "06_unroll", "solution", 65536, "800", "", "", "accepted", "r");
    add_row("m", "06_unroll", "student", 30000, "250.25", "", "", "accepted", "r");
    add_row("m", "06_unroll", "student", 131072, "1300.5", "", "", "accepted:busy", "r");
    add_row("m", "06_unroll", "student", 65536, "9000", "", "", "wrong", "r");
    add_row("other", "06_unroll", "student", 65536, "7000", "", "", "accepted", "r");
    shows("06_unroll", " 1300 at n = 131072 ");
    shows("07_device_integration", " -  ");
    add_row("m", "10_fp16", "student", 65536, "5", "", "", "decimals:expected", "r");
    shows("10_fp16", " 5 at n = 65536 ");
    shell("build/referee predict --step 06 --predict_speedup 1.1 --predict_limit lds >/dev/null");
    shows("06_unroll", " 1.10 times, lds (late)\n");
    shell("build/referee predict --step 01 --predict_limit fma >/dev/null");
    shows("01_serial", " fma\n");
}

TEST_IN(begin_anew, NULL, test_next) {
    struct result result;
    char all[64];
    int i = 0;

    TELLS("make -s next", "01_serial: not begun\n", "Know the program", "steps/01_serial/README.md",
          "steps/01_serial/nbody.c:24: part 1 is not written yet: ", "make predict STEP=01",
          "make check STEP=01");
    solve("01_serial");
    accept("01_serial");
    shell("build/referee predict --step 02 --predict_speedup 2 --predict_limit rsqrt >/dev/null");
    add_check("02_openmp", "wrong", "n = 2", "n = 2");
    result = run("build/referee next");
    assert_code(result, 0);
    assert_says(result.out, "02_openmp: ");
    assert_says(result.out, "make hint STEP=02");
    assert_null(strstr(result.out, "make predict"));
    assert_null(strstr(result.out, "**"));
    accept("05_tiling"); /* begun in the middle */
    TELLS("build/referee next", "06_unroll: not begun\n");
    add_check("06_unroll", "idea", "line 70", "line 70");
    accept("07_device_integration");
    TELLS("build/referee next", "06_unroll: ");
    for (;; i++) {
        char name[40];

        result = run("ls -d steps/*/ | awk -F/ 'NR == %d { printf \"%%s\", $2 }'", i + 1);
        snprintf(name, sizeof name, "%s", result.out);
        if (!*name)
            break;
        solve(name);
        accept(name);
    }
    snprintf(all, sizeof all, "All %d steps are accepted.\n", i);
    TELLS("build/referee next", all);
    shell("echo >>steps/07_device_integration/nbody.cu");
    TELLS("build/referee next", "07_device_integration: accepted; changed since\n");
}

/* Neither builds anything and writes nothing. */
TEST_IN(begin_anew, NULL, test_nothing_is_built) {
    struct result result;

    shell("rm -rf build/steps");
    TELLS("build/referee progress && build/referee next", "12_float4");
    assert_int_not_equal(access("build/steps", F_OK), 0);
    result = run("build/referee progress --machine ../m");
    assert_one_line(result, 3, "MACHINE=../m", "letters");
    assert_int_not_equal(access("results", F_OK), 0); /* and nothing is written */
}

/* A slip in the command says nothing of the step. */
TEST_IN(begin_anew, NULL, test_a_wrong_command_is_no_check) {
    struct result result = run("build/referee check --step 01 --variant nope");

    assert_code(result, 5);
    assert_int_equal(access("results/journal.tsv", F_OK), -1);
}

GROUP(enter_course, leave_tree)
