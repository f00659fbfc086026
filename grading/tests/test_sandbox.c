/* What a program in the sandbox cannot do, each thing tried by a hostile program at both levels,
 * and what of it works without a sandbox. */
#include "testing.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <netinet/in.h>

#include "sandbox/sandboxed.h"

/* At level 2 it is there for more safety, and not on every kernel. */
static int has_landlock(void) {
    return syscall(444, NULL, 0, 1) > 0;
}

static const char *const purposes[] = {"build", "run", "sanitized", "inspect"};

/* What is to be tried in the next sandbox, all in one, and how it is to end there. */
static struct attempt {
    char what[160];
    const char *at_2, *at_1;
} attempts[64];
static int attempt_count;

/* Refused with that error at level 2 and at level 1. */
__attribute__((format(printf, 3, 4))) static void refused(const char *at_2, const char *at_1,
                                                          const char *format, ...) {
    struct attempt *attempt = &attempts[attempt_count++];
    va_list arguments;

    assert_true(attempt_count < 64);
    va_start(arguments, format);
    vsnprintf(attempt->what, sizeof attempt->what, format, arguments);
    va_end(arguments);
    attempt->at_2 = at_2;
    attempt->at_1 = at_1;
}

#define allowed(...) refused("done", "done", __VA_ARGS__)

static void try_all(const struct place *place, const char *purpose) {
    char list[4096] = "all", line[256];
    struct ending ending;
    int i, count = attempt_count;

    attempt_count = 0;
    for (i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %.160s", attempts[i].what);
    ending = tried(place, purpose, "%s", list);
    for (i = 0; i < count; i++) {
        snprintf(line, sizeof line, "%.160s %s\n", attempts[i].what,
                 *place->level == '2' ? attempts[i].at_2 : attempts[i].at_1);
        if (!strstr(ending.text, line))
            fail_msg("%s, %s: not \"%s\":\n%s", place->name, purpose, line, ending.text);
    }
}

/* Whether others than its owner may read the course. */
static int course_is_open(void) {
    return geteuid() ||
           !system("setpriv --reuid 61990 --regid 61990 --clear-groups test -r \"$PWD/Makefile\"");
}

/* ENOENT: bubblewrap does not show it, or it is not in the copy of a course that may not be read;
 * EACCES: Landlock forbids it. */
TEST(reads_nothing_of_others) {
    static const char *const course[] = {"solutions/05_tiling/nbody.cu", "grading/score.h",
                                         "common/problems/nbody/trusted.c", "Makefile", ".git"};
    const char *hidden = course_is_open() ? "EACCES" : "ENOENT";
    char here[512], what[1024];
    size_t purpose, i;

    assert_non_null(getcwd(here, sizeof here));
    snprintf(what, sizeof what, "read %s", secret);
    assert_true(succeeds_outside(what));
    assert_true(succeeds_outside("read /etc/shadow"));
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        refused("ENOENT", "EACCES", "read:%s", secret);
        refused("ENOENT", "EACCES", "read:%s/flags", top); /* without SOURCE beside it */
        refused("ENOENT", "EACCES", "read:/etc/shadow");
        refused("ENOENT", "EACCES", "read:/etc/passwd");
        refused(has_landlock() ? "EACCES" : "done", "EACCES", "list:/tmp");
        for (i = 0; i < sizeof course / sizeof *course; i++)
            refused("ENOENT", hidden, "read:%s/%s", here, course[i]);
        allowed("read:%s/hostile", build_folder);
        allowed("read:/usr/bin/env");
        refused(purpose ? "ENOENT" : "done", purpose ? hidden : "done",
                "read:%s/common/include/nbody.h", here);
        try_all(place, purposes[purpose]);
    }
}

/* Of SOURCE's folder a build sees the file and 09's flags. */
TEST(sees_the_source) {
    char source[128];

    snprintf(source, sizeof source, "%s/hostile.c", top);
    setenv("SOURCE", source, 1);
    FOR_EACH_PLACE(place) {
        allowed("read:%s", source);
        allowed("read:%s/flags", top);
        refused("EROFS", "EACCES", "write:%s", source);
        try_all(place, "build");
        refused("ENOENT", "EACCES", "read:%s", source);
        try_all(place, "run");
    }
    unsetenv("SOURCE");
}

TEST(writes_nothing) {
    static const char *const paths[] = {"/nbody-test-x",         "/tmp/nbody-test-x",
                                        "/dev/shm/nbody-test-x", "/dev/nbody-test-x",
                                        "build/nbody-test-x",    "/usr/nbody-test-x"};
    char what[256];
    size_t purpose, i;

    snprintf(what, sizeof what, "chmod 666 '%s'", secret);
    assert_int_equal(system(what), 0);
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        for (i = 0; i < sizeof paths / sizeof *paths; i++)
            refused("EROFS", "EACCES", "write:%s", paths[i]);
        refused("ENOENT", "EACCES", "write:/var/tmp/nbody-test-x");
        refused("ENOENT", "EACCES", "write:%s", secret);
        refused("ENOENT", "EACCES", "truncate:%s", secret);
        refused(purpose ? "EROFS" : "done", purpose ? "EACCES" : "done", "write:%s/x",
                build_folder);
        try_all(place, purposes[purpose]);
    }
}

TEST(writes_no_large_file) {
    FOR_EACH_PLACE(place) {
        struct ending ending = tried(place, "build", "fill %s/large", build_folder);

        assert_string_equal(ending.text, "256 EFBIG\n");
    }
}

/* A listener's port on 127.0.0.1. */
static int listener(int type, char port[16]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, type, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(type == SOCK_STREAM ? listen(fd, 64) : 0, 0);
    getsockname(fd, (struct sockaddr *)&address, &length);
    snprintf(port, 16, "%d", ntohs(address.sin_port));
    return fd;
}

TEST(reaches_no_network) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0nbody-test"};
    char stream[16], datagram[16], what[3][64], byte;
    int tcp = listener(SOCK_STREAM, stream), udp = listener(SOCK_DGRAM, datagram);
    int local = socket(AF_UNIX, SOCK_STREAM, 0), i;
    size_t purpose;

    assert_int_equal(bind(local, (struct sockaddr *)&address, sizeof(sa_family_t) + 11), 0);
    assert_int_equal(listen(local, 64), 0);
    snprintf(what[0], 64, "tcp %s", stream);
    snprintf(what[1], 64, "udp %s", datagram);
    snprintf(what[2], 64, "abstract nbody-test");
    for (i = 0; i < 3; i++)
        assert_true(succeeds_outside(what[i]));
    assert_int_equal(recv(udp, &byte, 1, MSG_DONTWAIT), 1);
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        refused("EPERM", "EPERM", "tcp:%s", stream);
        refused("EPERM", "EPERM", "udp:%s", datagram);
        refused("EPERM", "EPERM", "abstract:nbody-test");
        try_all(place, purposes[purpose]);
    }
    assert_int_equal(recv(udp, &byte, 1, MSG_DONTWAIT), -1);
    close(tcp);
    close(udp);
    close(local);
}

TEST(touches_no_process) {
    char words[512], what[64];

    snprintf(what, sizeof what, "signal %d", getpid());
    assert_true(succeeds_outside(what));
    FOR_EACH_PLACE(place) {
        char line[8];
        int out;
        pid_t other;
        struct ending ending;

        snprintf(words, sizeof words, "sanitized %s -- %s wait", build_folder, hostile);
        other = start_sandbox(place, other_user, &out, NULL, words);
        assert_int_equal(read(out, line, 6), 6); /* "ready\n" */
        refused("ESRCH", "EPERM", "signal:%d", other);
        refused("ESRCH", "EPERM", "signal:%d", getpid());
        refused("EPERM", "EPERM", "signal:0");
        refused("EPERM", "EPERM", "signal:-1");
        refused("ENOENT", "EACCES", "memory:%d", getpid());
        if (has_landlock())
            refused("EACCES", "EACCES", "memory:0"); /* its parent's */
        try_all(place, "sanitized");
        ending = tried(place, "run", "signal %d", getpid());
        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        kill(other, SIGKILL);
        end_sandbox(other, out);
    }
}

/* Who called is killed: so is the program, at once. */
TEST(ends_with_its_caller) {
    char words[512], what[64];
    int tries;

    snprintf(words, sizeof words, "sanitized %s -- %s wait", build_folder, hostile);
    FOR_EACH_PLACE(place) {
        char text[16];
        int ends[2], out;
        pid_t caller;

        assert_int_equal(pipe(ends), 0);
        if ((caller = fork()) == 0) {
            start_sandbox(place, task_user, &out, NULL, words);
            if (read(out, text, 6) == 6 && write(ends[1], text, 6) == 6)
                pause();
            _exit(1);
        }
        close(ends[1]);
        assert_int_equal(read(ends[0], text, 6), 6);
        kill(caller, SIGKILL);
        waitpid(caller, NULL, 0);
        close(ends[0]);
        refused("EPERM", "EPERM", "outlive:");
        try_all(place, "sanitized");
    }
    snprintf(what, sizeof what, "pgrep -u %d >/dev/null", task_user);
    for (tries = 0; tries < 500 && system(what) == 0; tries++)
        usleep(10000);
    assert_true(tries < 500);
}

TEST(starts_few_processes) {
    long most = 256 + 8 * sysconf(_SC_NPROCESSORS_ONLN);

    FOR_EACH_PLACE(place) {
        struct ending ending = tried(place, "run", "fork 1");

        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        allowed("fork:64");
        if (!place->user)
            refused("EAGAIN", "EAGAIN", "fork:%ld", most);
        try_all(place, "build");
        allowed("fork:64");
        if (!place->user)
            refused("EAGAIN", "EAGAIN", "fork:%ld", most);
        try_all(place, "sanitized");
    }
}

TEST(gains_nothing) {
    size_t purpose;

    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        struct ending ending = tried(place, purposes[purpose], "namespace");

        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        refused("EINVAL", "EPERM", "root:");
        refused("EPERM", "EPERM", "terminal:");
        refused("EPERM", "EPERM", "personality:");
        try_all(place, purposes[purpose]);
    }
}

/* Every call of a list ends so. */
static void calls_end(const struct place *place, const int *numbers, size_t count,
                      const char *with) {
    char list[1024] = "calls", line[64];
    struct ending ending;
    size_t i;

    for (i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %d", numbers[i]);
    ending = tried(place, "sanitized", "%s", list);
    for (i = 0; i < count; i++) {
        snprintf(line, sizeof line, "%d %s\n", numbers[i], with);
        if (!strstr(ending.text, line))
            fail_msg("%s: system call %d does not end with %s:\n%s", place->name, numbers[i], with,
                     ending.text);
    }
}

TEST(makes_no_other_call) {
    static const int hostile_calls[] = {SYS_ptrace,
                                        SYS_process_vm_readv,
                                        SYS_process_vm_writev,
                                        SYS_kcmp,
                                        SYS_mount,
                                        SYS_umount2,
                                        SYS_pivot_root,
                                        SYS_chroot,
                                        SYS_open_tree,
                                        SYS_move_mount,
                                        SYS_fsopen,
                                        SYS_fsconfig,
                                        SYS_fsmount,
                                        SYS_fspick,
                                        SYS_mount_setattr,
                                        SYS_unshare,
                                        SYS_setns,
                                        SYS_bpf,
                                        SYS_userfaultfd,
                                        SYS_add_key,
                                        SYS_request_key,
                                        SYS_keyctl,
                                        SYS_kexec_load,
                                        SYS_kexec_file_load,
                                        SYS_init_module,
                                        SYS_finit_module,
                                        SYS_delete_module,
                                        SYS_swapon,
                                        SYS_swapoff,
                                        SYS_reboot,
                                        SYS_quotactl,
                                        SYS_quotactl_fd,
                                        SYS_acct,
                                        SYS_process_madvise,
                                        SYS_pidfd_getfd,
                                        SYS_pidfd_send_signal,
                                        SYS_fanotify_init,
                                        SYS_open_by_handle_at};
    static const int needless_calls[] = {
        SYS_socket, SYS_socketpair, SYS_connect,         SYS_bind,
        SYS_listen, SYS_accept,     SYS_accept4,         SYS_syslog,
        SYS_shmget, SYS_semget,     SYS_perf_event_open, SYS_io_uring_setup,
        SYS_msgget, SYS_mq_open,    SYS_setpgid,         SYS_setsid};
    static const int later_calls[] = {SYS_clone3, 451, 467, 0x40000000};

    FOR_EACH_PLACE(place) {
        calls_end(place, hostile_calls, sizeof hostile_calls / sizeof(int), "Bad system call");
        calls_end(place, needless_calls, sizeof needless_calls / sizeof(int), "EPERM");
        calls_end(place, later_calls, sizeof later_calls / sizeof(int), "ENOSYS");
    }
}

GROUP(make_places, remove_places)
