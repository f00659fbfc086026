/* How the sandbox is called, what a program inherits of who called it, its limits, how it ends, and
 * what is no sandbox. */
#include "testing.h"

#include <signal.h>

#include "sandbox/sandboxed.h"

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

static void secret_at_stdin(void) {
    dup2(open(secret, O_RDONLY), 0);
}

static void close_standard_files(void) {
    close(0);
    close(1);
    close(2);
}

static struct ending tried_after(const struct place *place, void (*before)(void),
                                 const char *what) {
    char words[512];

    snprintf(words, sizeof words, "run %s -- %s %s", build_folder, hostile, what);
    return sandboxed_after(place, before, words);
}

TEST(inherits_little) {
    FOR_EACH_PLACE(place) {
        assert_int_equal(tried_after(place, secret_at_stdin, "stdin").code, 1);
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

TEST(is_limited) {
    FOR_EACH_PLACE(place) {
        assert_string_equal(tried(place, "build", "limits").text, "268435456 0 1024 0 120 ");
        assert_string_equal(tried(place, "run", "limits").text, "268435456 0 1024 0 -1 ");
    }
}

TEST(tells_how_it_ended) {
    FOR_EACH_PLACE(place) {
        int level = atoi(place->level);
        char words[128];

        assert_int_equal(tried(place, "run", "end 0").code, 0);
        assert_int_equal(tried(place, "run", "end 7").code, 7);
        assert_int_equal(tried(place, "run", "end -6").code, level == 2 ? 128 + 6 : -6);
        snprintf(words, sizeof words, "run %s -- nosuchprogram", build_folder);
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

TEST(refuses_what_is_no_sandbox) {
    char words[512], link[96], here[256];

    assert_non_null(getcwd(here, sizeof here));
    snprintf(link, sizeof link, "%s/link", top);
    assert_int_equal(symlink(build_folder, link), 0);
    FOR_EACH_PLACE(place) {
        snprintf(words, sizeof words, "run %s -- true", link);
        no_sandbox_at(place, NULL, words, "without symbolic links");
        no_sandbox_at(place, NULL, "run build -- true", "an absolute path");
        no_sandbox_at(place, NULL, "run / -- true", "holds the course");
        snprintf(words, sizeof words, "run %s -- true", here);
        no_sandbox_at(place, NULL, words, "holds the course");
        snprintf(words, sizeof words, "play %s -- true", build_folder);
        no_sandbox_at(place, NULL, words, "one of build, run");
        snprintf(words, sizeof words, "run %s -- true", build_folder);
        no_sandbox_at(place, set_level_3, words, "SANDBOX_LEVEL=3");
        no_sandbox_at(place, set_cgroup, words, "SANDBOX_CGROUP: /nosuchfolder");
        if (!place->user) {
            no_sandbox_at(place, set_root, words, "SANDBOX_USER=0");
            snprintf(words, sizeof words, "build %s -- true", neighbour);
            no_sandbox_at(place, NULL, words, "belongs to user 0, not to SANDBOX_USER=");
        }
    }
    if (places[2].there) {
        places[2].level = "1";
        snprintf(words, sizeof words, "run %s -- true", build_folder);
        no_sandbox_at(&places[2], NULL, words, "level 1 needs root");
        places[2].level = "2";
    }
}

/* Of version 1 of cgroups, and where they can be made. */
static char cgroup[64];

static void join_cgroup(void) {
    setenv("SANDBOX_CGROUP", cgroup, 1);
}

TEST(joins_a_cgroup) {
    char words[512], line[8], path[80];

    snprintf(cgroup, sizeof cgroup, "/sys/fs/cgroup/pids/nbody-test.%d", getpid());
    if (mkdir(cgroup, 0755)) {
        printf("skipped: %s cannot be made\n", cgroup);
        return;
    }
    snprintf(words, sizeof words, "sanitized %s -- %s wait", build_folder, hostile);
    snprintf(path, sizeof path, "%s/cgroup.procs", cgroup);
    FOR_EACH_PLACE(place) {
        int out, tries;
        pid_t child;
        char *members;

        if (place->user)
            continue;
        child = start_sandbox(place, task_user, &out, join_cgroup, words);
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

/* A course whose folders and files are for their owner, root, alone. */
static char closed[96];

static void enter_closed(void) {
    if (chdir(closed))
        _exit(97);
}

static int copy_course(void) {
    char command[1024];

    snprintf(closed, sizeof closed, "%s/private/course", neighbour);
    snprintf(command, sizeof command,
             "mkdir -p '%s/build' && cp -a common steps solutions '%s' && cp -a build/common "
             "build/cuda_to_cpp build/sandbox '%s/build' && chmod -R go-rwx '%s/private' && "
             "mkdir -p '%s/build/task' && chown --reference='%s' '%s/build/task'",
             closed, closed, closed, neighbour, closed, build_folder, closed);
    return system(command);
}

TEST(reaches_a_closed_course) {
    char words[512], expected[64], inode[32];
    struct stat status;

    assert_int_equal(copy_course(), 0);
    snprintf(words, sizeof words, "%s/common/mk/step.mk", closed);
    assert_int_equal(stat(words, &status), 0);
    snprintf(expected, sizeof expected, "%ld_644\n", (long)status.st_mtime);
    FOR_EACH_PLACE(place) {
        if (place->user)
            continue;
        snprintf(words, sizeof words, "build %s -- stat -c %%Y_%%a common/mk/step.mk",
                 build_folder);
        /* make looks at times */
        assert_string_equal(sandboxed_after(place, enter_closed, words).text, expected);
        snprintf(words, sizeof words, "build %s -- cat steps/05_tiling/Makefile", build_folder);
        assert_non_null(strstr(sandboxed_after(place, enter_closed, words).text, "step.mk"));
        snprintf(words, sizeof words, "build %s -- cat solutions/05_tiling/nbody.cu", build_folder);
        assert_int_equal(sandboxed_after(place, enter_closed, words).code, 1);
        snprintf(words, sizeof words, "run %s -- true", build_folder);
        assert_int_equal(sandboxed_after(place, enter_closed, words).code, 0);
        /* its own folder is no copy */
        snprintf(words, sizeof words, "build %s/build/task -- touch %s/build/task/made", closed,
                 closed);
        assert_int_equal(sandboxed_after(place, enter_closed, words).code, 0);
        snprintf(words, sizeof words, "%s/build/task/made", closed);
        assert_int_equal(stat(words, &status), 0);
        snprintf(inode, sizeof inode, "%lu\n", (unsigned long)status.st_ino);
        snprintf(words, sizeof words, "run %s/build/task -- stat -c %%i %s/build/task/made", closed,
                 closed);
        assert_string_equal(sandboxed_after(place, enter_closed, words).text, inode);
        snprintf(words, sizeof words, "%s/build/task/made", closed);
        assert_int_equal(unlink(words), 0);
    }
}

/* Of a machine without any sandbox, or so it seems to who may not enter the course. */
TEST(tells_why_there_is_none) {
    char path[128], text[1024] = "";
    int ends[2], sandbox;
    ssize_t got;
    pid_t child;

    assert_int_equal(copy_course(), 0);
    snprintf(path, sizeof path, "%s/build/sandbox", closed);
    chmod(path, 0755);
    assert_true((sandbox = open(path, O_RDONLY)) >= 0 && pipe(ends) == 0);
    if ((child = fork()) == 0) {
        char *const words[] = {"sandbox", "probe", NULL};

        dup2(ends[1], 1);
        if (chdir("/") || setresgid(61990, 61990, 61990) || setresuid(61990, 61990, 61990))
            _exit(99);
        fexecve(sandbox, words, environ);
        _exit(98);
    }
    close(ends[1]);
    close(sandbox);
    got = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(got > 0);
    assert_int_equal(strncmp(text, "0: sandbox: ", 12), 0);
    assert_int_not_equal(text[12], ';');
    assert_non_null(strstr(text, "; sandbox: level 1 needs root"));
}

GROUP(make_places, remove_places)
