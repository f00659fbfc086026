/* A grader that is ended midway, by a full disk or a signal: nothing is lost, and the same command
 * goes on. */
#include "testing.h"

#include <signal.h>
#include <time.h>

#include "grader.h"
#include "query.h"

static int unmount(void **state) {
    (void)state;
    return system("umount out 2>/dev/null; true");
}

TEST_IN(begin, NULL, test_full_disk) {
    int blocks, full = 0;
    char command[256];

    for (blocks = 40; blocks < 1000; blocks += 60) { /* a file may grow to so many KiB */
        int code;

        snprintf(command, sizeof command,
                 "bash -c \"ulimit -f %d; exec '$TOP/build/grade' grade --submissions in --out "
                 "out\" >out.txt 2>err.txt",
                 blocks);
        code = WEXITSTATUS(system(command));
        if (!code)
            break;
        if (code != OUTCOME_FULL)
            fail_msg("ended with %d:\n%s", code, read_file("err.txt", NULL));
        full++;
    }
    assert_true(full > 0);
    assert_grades(0, all);
    assert_true(shell("[ $(grep -c ^check runs) -le 8 ]")); /* one may have been lost midway */
}

/* The same on a file system that is full indeed, which only root can make. */
TEST_IN(begin, unmount, test_full_file_system) {
    char command[128];
    int kilobytes, full = 0;

    if (!shell("mkdir out && mount -t tmpfs -o size=80k grading out 2>/dev/null")) {
        print_message("left out: no file system can be mounted here\n");
        skip();
    }
    for (kilobytes = 80; kilobytes < 2000; kilobytes += 80) {
        int code;

        snprintf(command, sizeof command, "mount -o remount,size=%dk out", kilobytes);
        assert_true(shell(command));
        if (!(code = grade("%s", all)))
            break;
        if (code != OUTCOME_FULL)
            fail_msg("ended with %d:\n%s", code, read_file("err.txt", NULL));
        assert_true(count_lines(read_file("err.txt", NULL)) > 0);
        full++;
    }
    assert_true(full > 0);
    assert_true(shell("[ -s out/grades.csv ] && umount out"));
}

/* A result that a killed grader had not taken over yet is not measured again. */
TEST_IN(begin, NULL, test_left_result) {
    char file[64];
    sqlite3 *db;
    sqlite3_stmt *row;

    assert_grades(0, all);
    assert_int_equal(sqlite3_open("out/gradebook.sqlite", &db), SQLITE_OK);
    row = sql_query(db, "SELECT entry, result FROM measurement WHERE outcome = 'wrong'", "");
    assert_true(query_row(row, NULL));
    mkdir("out/tasks", 0700);
    snprintf(file, sizeof file, "out/tasks/%s-check-0.json", query_text(row, 0));
    write_file(file, query_text(row, 1));
    assert_false(query_row(row, NULL));
    assert_int_equal(query_do(db, "DELETE FROM measurement WHERE outcome = 'wrong'", ""), 0);
    sqlite3_close(db);
    assert_true(shell("rm runs; cp out/grades.csv before"));
    assert_grades(0, all);
    assert_true(shell("[ ! -e runs ] && [ ! -e out/tasks ] && cmp before out/grades.csv"));
}

/* Killed at random, and stopped, the same command goes on; the files are those of an undisturbed
 * run. */
TEST_IN(begin, NULL, test_killed) {
    struct timespec now;
    int kills, status = 0;
    unsigned seed;

    assert_grades(0, "grade --submissions in --out out2");
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (unsigned)now.tv_nsec;
    print_message("seed %u\n", seed);
    for (kills = 0; kills < 11; kills++) {
        pid_t child = fork();
        char program[600];

        snprintf(program, sizeof program, "%s/build/grade", top);
        if (child == 0) {
            freopen("out.txt", "w", stdout);
            freopen("err.txt", "w", stderr);
            execl(program, "grade", "grade", "--submissions", "in", "--out", "out", (char *)NULL);
            _exit(127);
        }
        usleep((unsigned)rand_r(&seed) % 300000);
        kill(child, kills % 4 == 1 ? SIGINT : SIGKILL);
        waitpid(child, &status, 0);
        if (kills % 4 == 1 && WIFEXITED(status) && WEXITSTATUS(status)) {
            assert_int_equal(WEXITSTATUS(status), OUTCOME_STOPPED);
            assert_says("err.txt", "the same command goes on");
        }
    }
    assert_grades(0, all);
    assert_true(shell("rm -rf out/gradebook.sqlite* out2/gradebook.sqlite*; diff -rq out out2"));
}

GROUP(enter, leave_course)
