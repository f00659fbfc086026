/* The local engine, with scripts in the referee's place. */
#include "testing.h"

#include <sys/file.h>

#include "engine.h"
#include "fake_course.h"
#include "folder.h"
#include "turn.h"

static int count(const struct task *task, enum outcome outcome, void *context) {
    int *counts = context;

    (void)task;
    counts[outcome != OUTCOME_ACCEPTED]++;
    return 0;
}

static void make_tasks(struct task *tasks, int number, enum task_kind kind) {
    int i;

    for (i = 0; i < number; i++)
        tasks[i] = (struct task){.entry = i + 1,
                                 .kind = kind,
                                 .step = "02_openmp",
                                 .seed = (uint64_t)i,
                                 .source = "solutions/02_openmp/nbody.c"};
}

TEST(test_engine) {
    struct task tasks[6];
    int counts[2] = {0}, i;
    char path[PATH_BYTES];

    mkdir("tasks", 0700);
    make_tasks(tasks, 6, TASK_CHECK);
    referee("read seed; [ $seed != 3 ] || exit 1; printf '{\"seed\": %s}' $seed");
    assert_int_equal(engine_local(tasks, 6, "tasks", count, counts), OUTCOME_ACCEPTED);
    assert_int_equal(counts[0], 5);
    assert_int_equal(counts[1], 1);
    for (i = 0; i < 6; i++) {
        engine_result(&tasks[i], "tasks", path);
        assert_int_equal(!access(path, R_OK), i != 3);
    }
}

TEST(test_speeds_one_at_a_time) {
    struct task tasks[4];
    int counts[2] = {0};

    make_tasks(tasks, 4, TASK_SPEED);
    referee("[ $1 = compare ] || exit 1; mkdir busy || exit 1; sleep 0.1; rmdir busy");
    assert_int_equal(engine_local(tasks, 4, "tasks", count, counts), OUTCOME_ACCEPTED);
    assert_int_equal(counts[0], 4);
}

/* Another grader's timing is waited for. */
TEST(test_speeds_wait_for_others) {
    struct task task;
    int counts[2] = {0}, turn = turn_take(TASK_SPEED, 0);
    pid_t child;

    make_tasks(&task, 1, TASK_SPEED);
    referee("[ -e free ]");
    if ((child = fork()) == 0) {
        usleep(300000);
        write_file("free", "");
        _exit(0); /* its copy of the lock goes with it */
    }
    close(turn);
    assert_int_equal(engine_local(&task, 1, "tasks", count, counts), OUTCOME_ACCEPTED);
    assert_int_equal(counts[0], 1);
    waitpid(child, NULL, 0);
}

static pid_t start_engine(struct task *task) {
    pid_t child;

    make_tasks(task, 1, TASK_CHECK);
    unlink("pid");
    referee("sh -c 'echo $$ >pid; echo $TMPDIR >folder; exec sleep 600'");
    if ((child = fork()) == 0) {
        int counts[2] = {0};

        engine_stop_on_signals();
        _exit((int)engine_local(task, 1, "tasks", count, counts));
    }
    while (access("folder", R_OK) || !*read_file("folder", NULL))
        usleep(10000);
    return child;
}

static void assert_cleared(void) {
    char *path = read_file("folder", NULL);
    int tries;

    assert_true(is_gone("pid"));
    path[strlen(path) - strlen("/build\n")] = 0;
    for (tries = 0; tries < 300 && !access(path, F_OK); tries++)
        usleep(20000);
    assert_true(tries < 300);
    free(path);
    unlink("folder");
}

TEST(test_stopped) {
    struct task task;
    pid_t child = start_engine(&task);
    int status;

    kill(child, SIGINT);
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), OUTCOME_STOPPED);
    assert_cleared();
}

TEST(test_grader_killed) {
    struct task task;
    pid_t child = start_engine(&task);

    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_cleared();
}

TEST(test_leftovers) {
    char left[] = "/tmp/course-grading.XXXXXX", held[] = "/tmp/course-grading.XXXXXX";
    char path[64];
    int lock;

    assert_non_null(mkdtemp(held));
    assert_true((lock = open(held, O_RDONLY)) >= 0 && !flock(lock, LOCK_EX));
    assert_non_null(mkdtemp(left));
    snprintf(path, sizeof path, "%s/build", left);
    mkdir(path, 0); /* closed even to its owner */
    folder_remove_left();
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(held, F_OK), 0);
    close(lock);
    folder_delete(held);
    assert_int_not_equal(access(held, F_OK), 0);
}

TEST(test_list) {
    struct task tasks[3];
    struct stat status;

    make_tasks(tasks, 3, TASK_CHECK);
    tasks[1].seed = 281474976710655;
    tasks[1].source = "a folder/nbody.c";
    mkdir("a folder", 0700);
    write_file("a folder/nbody.c", "");
    referee("read seed; [ $seed = 281474976710655 ] && exit 7; exit 8");
    assert_int_equal(engine_list_write(tasks, 3, "tasks/list"), 0);
    assert_int_equal(stat("tasks/list", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    if (fork() == 0)
        _exit((int)engine_list_do("tasks/list", 1));
    wait(NULL);
    json_t *whole = json_load_file("tasks/2-check-0.json", 0, NULL);
    assert_string_equal(field(whole, "outcome"), "compile");
    json_decref(whole);
    assert_int_equal(engine_list_do("tasks/list", 3), OUTCOME_USAGE);
}

GROUP(enter_course, leave_course)
