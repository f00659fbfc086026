/* What a program in the sandbox cannot do, each thing tried by a hostile program at both levels,
 * and what of it works without a sandbox. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <cmocka.h>

#include "sandbox/sandboxed.h"

static const char *const purposes[] = {"build", "run", "sanitized", "inspect"};

/* Refused with that error at level 2 and at level 1. */
static void refused(const struct place *place, const char *purpose, const char *what,
                    const char *at_2, const char *at_1) {
    struct ending ending = tried(place, purpose, "%s", what);
    const char *error = *place->level == '2' ? at_2 : at_1;

    if (ending.code != 1 || !strstr(ending.text, error))
        fail_msg("%s, %s: %s: ended with %d, not 1 and %s: %s", place->name, purpose, what,
                 ending.code, error, ending.text);
}

static void allowed(const struct place *place, const char *purpose, const char *what) {
    struct ending ending = tried(place, purpose, "%s", what);

    if (ending.code)
        fail_msg("%s, %s: %s: ended with %d: %s", place->name, purpose, what, ending.code,
                 ending.text);
}

/* ENOENT: bubblewrap does not show it; EACCES: Landlock forbids it. */
static void reads_nothing_of_others(void **state) {
    static const char *const course[] = {"solutions/05_tiling/nbody.cu", "grading/score.h",
                                         "common/problems/nbody/trusted.c", "Makefile", ".git"};
    char here[512], what[1024];
    size_t purpose, i;

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(what, sizeof what, "read %s", secret);
    assert_true(succeeds_outside(what));
    assert_true(succeeds_outside("read /etc/shadow"));
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        snprintf(what, sizeof what, "read %s", secret);
        refused(place, purposes[purpose], what, "ENOENT", "EACCES");
        snprintf(what, sizeof what, "read %s/flags", top); /* without SOURCE beside it */
        refused(place, purposes[purpose], what, "ENOENT", "EACCES");
        refused(place, purposes[purpose], "read /etc/shadow", "ENOENT", "EACCES");
        refused(place, purposes[purpose], "read /etc/passwd", "ENOENT", "EACCES");
        refused(place, purposes[purpose], "list /tmp", "EACCES", "EACCES");
        for (i = 0; i < sizeof course / sizeof *course; i++) {
            snprintf(what, sizeof what, "read %s/%s", here, course[i]);
            refused(place, purposes[purpose], what, "ENOENT", "EACCES");
        }
        snprintf(what, sizeof what, "read %s/hostile", folder);
        allowed(place, purposes[purpose], what);
        allowed(place, purposes[purpose], "read /usr/bin/env");
        snprintf(what, sizeof what, "read %s/common/include/nbody.h", here);
        if (purpose == 0)
            allowed(place, purposes[purpose], what);
        else
            refused(place, purposes[purpose], what, "ENOENT", "EACCES");
    }
}

/* Of SOURCE's folder a build sees the file and 09's flags. */
static void sees_the_source(void **state) {
    char source[128], what[256];

    (void)state;
    snprintf(source, sizeof source, "%s/hostile.c", top);
    setenv("SOURCE", source, 1);
    FOR_EACH_PLACE(place) {
        snprintf(what, sizeof what, "read %s", source);
        allowed(place, "build", what);
        refused(place, "run", what, "ENOENT", "EACCES");
        snprintf(what, sizeof what, "read %s/flags", top);
        allowed(place, "build", what);
        snprintf(what, sizeof what, "write %s", source);
        refused(place, "build", what, "EROFS", "EACCES");
    }
    unsetenv("SOURCE");
}

static void writes_nothing(void **state) {
    static const char *const paths[] = {"/x",     "/tmp/x",       "/dev/shm/x",
                                        "/dev/x", "build/x",      "common/include/nbody.h",
                                        "/usr/x", "/usr/bin/env", "/var/tmp/x"};
    char what[256];
    size_t purpose, i;

    (void)state;
    snprintf(what, sizeof what, "chmod 666 '%s'", secret);
    assert_int_equal(system(what), 0);
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        for (i = 0; i < sizeof paths / sizeof *paths; i++) {
            snprintf(what, sizeof what, "write %s", paths[i]);
            refused(place, purposes[purpose], what, "E", "EACCES");
        }
        refused(place, purposes[purpose], "write /tmp/x", "EROFS", "EACCES");
        refused(place, purposes[purpose], "write /dev/shm/x", "EROFS", "EACCES");
        refused(place, purposes[purpose], "write /x", "EROFS", "EACCES");
        snprintf(what, sizeof what, "write %s", secret);
        refused(place, purposes[purpose], what, "E", "EACCES");
        snprintf(what, sizeof what, "truncate %s", secret);
        refused(place, purposes[purpose], what, "ENOENT", "EACCES");
        snprintf(what, sizeof what, "write %s/x", folder);
        if (purpose == 0)
            allowed(place, purposes[purpose], what);
        else
            refused(place, purposes[purpose], what, "EROFS", "EACCES");
    }
}

static void writes_no_large_file(void **state) {
    (void)state;
    FOR_EACH_PLACE(place) {
        struct ending ending = tried(place, "build", "fill %s/large", folder);

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

static void reaches_no_network(void **state) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0nbody-test"};
    char stream[16], datagram[16], what[3][64], byte;
    int tcp = listener(SOCK_STREAM, stream), udp = listener(SOCK_DGRAM, datagram);
    int local = socket(AF_UNIX, SOCK_STREAM, 0), i;
    size_t purpose;

    (void)state;
    assert_int_equal(bind(local, (struct sockaddr *)&address, sizeof(sa_family_t) + 11), 0);
    assert_int_equal(listen(local, 64), 0);
    snprintf(what[0], 64, "tcp %s", stream);
    snprintf(what[1], 64, "udp %s", datagram);
    snprintf(what[2], 64, "abstract nbody-test");
    for (i = 0; i < 3; i++)
        assert_true(succeeds_outside(what[i]));
    assert_int_equal(recv(udp, &byte, 1, MSG_DONTWAIT), 1);
    FOR_EACH_PLACE(place)
    for (purpose = 0; purpose < 4; purpose++) for (i = 0; i < 3; i++)
        refused(place, purposes[purpose], what[i], "EPERM", "EPERM");
    assert_int_equal(recv(udp, &byte, 1, MSG_DONTWAIT), -1);
    close(tcp);
    close(udp);
    close(local);
}

static void touches_no_process(void **state) {
    char words[512], what[64];

    (void)state;
    snprintf(what, sizeof what, "signal %d", getpid());
    assert_true(succeeds_outside(what));
    FOR_EACH_PLACE(place) {
        char line[8];
        int out;
        pid_t other;
        struct ending ending;

        snprintf(words, sizeof words, "sanitized %s -- %s wait", folder, hostile);
        other = start_sandbox(place, OTHER_USER, &out, NULL, words);
        assert_int_equal(read(out, line, 6), 6); /* "ready\n" */
        snprintf(what, sizeof what, "signal %d", other);
        refused(place, "sanitized", what, "ESRCH", "EPERM");
        snprintf(what, sizeof what, "signal %d", getpid());
        refused(place, "sanitized", what, "ESRCH", "EPERM");
        refused(place, "sanitized", "signal 0", "EPERM", "EPERM");
        refused(place, "sanitized", "signal -1", "EPERM", "EPERM");
        snprintf(what, sizeof what, "memory %d", getpid());
        refused(place, "sanitized", what, "ENOENT", "EACCES");
        refused(place, "sanitized", "memory 0", "EACCES", "EACCES"); /* its parent's */
        ending = tried(place, "run", "signal %d", getpid());
        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        kill(other, SIGKILL);
        end_sandbox(other, out);
    }
}

/* Who called is killed: so is the program, at once. */
static void ends_with_its_caller(void **state) {
    char words[512];

    (void)state;
    snprintf(words, sizeof words, "sanitized %s -- %s wait", folder, hostile);
    FOR_EACH_PLACE(place) {
        char text[16];
        int ends[2], out;
        pid_t caller;

        assert_int_equal(pipe(ends), 0);
        if ((caller = fork()) == 0) {
            start_sandbox(place, USER, &out, NULL, words);
            if (read(out, text, 6) == 6 && write(ends[1], text, 6) == 6)
                pause();
            _exit(1);
        }
        close(ends[1]);
        assert_int_equal(read(ends[0], text, 6), 6);
        kill(caller, SIGKILL);
        waitpid(caller, NULL, 0);
        close(ends[0]);
        refused(place, "sanitized", "outlive", "EPERM", "EPERM");
    }
    /* As long as one is there, its user has a process. */
    usleep(200000);
    assert_int_not_equal(system("pgrep -u 71001 >/dev/null"), 0);
}

static void starts_few_processes(void **state) {
    char what[32];

    (void)state;
    snprintf(what, sizeof what, "fork %ld", 256 + 8 * sysconf(_SC_NPROCESSORS_ONLN));
    FOR_EACH_PLACE(place) {
        struct ending ending = tried(place, "run", "fork 1");

        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        allowed(place, "build", "fork 64");
        if (!place->user) {
            refused(place, "build", what, "EAGAIN", "EAGAIN");
            refused(place, "sanitized", what, "EAGAIN", "EAGAIN");
        }
    }
}

static void gains_nothing(void **state) {
    size_t purpose;

    (void)state;
    FOR_EACH_PLACE(place) for (purpose = 0; purpose < 4; purpose++) {
        struct ending ending = tried(place, purposes[purpose], "namespace");

        assert_int_equal(ending.code, *place->level == '2' ? 128 + SIGSYS : -SIGSYS);
        refused(place, purposes[purpose], "root", "EINVAL", "EPERM");
        refused(place, purposes[purpose], "terminal", "EPERM", "EPERM");
        refused(place, purposes[purpose], "personality", "EPERM", "EPERM");
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

static void makes_no_other_call(void **state) {
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

    (void)state;
    FOR_EACH_PLACE(place) {
        calls_end(place, hostile_calls, sizeof hostile_calls / sizeof(int), "Bad system call");
        calls_end(place, needless_calls, sizeof needless_calls / sizeof(int), "EPERM");
        calls_end(place, later_calls, sizeof later_calls / sizeof(int), "ENOSYS");
    }
}

static void open_files(void) {
    int i;

    for (i = 3; i < 12; i++)
        dup2(1, i);
    setenv("LD_PRELOAD", "libm.so.6", 1);
    setenv("MAKEFLAGS", "-n", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    signal(SIGPIPE, SIG_IGN);
}

static void block_signals(void) {
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void close_standard_files(void) {
    close(0);
    close(1);
    close(2);
}

static struct ending tried_after(const struct place *place, void (*before)(void),
                                 const char *what) {
    char words[512];

    snprintf(words, sizeof words, "run %s -- %s %s", folder, hostile, what);
    return sandboxed_after(place, before, words);
}

static void inherits_little(void **state) {
    (void)state;
    FOR_EACH_PLACE(place) {
        assert_int_equal(tried_after(place, open_files, "fd 7").code, 0);
        assert_int_equal(tried_after(place, open_files, "fd 8").code, 1);
        assert_int_equal(tried_after(place, open_files, "fd 11").code, 1);
        assert_int_equal(tried_after(place, open_files, "env OMP_NUM_THREADS").code, 0);
        assert_int_equal(tried_after(place, open_files, "env LD_PRELOAD").code, 1);
        assert_int_equal(tried_after(place, open_files, "env MAKEFLAGS").code, 1);
        assert_string_equal(tried_after(place, block_signals, "signals").text, "default open");
        assert_int_equal(tried_after(place, close_standard_files, "fd 2").code, 0);
        assert_int_equal(tried_after(place, close_standard_files, "fd 3").code, 1);
    }
}

static void is_limited(void **state) {
    (void)state;
    FOR_EACH_PLACE(place) {
        assert_string_equal(tried(place, "build", "limits").text, "268435456 0 1024 0 120 ");
        assert_string_equal(tried(place, "run", "limits").text, "0 0 1024 0 -1 ");
    }
}

static void tells_how_it_ended(void **state) {
    (void)state;
    FOR_EACH_PLACE(place) {
        int level = atoi(place->level);
        char words[128];

        assert_int_equal(tried(place, "run", "end 0").code, 0);
        assert_int_equal(tried(place, "run", "end 7").code, 7);
        assert_int_equal(tried(place, "run", "end -6").code, level == 2 ? 128 + 6 : -6);
        snprintf(words, sizeof words, "run %s -- nosuchprogram", folder);
        assert_int_equal(sandboxed_after(place, NULL, words).code, 127);
    }
}

/* 125, and one line that has these words. */
static void no_sandbox_at(const struct place *place, void (*before)(void), const char *words,
                          const char *says) {
    struct ending ending = sandboxed_after(place, before, words);

    assert_int_equal(ending.code, 125);
    assert_int_equal(strncmp(ending.text, "sandbox: ", 9), 0);
    assert_int_equal(count_lines(ending.text), 1);
    if (!strstr(ending.text, says))
        fail_msg("\"%s\" is not in: %s", says, ending.text);
}

static void set_level_3(void) {
    setenv("SANDBOX_LEVEL", "3", 1);
}

static void set_root(void) {
    setenv("SANDBOX_USER", "0", 1);
}

static void set_cgroup(void) {
    setenv("SANDBOX_CGROUP", "/nosuchfolder", 1);
}

static void refuses_what_is_no_sandbox(void **state) {
    char words[512], link[96], here[256];

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(link, sizeof link, "%s/link", top);
    assert_int_equal(symlink(folder, link), 0);
    FOR_EACH_PLACE(place) {
        snprintf(words, sizeof words, "run %s -- true", link);
        no_sandbox_at(place, NULL, words, "without symbolic links");
        no_sandbox_at(place, NULL, "run build -- true", "an absolute path");
        no_sandbox_at(place, NULL, "run / -- true", "holds the course");
        snprintf(words, sizeof words, "run %s -- true", here);
        no_sandbox_at(place, NULL, words, "holds the course");
        snprintf(words, sizeof words, "play %s -- true", folder);
        no_sandbox_at(place, NULL, words, "one of build, run");
        snprintf(words, sizeof words, "run %s -- true", folder);
        no_sandbox_at(place, set_level_3, words, "SANDBOX_LEVEL=3");
        no_sandbox_at(place, set_cgroup, words, "SANDBOX_CGROUP: /nosuchfolder");
        if (!place->user) {
            no_sandbox_at(place, set_root, words, "SANDBOX_USER=0");
            snprintf(words, sizeof words, "build %s -- true", neighbour);
            no_sandbox_at(place, NULL, words, "belongs to user 0, not to SANDBOX_USER=71001");
        }
    }
    if (places[2].there) {
        places[2].level = "1";
        snprintf(words, sizeof words, "run %s -- true", folder);
        no_sandbox_at(&places[2], NULL, words, "level 1 needs root");
        places[2].level = "2";
    }
}

/* Of version 1 of cgroups, and where they can be made. */
static const char cgroup[] = "/sys/fs/cgroup/pids/nbody-test";

static void join_cgroup(void) {
    setenv("SANDBOX_CGROUP", cgroup, 1);
}

static void joins_a_cgroup(void **state) {
    char words[512], line[8], path[80];

    (void)state;
    if (mkdir(cgroup, 0755)) {
        printf("skipped: %s cannot be made\n", cgroup);
        return;
    }
    snprintf(words, sizeof words, "sanitized %s -- %s wait", folder, hostile);
    snprintf(path, sizeof path, "%s/cgroup.procs", cgroup);
    FOR_EACH_PLACE(place) {
        int out, tries;
        pid_t child;
        char *members;

        if (place->user)
            continue;
        child = start_sandbox(place, USER, &out, join_cgroup, words);
        assert_int_equal(read(out, line, 6), 6);
        members = read_file(path, NULL);
        assert_int_equal(count_lines(members), *place->level == '2' ? 3 : 1);
        free(members);
        kill(child, SIGKILL);
        end_sandbox(child, out);
        for (tries = 0; tries < 100; tries++) { /* until the last one is gone */
            members = read_file(path, NULL);
            if (!*members)
                tries = 100;
            free(members);
            usleep(10000);
        }
    }
    assert_int_equal(rmdir(cgroup), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_nothing_of_others), cmocka_unit_test(sees_the_source),
        cmocka_unit_test(writes_nothing),          cmocka_unit_test(writes_no_large_file),
        cmocka_unit_test(reaches_no_network),      cmocka_unit_test(touches_no_process),
        cmocka_unit_test(ends_with_its_caller),    cmocka_unit_test(starts_few_processes),
        cmocka_unit_test(gains_nothing),           cmocka_unit_test(makes_no_other_call),
        cmocka_unit_test(inherits_little),         cmocka_unit_test(is_limited),
        cmocka_unit_test(tells_how_it_ended),      cmocka_unit_test(refuses_what_is_no_sandbox),
        cmocka_unit_test(joins_a_cgroup),
    };

    return cmocka_run_group_tests(tests, make_places, remove_places);
}
