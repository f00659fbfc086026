/* The step's process below others, and whether it is stopped. */
#include "testing.h"

#include <linux/capability.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "one_cpu.h"
#include "referee/base/clock.h"
#include "referee/play/process_tree.h"

static const char sleeper[] = "/bin/sleep";

/* Starts a command; as another user if `user` is not 0. */
static pid_t start(char *const words[], uid_t user) {
    pid_t child = fork();

    if (child == 0) {
        setpgid(0, 0);
        if (user && (setresgid(user, user, user) || setresuid(user, user, user)))
            _exit(1);
        execv(words[0], words);
        _exit(127);
    }
    setpgid(child, child);
    return child;
}

static void end(pid_t child) {
    kill(-child, SIGKILL);
    kill(-child, SIGCONT);
    waitpid(child, NULL, 0);
}

/* Asks until there is an answer, or ten seconds are over. */
static pid_t found_below(pid_t top) {
    struct stat program;
    pid_t found = 0;
    int i;

    assert_int_equal(stat(sleeper, &program), 0);
    for (i = 0; i < 1000 && !found; i++) {
        found = process_running(top, &program);
        usleep(found ? 0 : 10000);
    }
    return found;
}

static void work(double seconds) {
    for (double end = clock_now() + seconds; clock_now() < end;)
        ;
}

static void *work_long(void *until) {
    work(0.8);
    sem_wait(until);
    return NULL;
}

/* Half of the time each thread waits for the one CPU; the one that worked and waited longer did so
 * before. */
TEST(test_a_thread_that_worked_and_waited_less_than_another) {
    pid_t other;
    pthread_t thread;
    cpu_set_t before = take_one_cpu();
    double begin, worked, waited, most;
    struct thread_times earlier;
    sem_t until;

    if (!(other = fork())) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(1000);
    }
    sem_init(&until, 0, 0);
    assert_int_equal(pthread_create(&thread, NULL, work_long, &until), 0);
    usleep(1000000);
    earlier = thread_times_of(getpid());
    begin = clock_now();
    work(0.2);
    most_since(&earlier, getpid(), &worked, &waited);
    most = clock_now() - begin + 0.01;
    sem_post(&until);
    pthread_join(thread, NULL);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(worked > 0.02 && worked < most);
    assert_true(waited > 0.02 && waited < most);
}

TEST(test_running) {
    pid_t alone = start((char *[]){"/bin/sleep", "100", NULL}, 0);
    pid_t shell = start((char *[]){"/bin/sh", "-c", "sh -c 'sleep 100; :'; :", NULL}, 0);
    struct stat other;
    pid_t below;

    assert_int_equal(found_below(alone), alone);
    below = found_below(shell);
    assert_true(below > 0 && below != shell);
    assert_int_equal(getpgid(below), shell);
    assert_int_equal(stat("/bin/cat", &other), 0);
    assert_int_equal(process_running(shell, &other), 0);
    end(alone);
    end(shell);
    assert_int_equal(process_running(alone, &other), 0);
}

TEST(test_stopped) {
    pid_t child = start((char *[]){"/bin/sleep", "100", NULL}, 0);
    int i;

    assert_int_equal(found_below(child), child);
    assert_false(process_is_stopped(child));
    kill(child, SIGSTOP);
    for (i = 0; i < 1000 && !process_is_stopped(child); i++)
        usleep(1000);
    assert_true(process_is_stopped(child));
    kill(child, SIGCONT);
    for (i = 0; i < 1000 && process_is_stopped(child); i++)
        usleep(1000);
    assert_false(process_is_stopped(child));
    end(child);
    assert_true(process_is_stopped(child)); /* of what is gone nothing runs */
}

/* As root in a container: without the right to see what another user's process runs. */
TEST(test_hidden) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    pid_t alone, asker;
    int status;

    if (geteuid() != 0) {
        print_message("another user needs root; skipped\n");
        skip();
    }
    alone = start((char *[]){"/bin/sleep", "100", NULL}, 65534);
    assert_int_equal(found_below(alone), alone);
    if ((asker = fork()) == 0) {
        struct stat program;

        _exit(stat(sleeper, &program) || syscall(SYS_capset, &header, none) ||
              access("/proc/self/exe", F_OK) || process_running(alone, &program) != alone);
    }
    waitpid(asker, &status, 0);
    assert_int_equal(status, 0);
    end(alone);
}
