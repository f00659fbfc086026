/* The step's process below others, and whether it is stopped. */
#include "testing.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/syscall.h>

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
