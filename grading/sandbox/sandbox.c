/* build/sandbox: see sandbox.h. What happens in which order stands here. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox.h"

enum { NO_SANDBOX = 125, NO_PROGRAM = 127, LAST_FD = 7 }; /* player.h: the referee's are 3 to 7 */

const char *const purpose_words[PURPOSES] = {"build", "run", "sanitized", "inspect"};

void no_sandbox(const char *format, ...) {
    char reason[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fprintf(stderr, "sandbox: %s\n", reason);
    exit(NO_SANDBOX);
}

/* Against what this process may have inherited: closed standard files, others, signals. Nothing
 * reads from stdin. */
static void put_in_order(void) {
    sigset_t none;
    int fd, i;

    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd < 0 || dup2(fd, STDIN_FILENO))
        no_sandbox("/dev/null: %s", strerror(errno));
    if (syscall(SYS_close_range, LAST_FD + 1, ~0u, 0))
        no_sandbox("Linux 5.9 is needed, for close_range");
    if (fd <= LAST_FD)
        close(fd);
    for (i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static uid_t read_user(void) {
    const char *text = getenv("SANDBOX_USER");
    char *end = "?";
    unsigned long user = text ? strtoul(text, &end, 10) : 0;

    if (*end || user == 0 || user >= (uid_t)-1)
        no_sandbox("SANDBOX_USER=%s: as root, the number of a user other than root is needed",
                   text ? text : "");
    return (uid_t)user;
}

/* Gives up every privilege. Who called may end: then this process ends, too. */
static void become(uid_t user, pid_t caller) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3] = {0};

    if (user && (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user)))
        no_sandbox("user %u: %s", (unsigned)user, strerror(errno));
    if (syscall(SYS_capset, &header, nothing))
        no_sandbox("privileges could not be given up: %s", strerror(errno));
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of the user forgets it */
    if (getppid() != caller)
        no_sandbox("the process that called it has ended");
}

static void check_folders(const struct sandbox *sandbox) {
    char real[PATH_MAX];
    struct stat status;

    if (!realpath(sandbox->folder, real) || strcmp(real, sandbox->folder) || stat(real, &status) ||
        !S_ISDIR(status.st_mode))
        no_sandbox("%s: an absolute path of a folder is needed, without symbolic links",
                   sandbox->folder);
    if (is_below(sandbox->course, real))
        no_sandbox("%s holds the course, which nothing in the sandbox may see", real);
    if (is_below(sandbox->course, "/usr"))
        no_sandbox("%s: below /usr a course is seen from the sandbox; move it", sandbox->course);
    if (sandbox->purpose == PURPOSE_BUILD && sandbox->user && status.st_uid != sandbox->user)
        no_sandbox("%s belongs to user %u, not to SANDBOX_USER=%u", real, (unsigned)status.st_uid,
                   (unsigned)sandbox->user);
}

/* Puts on what is not bubblewrap's, and becomes the program. */
_Noreturn static void start(const struct sandbox *sandbox, int need_landlock) {
    if (landlock_confine(sandbox) && need_landlock)
        no_sandbox("level 1 needs Landlock, which this kernel has not (Linux 5.13, and landlock "
                   "among its lsm=); level 2 does without");
    limits_set(sandbox);
    calls_refuse(sandbox);
    execvp(sandbox->arguments[0], sandbox->arguments);
    fprintf(stderr, "sandbox: %s: %s\n", sandbox->arguments[0], strerror(errno));
    exit(NO_PROGRAM);
}

/* Reads PURPOSE FOLDER -- PROGRAM [ARGUMENT]... */
static void read_words(struct sandbox *sandbox, int count, char *words[]) {
    const char *gpu = getenv("SANDBOX_GPU");
    static char course[PATH_MAX];
    int i;

    if (count < 4 || strcmp(words[2], "--"))
        no_sandbox("sandbox PURPOSE FOLDER -- PROGRAM [ARGUMENT]... is needed");
    for (i = 0; i < PURPOSES && strcmp(words[0], purpose_words[i]); i++)
        ;
    if (i == PURPOSES)
        no_sandbox("%s: one of build, run, sanitized, inspect is needed", words[0]);
    if (!getcwd(course, sizeof course))
        no_sandbox("the course's root, where it is called: %s", strerror(errno));
    sandbox->purpose = (enum purpose)i;
    sandbox->folder = words[1];
    sandbox->arguments = words + 3;
    sandbox->course = course;
    sandbox->source = sandbox->purpose == PURPOSE_BUILD ? getenv("SOURCE") : NULL;
    sandbox->gpu = gpu && !strcmp(gpu, "1") && sandbox->purpose != PURPOSE_INSPECT;
}

_Noreturn static void outside(struct sandbox *sandbox) {
    const char *level = getenv("SANDBOX_LEVEL"), *cgroup = getenv("SANDBOX_CGROUP");
    int first = level && !strcmp(level, "1");
    pid_t caller = getppid();

    if (!first && (!level || strcmp(level, "2")))
        no_sandbox("SANDBOX_LEVEL=%s: 1 or 2 is needed; `build/sandbox probe` tells which is there",
                   level ? level : "");
    if (geteuid() == 0)
        sandbox->user = read_user();
    else
        unsetenv("SANDBOX_USER"); /* has no meaning then, inside neither */
    if (first && !sandbox->user)
        no_sandbox("level 1 needs root, to run what it is given as a user of its own");
    check_folders(sandbox);
    if (cgroup && *cgroup)
        limits_join(cgroup);
    if (sandbox->user)
        reach_course(sandbox);
    become(sandbox->user, caller);
    environment_clean(sandbox);
    if (!first)
        bubblewrap_exec(sandbox);
    start(sandbox, 1);
}

/* Whether `true` runs at that level; if not, `why` says why. */
static int level_works(const char *level, char why[512]) {
    char *const words[] = {"sandbox", "run", "/usr", "--", "true", NULL};
    int ends[2], status = -1;
    size_t length = 0;
    ssize_t got;
    pid_t child;

    if (pipe(ends) || (child = fork()) < 0)
        no_sandbox("probe: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("SANDBOX_LEVEL", level, 1);
        setenv("SANDBOX_USER", "65534", 0);
        unsetenv("SANDBOX_CGROUP");
        execv("/proc/self/exe", words);
        _exit(NO_PROGRAM);
    }
    close(ends[1]);
    while (length < 511 && (got = read(ends[0], why + length, 511 - length)) > 0)
        length += (size_t)got;
    why[length] = 0;
    why[strcspn(why, "\n")] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return status == 0;
}

static int probe(void) {
    char second[512], first[512];

    if (level_works("2", second)) {
        puts("2");
        return 0;
    }
    if (level_works("1", first)) {
        printf("1: %s\n", second);
        return 0;
    }
    printf("0: %s; %s\n", second, first);
    return NO_SANDBOX;
}

int main(int count, char *words[]) {
    struct sandbox sandbox = {0};

    put_in_order();
    if (count == 2 && !strcmp(words[1], "probe"))
        return probe();
    if (count > 1 && !strcmp(words[1], "inside")) { /* by bubblewrap, after outside() */
        read_words(&sandbox, count - 2, words + 2);
        sandbox.user = getenv("SANDBOX_USER") ? getuid() : 0;
        start(&sandbox, 0);
    }
    read_words(&sandbox, count - 1, words + 1);
    outside(&sandbox);
}
