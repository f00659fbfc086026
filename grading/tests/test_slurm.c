/* ENGINE=slurm on a cluster of two nodes, both on this machine. The referee is a script that sleeps
 * and writes down what it was asked for and where. */
#define OWN_MAIN
#include "testing.h"

#include <signal.h>

#include "engine.h"
#include "files.h"

enum { MOST = 6 };

static char tree[64], root[256], cluster[80];
static struct task tasks[MOST];
static int told[MOST]; /* how often the engine told of a task */
static enum outcome outcomes[MOST];
static int stop_at; /* the engine is to stop when so many were told of; 0: never */

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...) {
    char command[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return system(command);
}

static int tell(const struct task *task, enum outcome outcome, void *context) {
    int i, all = 0;

    (void)context;
    outcomes[task->entry] = outcome;
    told[task->entry]++;
    for (i = 0; i < MOST; i++)
        all += told[i];
    return stop_at && all >= stop_at;
}

/* How many lines of the referee's log begin with this. */
static int lines(const char *beginning) {
    char *log = read_file("log", NULL), *line;
    int count = 0;

    for (line = log; line && *line; line = strchr(line, '\n') + 1)
        count += !strncmp(line, beginning, strlen(beginning));
    free(log);
    return count;
}

static void wait_for_lines(const char *beginning, int count) {
    int tries = 0;

    while (lines(beginning) < count && ++tries < 300)
        usleep(100000);
    assert_true(lines(beginning) >= count);
}

static int begin_anew(void **state) {
    char configuration[PATH_BYTES];
    int i;

    (void)state;
    memset(told, 0, sizeof told);
    stop_at = 0;
    for (i = 0; i < MOST; i++)
        tasks[i] = (struct task){.entry = i,
                                 .step = "01_serial",
                                 .seed = (uint64_t)i,
                                 .source = "out put/nbody.c",
                                 .level = 2};
    snprintf(configuration, sizeof configuration, "%s/slurm.conf", cluster);
    setenv("SLURM_CONF", configuration, 1);
    return shell("rm -rf 'out put' log; mkdir 'out put' && touch 'out put/nbody.c' log");
}

static void assert_all_arrived_once(void) {
    char path[PATH_BYTES];
    int i;

    for (i = 0; i < MOST; i++) {
        assert_int_equal(told[i], 1);
        assert_int_equal(outcomes[i], OUTCOME_ACCEPTED);
        engine_result(&tasks[i], "out put", path);
        assert_int_equal(access(path, F_OK), 0);
    }
}

/* Grades in a process of its own. */
static pid_t grade_beside(int count) {
    pid_t grader = fork();

    if (!grader)
        _exit(engine_slurm(tasks, count, "out put", tell, NULL));
    return grader;
}

/* What was sent is found again by the next call, and done once. */
TEST_IN(begin_anew, NULL, test_submitter_is_killed) {
    pid_t grader = grade_beside(MOST);
    int i;

    wait_for_lines("", 1);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
    assert_int_equal(engine_slurm(tasks, MOST, "out put", tell, NULL), OUTCOME_ACCEPTED);
    assert_all_arrived_once();
    for (i = 0; i < MOST; i++) {
        char beginning[8];

        snprintf(beginning, sizeof beginning, "%d ", i);
        assert_int_equal(lines(beginning), 1);
    }
}

/* Nothing runs on once the caller wants no more. */
TEST_IN(begin_anew, NULL, test_stop) {
    struct stat list;
    int i;

    for (i = 1; i < MOST; i++)
        tasks[i].seed = 100;
    stop_at = 1;
    assert_int_equal(engine_slurm(tasks, MOST, "out put", tell, NULL), OUTCOME_STOPPED);
    assert_int_equal(stat("out put/slurm.tasks", &list), 0);
    assert_int_equal(list.st_mode & 0777, 0600); /* seeds are in it */
    assert_int_equal(shell("for try in $(seq 50); do "
                           "[ \"$(squeue --noheader)\" ] || exit 0; sleep 0.1; done; exit 1"),
                     0);
}

/* If all tasks fail for a reason of the machine's, another round would end the same. */
TEST_IN(begin_anew, NULL, test_nothing_can_be_done) {
    unlink("out put/nbody.c");
    ASSERT_COMPLAINS(engine_slurm(tasks, 2, "out put", tell, NULL), OUTCOME_INTERNAL,
                     "2 of 2 tasks came back from Slurm without a result: error: ");
    assert_non_null(strstr(complaint, "out put/nbody.c"));
    assert_int_equal(told[0] + told[1], 0);
}

/* One task that cannot be done is tried three times and told of, and the others arrive. */
TEST_IN(begin_anew, NULL, test_one_cannot_be_done) {
    tasks[1].source = "out put/missing.c";
    assert_int_equal(engine_slurm(tasks, 2, "out put", tell, NULL), OUTCOME_ACCEPTED);
    assert_int_equal(told[0] + 2 * told[1], 3);
    assert_int_equal(outcomes[0], OUTCOME_ACCEPTED);
    assert_int_equal(outcomes[1], OUTCOME_INTERNAL);
}

/* A node is lost with the tasks that run on it. */
TEST_IN(begin_anew, NULL, test_node_is_lost) {
    pid_t killer = fork();

    if (!killer) {
        while (!shell("! grep -q n1 log"))
            usleep(100000);
        _exit(shell("'%s/grading/tests/slurm_cluster.sh' kill-node '%s' 1", root, cluster));
    }
    assert_int_equal(engine_slurm(tasks, MOST, "out put", tell, NULL), OUTCOME_ACCEPTED);
    waitpid(killer, NULL, 0);
    assert_all_arrived_once();
    assert_true(lines("") > MOST); /* some were begun on the lost node */
}

TEST_IN(begin_anew, NULL, test_no_controller) {
    /* Where nobody listens. */
    shell("sed 's/^\\(SlurmctldPort\\|MessageTimeout\\)=.*/\\1=1/' '%s/slurm.conf' >dead.conf",
          cluster);
    setenv("SLURM_CONF", "dead.conf", 1);
    ASSERT_COMPLAINS(engine_slurm(tasks, MOST, "out put", tell, NULL), OUTCOME_INTERNAL,
                     "error: ENGINE=slurm finds no Slurm: ");
    assert_non_null(strstr(complaint, "Unable to contact slurm controller"));
}

/* As an instructor types it, in a copy of the course: its makefiles have an ENGINE of their own.
 * The referee is a script here, too, and newer than what make would build it from. */
TEST_IN(begin_anew, NULL, test_through_make) {
    assert_int_equal(
        shell(
            "mkdir course && cd '%s' && cp -a Makefile common steps solutions grading '%s/course' "
            "&& mkdir '%s/course/build' && cp -a build/accepts build/common build/cuda_to_cpp "
            "build/grade build/grading build/sandbox '%s/course/build'",
            root, tree, tree, tree),
        0);
    write_file("course/build/referee",
               "#!/bin/sh\n"
               "read -r seed\n"
               "echo \"$SLURMD_NODENAME $1\" >>log\n"
               "echo '{\"step\": \"01_serial\", \"outcome\": \"accepted\", \"verdicts\": []}'\n");
    assert_int_equal(shell("cd course && chmod 755 build/referee && mkdir -p in/ada/01_serial && "
                           "cp steps/01_serial/nbody.c in/ada/01_serial && env -u MAKEFLAGS -u "
                           "MAKEOVERRIDES make -s grade SUBMISSIONS=in ENGINE=slurm STEPS=01 "
                           "OUT='%s/course/a folder' >said 2>&1 || { cat said; exit 1; }",
                           tree),
                     0);
    /* The checks of the solution and the submission; nothing was done outside the nodes. */
    assert_int_equal(shell("cd course && [ $(grep -c '^n[12] check' log) = 2 ] && "
                           "! grep -v '^n[12] ' log && grep -q ada 'a folder/grades.csv' || { cat "
                           "log said; exit 1; }"),
                     0);
}

/* build/grade of the tree is this program itself. */
static int enter_cluster(void **state) {
    char self[256];

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree) || chdir(tree) ||
        !realpath("/proc/self/exe", self))
        return -1;
    snprintf(cluster, sizeof cluster, "%s/cluster", tree);
    write_file("referee", "#!/bin/sh\n"
                          "read -r seed\n"
                          "echo \"$seed $SLURMD_NODENAME\" >>log\n"
                          "[ $seed -lt 100 ] && sleep 1 || sleep 30\n"
                          "echo '{\"step\": \"01_serial\"}'\n");
    return shell("mkdir -p build grading/measure && chmod 755 . referee && mv referee build && "
                 "ln -s '%s' build/grade && ln -s '%s/grading/measure/slurm.sh' grading/measure && "
                 "'%s/grading/tests/slurm_cluster.sh' start '%s'",
                 self, root, root, cluster);
}

static int leave_cluster(void **state) {
    (void)state;
    shell("'%s/grading/tests/slurm_cluster.sh' stop '%s'", root, cluster);
    return chdir("/") || remove_folder(tree);
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "task")) {
        engine_stop_on_signals();
        return engine_list_do(argv[2], atoi(argv[3]));
    }
    if (shell("grading/tests/slurm_cluster.sh can")) {
        puts("skipped: no Slurm cluster can be started here; its reason stands above");
        return 0;
    }
    return run_listed(enter_cluster, leave_cluster);
}
