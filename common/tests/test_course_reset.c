/* `make reset` and `make watch`: the skeleton comes back and nothing of the learner's is lost; a
 * save, however an editor does it, is one check. Run from the repository's root. */
#include "testing.h"

#include <signal.h>

#include "course.h"

TEST_IN(begin_anew, NULL, test_reset) {
    shell("printf 'mine \xc3\xa4\\r\\n' >steps/05_tiling/nbody.cu && cp steps/05_tiling/nbody.cu "
          "build/first && echo kept >steps/05_tiling/nbody.cu.2");
    TELLS("make -s reset STEP=05", "steps/05_tiling/nbody.cu is as it was handed out; yours is "
                                   "kept as steps/05_tiling/nbody.cu.1\n");
    shell("cmp steps/05_tiling/nbody.cu build/skeletons/steps/05_tiling/nbody.cu && cmp "
          "build/first steps/05_tiling/nbody.cu.1");
    shell("echo second >steps/05_tiling/nbody.cu");
    TELLS("make -s -C steps/05_tiling reset", "kept as steps/05_tiling/nbody.cu.3\n");
    shell("[ \"$(cat steps/05_tiling/nbody.cu.[23] | tr '\\n' ' ')\" = 'kept second ' ]");
    assert_one_line(run("build/referee reset --step 05"), 14, "05_tiling/nbody.cu is as it was",
                    "nothing to reset");
    assert_one_line(run("build/referee reset"), 3, "reset needs a step", "make reset STEP=");
    shell("rm steps/05_tiling/nbody.cu");
    TELLS("build/referee reset --step 05", "steps/05_tiling/nbody.cu is as it was handed out\n");
    shell("cmp steps/05_tiling/nbody.cu build/skeletons/steps/05_tiling/nbody.cu");
}

/* 09's flags are put back by themselves; without solutions the skeleton is the export's. */
TEST_IN(begin_anew, NULL, test_reset_elsewhere) {
    shell("echo -ftz=true >>steps/09_ftz/flags");
    TELLS("build/referee reset --step 09", "kept as steps/09_ftz/flags.1\n");
    assert_int_not_equal(access("steps/09_ftz/nbody.cu.1", F_OK), 0);
    shell("grep -q ftz=true steps/09_ftz/flags.1 && rm steps/09_ftz/flags.1");
    shell("mv solutions build/kept && echo x >steps/01_serial/nbody.c");
    assert_one_line(run("build/referee reset --step 01"), 6,
                    "steps/01_serial/nbody.c has no "
                    "skeleton",
                    "steps/.skeletons");
    shell("mkdir -p steps/.skeletons/01_serial && echo given >steps/.skeletons/01_serial/nbody.c");
    TELLS("build/referee reset --step 01", "kept as steps/01_serial/nbody.c.1");
    shell("grep -qx given steps/01_serial/nbody.c && grep -qx x steps/01_serial/nbody.c.1");
    shell("mv build/kept solutions && rm -r steps/.skeletons");
}

/* Nothing is lost if the copy or the skeleton cannot be written. */
TEST_IN(begin_anew, NULL, test_reset_that_fails) {
    struct result result;

    shell("echo mine >steps/01_serial/nbody.c && mkdir steps/01_serial/nbody.c.new");
    result = run("build/referee reset --step 01");
    assert_code(result, 10);
    assert_says(result.err, "steps/01_serial/nbody.c stays as it is");
    shell("grep -qx mine steps/01_serial/nbody.c && rmdir steps/01_serial/nbody.c.new");
}

static pid_t watching; /* 0: nobody is */

/* A test that failed leaves nobody watching. */
static int stop_watching(void **state) {
    (void)state;
    if (watching) {
        kill(watching, SIGKILL);
        waitpid(watching, NULL, 0);
    }
    watching = 0;
    return 0;
}

/* Starts watching; `before` stands before the command. */
static void start_watching(const char *before) {
    char command[256];

    snprintf(command, sizeof command, "%s exec build/referee watch --step 01", before);
    watching = start_command(command, "watch");
}

/* Waits until the watch has said that so many times on stderr. */
static void wait_for(int count, const char *text) {
    int tenths;

    for (tenths = 0; tenths < 600; tenths++) {
        struct result result = run("grep -c '%s' build/watch.err", text);
        int found = atoi(result.out);

        if (found == count)
            return;
        if (found > count)
            fail_msg("%d times, not %d: %s", found, count, text);
        usleep(100000);
    }
    fail_msg("not %d times: %s", count, text);
}

static void wait_for_checks(int count) {
    wait_for(count, "does not compile");
}

static struct result end_watching(int by) {
    pid_t child = watching;

    kill(child, by);
    watching = 0;
    return end_command(child, "watch");
}

TEST_IN(begin_anew, stop_watching, test_watch) {
    struct result result;

    shell("echo one >steps/01_serial/nbody.c");
    start_watching("");
    wait_for_checks(1);
    /* In place; by another file that takes its place; in a burst. */
    shell("echo two >steps/01_serial/nbody.c");
    wait_for_checks(2);
    shell("echo three >steps/01_serial/.n && mv steps/01_serial/.n steps/01_serial/nbody.c");
    wait_for_checks(3);
    shell("for i in 1 2 3 4 5; do echo $i >steps/01_serial/nbody.c; done");
    wait_for_checks(4);
    /* What else happens there is no save. */
    shell("touch steps/01_serial/.swap && rm steps/01_serial/.swap && sleep 1.5");
    wait_for_checks(4);
    result = end_watching(SIGINT);
    assert_code(result, 0);
    assert_string_equal(result.out, ""); /* no verdict: none of them compiled */
    assert_null(strstr(result.err, "inotify"));
}

/* A crash of the check is no end of the watch. Here make, which the check starts, crashes it. */
TEST_IN(begin_anew, stop_watching, test_watch_outlives_a_check) {
    struct result result;

    shell("mkdir -p build/bin && printf '#!/bin/sh\\nkill -SEGV $PPID\\n' >build/bin/make && chmod "
          "+x build/bin/make && echo one >steps/01_serial/nbody.c");
    start_watching("PATH=build/bin:$PATH");
    wait_for(1, "still watching");
    shell("rm build/bin/make && echo two >steps/01_serial/nbody.c");
    wait_for_checks(1);
    result = end_watching(SIGTERM);
    assert_code(result, 0);
    assert_says(result.err, "the check was ended by a signal (Segmentation fault); still watching");
}

/* Where inotify fails, as with too many watches, it looks by itself, and says so. */
TEST_IN(begin_anew, stop_watching, test_watch_without_inotify) {
    struct result result;

    shell("printf '#include <errno.h>\\nint inotify_init1(int f) { (void)f; errno = EMFILE; return "
          "-1; }\\n' >build/no.c && ${CC:-cc} -shared -fPIC -o build/no.so build/no.c && echo one "
          ">steps/01_serial/nbody.c");
    start_watching("LD_PRELOAD=$PWD/build/no.so");
    wait_for_checks(1);
    shell("echo two >steps/01_serial/nbody.c");
    wait_for_checks(2);
    result = end_watching(SIGINT);
    assert_code(result, 0);
    assert_says(result.err, "inotify cannot be used (Too many open files): looking at "
                            "steps/01_serial each second instead\n");
}

/* As another user than root, who may write everywhere. */
static const char *as_nobody(void) {
    return geteuid() ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups";
}

TEST_IN(begin_anew, stop_watching, test_watch_refused) {
    assert_one_line(run("build/referee watch"), 3, "watch needs a step", "make watch STEP=");
    assert_one_line(run("build/referee watch --step 01 --file Makefile"), 3, "your own source",
                    "FILE");
    shell("chmod 755 . && chmod a-w steps/01_serial");
    assert_one_line(run("timeout 20 %s build/referee watch --step 01", as_nobody()), 14,
                    "steps/01_serial cannot be written", "nobody can save there");
    shell("chmod a-rx steps/01_serial");
    assert_one_line(run("timeout 20 %s build/referee watch --step 01", as_nobody()), 6,
                    "steps/01_serial cannot be read", "Permission denied");
    shell("chmod 755 steps/01_serial && rm steps/01_serial/nbody.c");
    assert_one_line(run("build/referee watch --step 01"), 6,
                    "steps/01_serial/nbody.c cannot be "
                    "read",
                    "No such file");
}

GROUP(enter_course, leave_tree)
