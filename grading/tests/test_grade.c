/* The grader's program as an instructor meets it, with a script in the referee's place. */
#include "testing.h"

#include <sys/file.h>
#include <time.h>

#include "grader.h"
#include "query.h"

TEST_IN(begin, NULL, test_flow) {
    assert_grades(0, all);
    assert_says("out.txt", "in: 4 submissions, 4 of them new");
    assert_says("out.txt", "4 students. out: grades.csv");
    assert_true(shell("grep -q 'ne .*,' out/grades.csv && [ ! -e out/tasks ]"));
    /* 2 solutions, 5 checks; a speed of the good and the wrong one is decided at once, or not
     * looked at; an inconclusive one is measured three times. */
    assert_true(shell("[ $(grep -c ^check runs) = 7 ]"));
    assert_true(shell("[ $(grep -c '^compare 02_openmp' runs) -ge 4 ]"));
    assert_true(shell("grep -q 01_serial out.txt && grep -q '^02_openmp .* 4 ' out.txt"));

    /* Again: nothing runs, and the files are the same. */
    assert_true(shell("rm -rf out2 runs; cp -r out out2"));
    assert_grades(0, all);
    assert_says("out.txt", "in: 4 submissions, 0 of them new");
    assert_true(
        shell("[ ! -e runs ] && rm out/gradebook.sqlite out2/gradebook.sqlite && diff -r out "
              "out2"));
}

TEST_IN(begin, NULL, test_steps_alone) {
    assert_true(shell("mkdir in/eve && cp solutions/01_serial/nbody.c in/eve"));
    assert_grades(0, "grade --submissions in --out out --steps 01");
    assert_true(shell("grep -q '^eve,.*,94,' out/grades.csv")); /* a lone file is the one step's */
    assert_true(shell("! grep -q 02_openmp runs"));
    assert_true(shell("! grep -q 02_openmp out/grades.csv"));
    /* With 02 too, bo's is the same submission. */
    assert_grades(0, all);
    assert_true(shell("[ $(grep -c '^check 01' runs) = 3 ] && grep -q 02_openmp out/grades.csv"));
}

TEST_IN(begin, NULL, test_a_new_attempt) {
    assert_grades(0, all);
    hand_in("bo", "02_openmp", "better");
    assert_grades(0, all);
    assert_says("out.txt", "1 of them new");
    assert_true(shell("[ $(grep -c ^check runs) = 9 ]")); /* both steps of the new attempt */
}

TEST_IN(begin, NULL, test_rubric) {
    assert_grades(0, all);
    assert_true(shell("rm runs; cp out/grades.csv before; sed -i 's/^idea = 35/idea = 80/' "
                      "grading/rubric.ini"));
    assert_grades(0, "regrade --out out");
    assert_true(shell("[ ! -e runs ] && ! cmp -s before out/grades.csv"));
    assert_true(shell("echo 'nonsense = 3' >>grading/rubric.ini; cp out/grades.csv before"));
    assert_refused(OUTCOME_RUBRIC, all, "grading/rubric.ini:");
    assert_refused(OUTCOME_RUBRIC, "regrade --out out", "nonsense");
    assert_true(shell("[ ! -e runs ] && cmp before out/grades.csv"));
    assert_grades(0, "regrade --out out --rubric \"$TOP\"/grading/rubric.ini");
}

TEST_IN(begin, NULL, test_complaint) {
    assert_grades(0, all);
    assert_grades(0, "regrade --out out --student bo --step 02");
    assert_says("out.txt", "stored    wrong");
    assert_says("out.txt", "repeated  wrong");
    assert_says("out.txt", "the same");
    assert_says("out.txt", "255 uniform");
    assert_true(shell("eval $(sed -n 's/.*by hand  *make check STEP=02 \\(FILE=[^ ]*\\) "
                      "\\(SEED=[0-9]*\\)$/\\1 \\2/p' out.txt); grep -q 'VERDICT wrong' $FILE && "
                      "grep -q \"\\\"seed\\\": $SEED,\" out/regrade/*.json"));

    /* What never came out clearly is timed once more, and that counts. */
    assert_grades(0, "regrade --out out --student dora");
    assert_says("out.txt", "Its speed was measured 4 times");
    assert_true(shell("cp out/grades.csv before; sed -i /^compareslow/d build/referee"));
    assert_grades(0, "regrade --out out --student dora");
    assert_says("out.txt", "now       25 of 25 points; 0.95 times");
    assert_true(shell("! cmp -s before out/grades.csv && [ $(grep -c ^compare runs) = 7 ]"));

    write_script("build/referee", "#!/bin/sh\nexit 20\n");
    assert_grades(OUTCOME_INCONCLUSIVE, "regrade --out out --student bo --step 02");
    assert_says("err.txt", "has another result");
    assert_says("out.txt", "repeated  crashed");
    write_script("build/referee", honest); /* what is stored stays */
    assert_grades(0, "regrade --out out --student bo");
    assert_refused(OUTCOME_USAGE, "regrade --out out --student nobody", "nobody");
    assert_refused(OUTCOME_NO_STEP, "regrade --out out --student bo --step 88", "88");
    assert_refused(OUTCOME_NO_SOURCE, "regrade --out out --student bo --step 03", "03_cuda_naive");
}

TEST_IN(begin, NULL, test_solution_fails) {
    assert_true(shell("echo '/* VERDICT wrong */' >>solutions/02_openmp/nbody.c"));
    assert_grades(OUTCOME_WRONG, all);
    assert_says("err.txt", "solution of 02_openmp fails");
    assert_true(shell("! grep -q ' in/' runs && [ ! -e out/grades.csv ]"));
    assert_true(shell("cp \"$TOP/solutions/02_openmp/nbody.c\" solutions/02_openmp"));
    assert_grades(0, all);
}

TEST_IN(begin, NULL, test_not_done) {
    write_script("build/referee", "#!/bin/sh\ngrep -q 'VERDICT wrong' $7 && exit 1\nexec sh honest "
                                  "\"$@\"\n");
    write_file("honest", honest);
    assert_grades(OUTCOME_INTERNAL, all);
    assert_says("err.txt", "1 measurements could not be done");
    assert_true(shell("[ -s out/grades.csv ]")); /* of the others */
    write_script("build/referee", honest);
    assert_true(shell("rm runs"));
    assert_grades(0, all);
    assert_true(shell("[ $(grep -c ^check runs) = 1 ]"));
}

/* A time without a zone is read anew with the rubric's, wherever the grader runs. */
TEST_IN(begin, NULL, test_time_zone) {
    static const char *const graders[] = {"UTC", "Asia/Kathmandu"};
    sqlite3 *db;
    size_t i;

    assert_grades(0, all);
    assert_int_equal(sqlite3_open("out/gradebook.sqlite", &db), SQLITE_OK);
    assert_int_equal(query_do(db,
                              "INSERT INTO clock SELECT id, '2026-11-30T12:00:00' FROM submission "
                              "WHERE student = 'dora'",
                              ""),
                     0);
    sqlite3_close(db);
    for (i = 0; i < 2; i++) {
        setenv("TZ", graders[i], 1);
        assert_true(shell("sed -i 's/^time_zone = .*/time_zone = Asia\\/Kathmandu/; "
                          "s/^due_utc =.*/due_utc = 2026-11-30T06:15:00Z/' grading/rubric.ini"));
        assert_grades(0, "regrade --out out");
        assert_says("out/grades_by_step.csv", "dora,02_openmp,1,2026-11-30T06:15:00Z,0,");
        assert_says("out/feedback/dora.md", "2026-11-30T06:15:00Z, which is 2026-11-30 12:00:00 in "
                                            "Asia/Kathmandu");
        assert_says("out/class.html", "taken as times in Asia/Kathmandu");
        assert_true(shell("sed -i 's/^time_zone = .*/time_zone = UTC/' grading/rubric.ini"));
        assert_grades(0, "regrade --out out");
        assert_says("out/grades_by_step.csv", "dora,02_openmp,1,2026-11-30T12:00:00Z,1,");
    }
    unsetenv("TZ");
    /* What an instructor says later wins. */
    write_file("in/times.tsv", "dora\t2026-11-30T00:00:00Z\n");
    assert_grades(0, all);
    assert_says("out/grades_by_step.csv", "dora,02_openmp,1,2026-11-30T00:00:00Z,0,");
}

/* The rubric of a gradebook stays its own, and a step of few is told of before it is measured. */
TEST_IN(begin, NULL, test_same_rubric) {
    assert_true(shell("sed 's/^compiles = .*/compiles = 7/' grading/rubric.ini >mine.ini"));
    assert_grades(0, "grade --submissions in --out out --rubric mine.ini");
    assert_says("err.txt", "warning: 1 of 4 students handed in 01_serial, of which all others get "
                           "0; STEPS= names");
    assert_true(shell("! grep -q 02_openmp, err.txt && cp out/grades.csv before"));
    assert_grades(0, "regrade --out out");
    assert_says("out.txt", "out was graded by the rubric mine.ini, and is graded by it again");
    assert_true(shell("cmp before out/grades.csv"));
    assert_grades(0, all);
    assert_true(shell("cmp before out/grades.csv"));
    assert_grades(0, "regrade --out out --rubric grading/rubric.ini");
    assert_true(shell("! cmp -s before out/grades.csv"));
    assert_grades(0, "regrade --out out");
    assert_true(shell("! grep -q 'was graded by' out.txt"));
    /* Fewer steps are no other attempt. */
    assert_grades(0, "grade --submissions in --out out --steps 01");
    assert_says("out.txt", "0 of them new");
    assert_true(shell("! grep -q warning err.txt && grep -q '^bo,01_serial,1,' "
                      "out/grades_by_step.csv"));
    assert_true(shell("rm mine.ini"));
}

/* What went wrong for the machine's sake is shown, not only that something did. */
TEST_IN(begin, NULL, test_says_what_was_said) {
    write_script("build/referee", "#!/bin/sh\necho 'sandbox: no mounts here' >&2\n"
                                  "echo 'error: make could not build it' >&2; exit 1\n");
    assert_grades(OUTCOME_INTERNAL, all);
    assert_says("err.txt", "sandbox: no mounts here\n");
    assert_says("err.txt", "could not be done: error: make could not build it\n");
    write_script("build/referee", honest);
    assert_true(shell("echo '/* VERDICT compile */' >>solutions/02_openmp/nbody.c"));
    assert_grades(OUTCOME_COMPILE, all);
    assert_says("err.txt", "nbody.c:3: error: no\n");
    assert_says("err.txt", "the course's own solution of 02_openmp fails on this machine");
}

TEST_IN(begin, NULL, test_bad_input) {
    int lock;

    assert_refused(OUTCOME_USAGE, "grade --out out", "SUBMISSIONS=");
    assert_refused(OUTCOME_SUBMISSIONS, "grade --submissions nowhere --out out", "nowhere");
    assert_refused(OUTCOME_SUBMISSIONS, "grade --submissions steps/05_tiling/manifest --out out",
                   "is a file");
    assert_true(shell("mkdir -p empty"));
    assert_refused(OUTCOME_SUBMISSIONS, "grade --submissions empty --out out", "empty");
    assert_refused(OUTCOME_NO_STEP, "grade --submissions in --out out --steps 01-77", "77");
    assert_refused(OUTCOME_USAGE, "grade --submissions in --out out --engine cloud", "local or");
    assert_refused(OUTCOME_USAGE, "grade --n 5", "--n");
    assert_refused(OUTCOME_USAGE, "grade --student anna", "STUDENT is not for grade");
    assert_refused(OUTCOME_USAGE, "calibrate --out out", "takes STEPS;");
    assert_refused(OUTCOME_USAGE, "praise", "praise");
    assert_refused(OUTCOME_USAGE, "regrade --out nowhere", "nowhere");
    assert_int_not_equal(access("nowhere", F_OK), 0);
    write_file("file", "");
    assert_refused(OUTCOME_RESULTS, "grade --submissions in --out file", "file");
    lock = open("out", O_RDONLY);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    assert_refused(OUTCOME_LOCKED, all, "another grader");
    close(lock);
    write_script("build/sandbox", "#!/bin/sh\necho '0: neither'\n");
    assert_grades(OUTCOME_SANDBOX, all);
    write_script("build/sandbox", "#!/bin/sh\necho 2\n");
    assert_says("err.txt", "neither");
    assert_grades(0, all);
}

GROUP(enter, leave_course)
